// SPDX-License-Identifier: MIT

#include "device_lines.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define LABEL "  %-17s "
#define WIDTH 100 // columns of a line of aspects

static void add_numbered(mez_bounded *lines, const char *what, uint32_t number)
{
    char label[32];
    snprintf(label, sizeof label, "%s %u", what, number);
    mez_bounded_print(lines, LABEL, label);
}

const char *device_size(uint64_t bytes, char text[DEVICE_SIZE_ROOM])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    size_t unit = 0;
    for (; size >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        size /= 1024;
    snprintf(text, DEVICE_SIZE_ROOM, "%.4g %s", size, units[unit]);
    return text;
}

static void add_size(mez_bounded *lines, uint64_t bytes)
{
    char text[DEVICE_SIZE_ROOM];
    mez_bounded_add_string(lines, device_size(bytes, text));
}

// In five groups, as everybody writes them.
static void add_uuid(mez_bounded *lines, const uint8_t uuid[16])
{
    static const uint8_t none[16];
    if (memcmp(uuid, none, sizeof none) == 0)
        return;
    mez_bounded_print(lines, LABEL, "UUID");
    for (int i = 0; i < 16; i++)
        mez_bounded_print(
            lines, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    mez_bounded_print(lines, "\n");
}

static void add_memory(mez_bounded *lines, const mez_device_memory *memory)
{
    add_size(lines, memory->size);
    if (*memory->kind)
        mez_bounded_print(lines, " of %s", memory->kind);
    if (*memory->name)
        mez_bounded_print(lines, ", %s", memory->name);
    if (memory->clock)
        mez_bounded_print(lines, ", %u MHz", memory->clock);
    if (memory->bus_width)
        mez_bounded_print(lines, ", %u bits wide", memory->bus_width);
    mez_bounded_print(lines, "\n");
}

static void add_group(mez_bounded *lines, const mez_queue_group *group)
{
    const char *const uses[] = {group->computes ? "compute" : NULL, group->copies ? "copy" : NULL,
        group->cooperative ? "cooperative" : NULL, group->metrics ? "metrics" : NULL};
    const char *before = "";
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (!uses[i])
            continue;
        mez_bounded_print(lines, "%s%s", before, uses[i]);
        before = ", ";
    }
    mez_bounded_print(lines, "; %u queue%s, fills with up to %llu byte%s\n", group->queues,
        group->queues == 1 ? "" : "s", (unsigned long long)group->max_fill_pattern,
        group->max_fill_pattern == 1 ? "" : "s");
}

static void add_aspects(mez_bounded *lines, const mez_device_details *details)
{
    size_t column = 0;
    for (uint32_t i = 0; i < details->aspect_count; i++) {
        const size_t length = strlen(details->aspects[i]) + 1;
        const bool breaks = i == 0 || column + length > WIDTH;
        if (breaks) {
            mez_bounded_print(lines, "%-s" LABEL, i ? "\n" : "", i ? "" : "aspects");
            column = 20;
        }
        mez_bounded_print(lines, "%s%s", breaks ? "" : " ", details->aspects[i]);
        column += length;
    }
    mez_bounded_print(lines, "%-s", details->aspect_count ? "\n" : "");
}

void device_lines(const mez_device_details *details, char *text, size_t size)
{
    mez_bounded lines = mez_bounded_begin(text, size);
    if (!details)
        return;
    add_uuid(&lines, details->uuid);
    if (details->has_pci_address)
        mez_bounded_print(&lines, LABEL "%04x:%02x:%02x.%x\n", "PCI address", details->pci_domain,
            details->pci_bus, details->pci_device, details->pci_function);
    if (details->core_clock)
        mez_bounded_print(&lines, LABEL "%u MHz\n", "core clock", details->core_clock);
    for (uint32_t i = 0; i < details->memory_count; i++) {
        add_numbered(&lines, "memory", i);
        add_memory(&lines, details->memories[i]);
    }
    for (uint32_t i = 0; i < details->cache_count; i++) {
        add_numbered(&lines, "cache", i);
        add_size(&lines, details->caches[i]->size);
        mez_bounded_print(
            &lines, "%s\n", details->caches[i]->user_controlled ? ", partly local memory" : "");
    }
    for (uint32_t i = 0; i < details->queue_group_count; i++) {
        add_numbered(&lines, "queue group", i);
        add_group(&lines, details->queue_groups[i]);
    }
    add_aspects(&lines, details);
}
