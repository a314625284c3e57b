// SPDX-License-Identifier: MIT
//
// Commands that move bytes: copy, copy of regions, fill; and hints about memory, which have nothing
// to do here.
#include "check.h"
#include "list.h"
#include "unwritten.h"

#include <string.h>

// More bytes than this are not copied inside an append to an asynchronous list.
#define MAX_INLINE_BYTES ((size_t)64 << 10)

struct copy {
    struct zc_command command;
    void *destination;
    const void *source;
    size_t size;
};

static bool run_copy(const struct zc_command *command, struct zc_runner *runner)
{
    (void)runner;
    const struct copy *copy = (const void *)command;
    zc_note_copied(copy->destination, copy->source, copy->size);
    memmove(copy->destination, copy->source, copy->size);
    return true;
}

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *destination,
    const void *source, size_t size, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    const ze_result_t checked = zc_check_append(&append);
    ZC_PASS(checked);
    ZC_REQUIRE_POINTER(destination);
    ZC_REQUIRE_POINTER(source);
    struct copy *copy = zc_command_create(sizeof *copy, &append);
    ZC_REQUIRE(copy, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    copy->command.run = run_copy;
    copy->command.may_block = size > MAX_INLINE_BYTES;
    copy->destination = destination;
    copy->source = source;
    copy->size = size;
    return zc_list_append(list, &copy->command);
}

// All contexts share one address space.
ze_result_t zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t list,
    void *destination, ze_context_handle_t source_context, const void *source, size_t size,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE_HANDLE(source_context);
    return zeCommandListAppendMemoryCopy(
        list, destination, source, size, signal, wait_count, waits);
}

struct fill {
    struct zc_command command;
    char *destination;
    size_t size;
    size_t pattern_size;
    char pattern[];
};

static void repeat_pattern(char *destination, size_t size, const char *pattern, size_t period)
{
    size_t done = size < period ? size : period;
    memcpy(destination, pattern, done);
    // What is done is a whole number of patterns, so it may be copied again, twice as much each
    // time.
    while (done < size) {
        const size_t next = size - done < done ? size - done : done;
        memcpy(destination + done, destination, next);
        done += next;
    }
}

static bool run_fill(const struct zc_command *command, struct zc_runner *runner)
{
    (void)runner;
    const struct fill *fill = (const void *)command;
    zc_note_written(fill->destination, fill->size);
    if (fill->pattern_size == 1)
        memset(fill->destination, fill->pattern[0], fill->size);
    else
        repeat_pattern(fill->destination, fill->size, fill->pattern, fill->pattern_size);
    return true;
}

ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t list, void *destination,
    const void *pattern, size_t pattern_size, size_t size, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    const ze_result_t checked = zc_check_append(&append);
    ZC_PASS(checked);
    ZC_REQUIRE_POINTER(destination);
    ZC_REQUIRE_POINTER(pattern);
    ZC_REQUIRE(pattern_size && pattern_size <= list->group->max_fill_pattern,
        ZE_RESULT_ERROR_INVALID_SIZE);
    struct fill *fill = zc_command_create(sizeof *fill + pattern_size, &append);
    ZC_REQUIRE(fill, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    fill->command.run = run_fill;
    fill->command.may_block = size > MAX_INLINE_BYTES;
    fill->destination = destination;
    fill->size = size;
    fill->pattern_size = pattern_size;
    memcpy(fill->pattern, pattern, pattern_size);
    return zc_list_append(list, &fill->command);
}

// One side of a region copy.
struct plane {
    ze_copy_region_t region;
    size_t row_pitch, slice_pitch;
};

struct region_copy {
    struct zc_command command;
    char *destination;
    const char *source;
    struct plane to, from;
};

static size_t row_offset(const struct plane *plane, uint32_t y, uint32_t z)
{
    return ((size_t)plane->region.originZ + z) * plane->slice_pitch +
           ((size_t)plane->region.originY + y) * plane->row_pitch + plane->region.originX;
}

static void copy_row(char *to, const char *from, size_t width)
{
    zc_note_copied(to, from, width);
    memmove(to, from, width);
}

static uint32_t at_least_one(uint32_t extent)
{
    return extent ? extent : 1;
}

static bool run_region_copy(const struct zc_command *command, struct zc_runner *runner)
{
    (void)runner;
    const struct region_copy *copy = (const void *)command;
    const ze_copy_region_t *extent = &copy->from.region;
    for (uint32_t z = 0; z < at_least_one(extent->depth); z++)
        for (uint32_t y = 0; y < at_least_one(extent->height); y++)
            copy_row(copy->destination + row_offset(&copy->to, y, z),
                copy->source + row_offset(&copy->from, y, z), extent->width);
    return true;
}

static bool have_same_extent(const ze_copy_region_t *a, const ze_copy_region_t *b)
{
    return a->width == b->width && a->height == b->height && a->depth == b->depth;
}

ze_result_t zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t list, void *destination,
    const ze_copy_region_t *to, uint32_t to_pitch, uint32_t to_slice_pitch, const void *source,
    const ze_copy_region_t *from, uint32_t from_pitch, uint32_t from_slice_pitch,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    const ze_result_t checked = zc_check_append(&append);
    ZC_PASS(checked);
    ZC_REQUIRE_POINTER(destination);
    ZC_REQUIRE_POINTER(source);
    ZC_REQUIRE_POINTER(to);
    ZC_REQUIRE_POINTER(from);
    ZC_REQUIRE(have_same_extent(to, from), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    struct region_copy *copy = zc_command_create(sizeof *copy, &append);
    ZC_REQUIRE(copy, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    copy->command.run = run_region_copy;
    copy->command.may_block = true;
    copy->destination = destination;
    copy->source = source;
    copy->to = (struct plane){*to, to_pitch, to_slice_pitch};
    copy->from = (struct plane){*from, from_pitch, from_slice_pitch};
    return zc_list_append(list, &copy->command);
}

// Hints: memory has one place only.
ze_result_t zeCommandListAppendMemoryPrefetch(
    ze_command_list_handle_t list, const void *pointer, size_t size)
{
    (void)size;
    const ze_result_t checked = zc_check_append(&(struct zc_append){.list = list});
    ZC_PASS(checked);
    ZC_REQUIRE_POINTER(pointer);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendMemAdvise(ze_command_list_handle_t list, ze_device_handle_t device,
    const void *pointer, size_t size, ze_memory_advice_t advice)
{
    const ze_result_t checked = zeCommandListAppendMemoryPrefetch(list, pointer, size);
    ZC_PASS(checked);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE(advice <= ZE_MEMORY_ADVICE_BIAS_UNCACHED, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return ZE_RESULT_SUCCESS;
}
