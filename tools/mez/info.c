// SPDX-License-Identifier: MIT
//
// mez info: which devices there are, what they can do, and why one is missing.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mezzanine/mezzanine.h>

#include "base/text.h"
#include "command.h"
#include "device_lines.h"
#include "options.h"
#include "probe.h"
#include "story_line.h"

static const char usage[] =
    "usage: mez info [--verbose]\n"
    "\n"
    "Lists the devices of the GPU drivers and of the CPU driver and what they can do, marks the\n"
    "one that programs get by default, explains why there is no GPU or no CPU device, and shows\n"
    "the environment variables that have an effect. The exit code is 0 if at least one device can\n"
    "be used.\n"
    "\n"
    "  --verbose  also show the driver's newer functions and its extensions, and all details of\n"
    "             what is missing\n";

static bool take_verbose(void *target, const char *text, struct problem *problem)
{
    (void)text, (void)problem;
    *(bool *)target = true;
    return true;
}

static const struct option options[] = {{"--verbose", NULL, take_verbose}, {0}};
static const struct command_line command_line = {options, NULL, NULL};

static const char *type_name(mez_device_type type)
{
    return type == MEZ_DEVICE_GPU ? "GPU" : type == MEZ_DEVICE_CPU ? "CPU" : "other";
}

static const char *yes_no(bool answer)
{
    return answer ? "yes" : "no";
}

static void print_size(const char *label, uint64_t bytes)
{
    char text[DEVICE_SIZE_ROOM];
    mez_print(stdout, "  %-17s %s\n", label, device_size(bytes, text));
}

static void print_version(const char *label, uint32_t version)
{
    mez_print(
        stdout, "  %-17s %u.%u\n", label, (unsigned)(version >> 16), (unsigned)(version & 0xffff));
}

static void print_three(const char *label, const uint32_t sizes[3], const char *after)
{
    mez_print(stdout, "  %-17s %u x %u x %u%-s", label, sizes[0], sizes[1], sizes[2], after);
}

static void print_work_groups(const mez_device_info *info)
{
    print_three("work-group", info->max_group_sizes, "");
    mez_print(stdout, ", at most %u work-items\n", info->max_group_size);
    print_three("work-groups", info->max_group_counts, "\n");
    mez_print(stdout, "  %-17s", "sub-group sizes");
    for (uint32_t i = 0; i < info->sub_group_size_count; i++)
        mez_print(stdout, " %u", info->sub_group_sizes[i]);
    puts(info->sub_group_size_count ? "" : " none");
}

// Of cl_intel_devicelib_assert, the name that drivers have for it.
static void print_asserts(const struct probed_device *device)
{
    static const char *const ways[] = {
        [MEZ_NATIVE_ASSERTS_NONE] = "by Mezzanine's device library",
        [MEZ_NATIVE_ASSERTS_LISTED] = "native, cl_intel_devicelib_assert (the driver lists it)",
        [MEZ_NATIVE_ASSERTS_COMPILED] =
            "native, cl_intel_devicelib_assert (not listed, but the compiler has it)",
    };
    mez_print(stdout, "  %-17s %s\n", "asserts",
        device->asserts_are_known ? ways[device->asserts] : "unknown: the driver failed");
}

static void print_free(const struct probed_device *device)
{
    if (device->memory.free_is_known)
        print_size("  of it free", device->memory.free);
    else
        mez_print(stdout, "  %-17s unknown: %s\n", "  of it free", device->why_unknown);
}

static void print_memory(const struct probed_device *device)
{
    const mez_device_info *info = &device->info;
    print_size("local memory", info->local_memory);
    print_size(info->integrated ? "shared memory" : "device memory", info->memory_size);
    print_free(device);
    print_size("one allocation", info->max_alloc_size);
    mez_print(stdout, "  %-17s %u bytes\n", "arguments", info->max_argument_size);
}

// How the driver shows a device that has parts; NULL: this is not known, and there may be none.
static const char *hierarchy_of(const struct probed_device *device)
{
    const char *asked = getenv("ZE_FLAT_DEVICE_HIERARCHY");
    if (device->info.is_sub_device)
        return "combined: this is a sub-device, and its root device is not listed";
    if (device->sub_devices > 0)
        return "composite: the device is listed, and its parts are sub-devices";
    return asked && strcmp(asked, "FLAT") == 0 ? "flat: sub-devices are listed as devices" : NULL;
}

static void print_hierarchy(const struct probed_device *device)
{
    const char *hierarchy = hierarchy_of(device);
    if (device->info.is_sub_device)
        mez_print(stdout, "  %-17s %u\n", "part number", device->info.sub_device_number);
    if (hierarchy)
        mez_print(stdout, "  %-17s %s\n", "hierarchy", hierarchy);
}

static void print_sub_device(const struct probed_device *device)
{
    char label[32], size[DEVICE_SIZE_ROOM];
    snprintf(label, sizeof label, "sub-device %u", device->info.sub_device_number);
    mez_print(stdout, "  %*s%-17s %u compute units, %s of memory\n", (int)(device->depth - 1) * 2,
        "", label, device->info.compute_units, device_size(device->info.memory_size, size));
}

// `result`: what the device was found in, followed by its sub-devices.
static void print_device(const struct probe_result *result, const struct probed_device *device,
    bool is_default, bool verbose)
{
    const struct probed_device *end = &result->devices[result->count];
    const mez_device_info *info = &device->info;
    mez_print(stdout, "%s: %s%s\n", type_name(info->type), device->name,
        is_default ? " (what a program gets by default)" : "");
    if (info->vendor_id)
        mez_print(stdout, "  %-17s %04x:%04x\n", "PCI id", info->vendor_id, info->device_id);
    mez_print(stdout, "  %-17s %s\n", "architecture", device->architecture);
    print_version("Level Zero", info->api_version);
    mez_print(stdout, "  %-17s %u (0x%x)\n", "driver version", info->driver_version,
        info->driver_version);
    fputs(result->driver, stdout);
    if (verbose)
        fputs(result->details, stdout);
    print_version("SPIR-V", info->spirv_version);
    mez_print(stdout, "  %-17s %u\n", "compute units", info->compute_units);
    mez_print(stdout, "  %-17s fp16 %s, fp64 %s, 64-bit atomics %s\n", "features",
        yes_no(info->fp16), yes_no(info->fp64), yes_no(info->int64_atomics));
    print_asserts(device);
    print_work_groups(info);
    print_memory(device);
    fputs(device->lines, stdout);
    print_hierarchy(device);
    for (const struct probed_device *part = device + 1; part < end && part->depth > 0; part++)
        print_sub_device(part);
    putchar('\n');
}

static void print_missing(
    const char *what, const char *detail, const struct probe_result *result, bool verbose)
{
    char line[512];
    story_line(result->story, detail, line, sizeof line);
    mez_print(stdout, "%s: %s%s\n\n", what, line, verbose ? "" : "; --verbose shows all details");
    if (verbose)
        mez_print(stdout, "%-s\n\n", result->story);
}

static bool same_device(const struct probed_device *a, const struct probed_device *b)
{
    return a->info.type == b->info.type && a->info.vendor_id == b->info.vendor_id &&
           a->info.device_id == b->info.device_id && strcmp(a->name, b->name) == 0;
}

// Marks the first device that looks like the default one, and clears `wanted`, for devices may be twins.
static void print_devices(
    const struct probe_result *found, struct probe_result *wanted, bool verbose)
{
    for (uint32_t i = 0; i < found->count; i++) {
        if (found->devices[i].depth > 0)
            continue;
        const bool marked = wanted->count && same_device(&found->devices[i], &wanted->devices[0]);
        print_device(found, &found->devices[i], marked, verbose);
        if (marked)
            wanted->count = 0;
    }
}

// What is looked for. A GPU is mostly missing because its device node is, or is not ours to open.
struct kind {
    const char *name;
    const char *missing;
    const char *detail; // label in the story
};

static const struct kind kinds[] = {
    {"gpu", "no GPU", "device node"},
    {"cpu", "no CPU", NULL},
};

static uint32_t print_kind(const struct kind *kind, struct probe_result *wanted, bool verbose)
{
    static struct probe_result found;
    probe_kind(kind->name, &found);
    print_devices(&found, wanted, verbose);
    if (found.count == 0)
        print_missing(kind->missing, kind->detail, &found, verbose);
    return found.count;
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool matters(const char *variable)
{
    return strncmp(variable, "MEZ_", 4) == 0 || strncmp(variable, "ZE_", 3) == 0;
}

static void print_environment(void)
{
    size_t count = 0;
    for (char **variable = environ; *variable; variable++)
        count += matters(*variable);
    char **found = calloc(count + 1, sizeof *found);
    if (!found)
        return;
    size_t i = 0;
    for (char **variable = environ; *variable; variable++)
        if (matters(*variable))
            found[i++] = *variable;
    qsort(found, count, sizeof *found, by_text);
    puts(count ? "environment:" : "environment: no MEZ_ or ZE_ variable is set");
    for (i = 0; i < count; i++)
        mez_print(stdout, "  %s\n", found[i]);
    free(found);
}

static int run(int count, char *const *arguments)
{
    static struct probe_result wanted;
    bool verbose = false;
    struct problem problem;
    if (!command_line_read(&command_line, count, arguments, &verbose, &problem))
        return report_usage(&info_command, &problem);
    mez_print(stdout, "Mezzanine %s\n\n", mez_version());
    probe_default(&wanted);
    const bool has_default = wanted.count > 0;
    uint32_t found = wanted.count;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        found += print_kind(&kinds[i], &wanted, verbose);
    if (wanted.count) // neither GPU nor CPU
        print_device(&wanted, &wanted.devices[0], true, verbose);
    if (!has_default && found) // else the reason has been shown for each kind
        print_missing("no default device", NULL, &wanted, verbose);
    print_environment();
    return found ? EXIT_GOOD : EXIT_FAILED;
}

const struct command info_command = {"info", "lists the devices and what they can do", usage, run};
