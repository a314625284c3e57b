// SPDX-License-Identifier: MIT

#include "device_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LABEL "  %-17s "
#define WIDTH 100 // columns of a line of aspects

struct lines {
    char *text;
    size_t size;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct lines *lines, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int wanted =
        vsnprintf(lines->text + lines->length, lines->size - lines->length, format, arguments);
    va_end(arguments);
    if (wanted > 0)
        lines->length += (size_t)wanted;
    if (lines->length >= lines->size)
        lines->length = lines->size - 1;
}

static void add_numbered(struct lines *lines, const char *what, uint32_t number)
{
    char label[32];
    snprintf(label, sizeof label, "%s %u", what, number);
    add(lines, LABEL, label);
}

// In the largest unit of which there is at least one.
static void add_size(struct lines *lines, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    size_t unit = 0;
    for (; size >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        size /= 1024;
    add(lines, "%.4g %s", size, units[unit]);
}

// In five groups, as everybody writes them.
static void add_uuid(struct lines *lines, const uint8_t uuid[16])
{
    static const uint8_t none[16];
    if (memcmp(uuid, none, sizeof none) == 0)
        return;
    add(lines, LABEL, "UUID");
    for (int i = 0; i < 16; i++)
        add(lines, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    add(lines, "\n");
}

static void add_memory(struct lines *lines, const mez_device_memory *memory)
{
    add_size(lines, memory->size);
    if (*memory->kind)
        add(lines, " of %s", memory->kind);
    if (*memory->name)
        add(lines, ", %s", memory->name);
    if (memory->clock)
        add(lines, ", %u MHz", memory->clock);
    if (memory->bus_width)
        add(lines, ", %u bits wide", memory->bus_width);
    add(lines, "\n");
}

static void add_group(struct lines *lines, const mez_queue_group *group)
{
    const char *const uses[] = {group->computes ? "compute" : NULL, group->copies ? "copy" : NULL,
        group->cooperative ? "cooperative" : NULL, group->metrics ? "metrics" : NULL};
    const char *before = "";
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (!uses[i])
            continue;
        add(lines, "%s%s", before, uses[i]);
        before = ", ";
    }
    add(lines, "; %u queue%s, fills with up to %llu byte%s\n", group->queues,
        group->queues == 1 ? "" : "s", (unsigned long long)group->max_fill_pattern,
        group->max_fill_pattern == 1 ? "" : "s");
}

static void add_aspects(struct lines *lines, const mez_device_details *details)
{
    size_t column = 0;
    for (uint32_t i = 0; i < details->aspect_count; i++) {
        const size_t length = strlen(details->aspects[i]) + 1;
        const bool breaks = i == 0 || column + length > WIDTH;
        if (breaks) {
            add(lines, "%s" LABEL, i ? "\n" : "", i ? "" : "aspects");
            column = 20;
        }
        add(lines, "%s%s", breaks ? "" : " ", details->aspects[i]);
        column += length;
    }
    add(lines, "%s", details->aspect_count ? "\n" : "");
}

void device_lines(const mez_device_details *details, char *text, size_t size)
{
    struct lines lines = {.text = text, .size = size};
    text[0] = '\0';
    if (!details)
        return;
    add_uuid(&lines, details->uuid);
    if (details->has_pci_address)
        add(&lines, LABEL "%04x:%02x:%02x.%x\n", "PCI address", details->pci_domain,
            details->pci_bus, details->pci_device, details->pci_function);
    if (details->core_clock)
        add(&lines, LABEL "%u MHz\n", "core clock", details->core_clock);
    for (uint32_t i = 0; i < details->memory_count; i++) {
        add_numbered(&lines, "memory", i);
        add_memory(&lines, details->memories[i]);
    }
    for (uint32_t i = 0; i < details->cache_count; i++) {
        add_numbered(&lines, "cache", i);
        add_size(&lines, details->caches[i]->size);
        add(&lines, "%s\n", details->caches[i]->user_controlled ? ", partly local memory" : "");
    }
    for (uint32_t i = 0; i < details->queue_group_count; i++) {
        add_numbered(&lines, "queue group", i);
        add_group(&lines, details->queue_groups[i]);
    }
    add_aspects(&lines, details);
}
