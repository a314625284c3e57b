// SPDX-License-Identifier: MIT
//
// A command as tools see it. The keys are those that tools for SYCL look for.

#include <stdio.h>
#include <string.h>

#include "queue/traced.h"
#include "trace/xpti.h"

// A name that fits all but kernels.
typedef char short_name[64];

static const char *kind_of(const mez_command *command)
{
    switch (command->kind) {
    case MEZ_COMMAND_COPY:
    case MEZ_COMMAND_FILL:
    case MEZ_COMMAND_COPY_2D:
    case MEZ_COMMAND_COPY_3D:
    case MEZ_COMMAND_PREFETCH:
        return "memory_transfer_node";
    default:
        return "command_group_node";
    }
}

static const char *name_of(const mez_command *command, short_name name)
{
    switch (command->kind) {
    case MEZ_COMMAND_KERNEL:
        return mez_kernel_get_name(command->launch.kernel);
    case MEZ_COMMAND_COPY:
        snprintf(name, sizeof(short_name), "Copy[%p]", command->copy.to);
        break;
    case MEZ_COMMAND_FILL:
        snprintf(name, sizeof(short_name), "Fill[%p]", command->fill.to);
        break;
    case MEZ_COMMAND_COPY_2D:
        snprintf(name, sizeof(short_name), "Copy2D[%p]", command->copy_2d.to);
        break;
    case MEZ_COMMAND_COPY_3D:
        snprintf(name, sizeof(short_name), "Copy3D[%p]", command->copy_3d.to);
        break;
    case MEZ_COMMAND_PREFETCH:
        snprintf(name, sizeof(short_name), "Prefetch[%p]", command->hint.memory);
        break;
    case MEZ_COMMAND_ADVISE:
        snprintf(name, sizeof(short_name), "Advise[%p]", command->hint.memory);
        break;
    case MEZ_COMMAND_REPLAY:
        snprintf(name, sizeof(short_name), "Replay[%p]", command->replay->lender);
        break;
    case MEZ_COMMAND_HOST:
        return command->host.function ? "HostTask" : "Marker";
    case MEZ_COMMAND_LIST:
        return "NativeTask";
    default:
        return "Barrier";
    }
    return name;
}

// --- Metadata

static void add_device(mez_xpti_event *event, const mez_device *device)
{
    mez_trace_add_unsigned(event, "sycl_device", (uintptr_t)device->ze);
    mez_trace_add_text(
        event, "sycl_device_type", device->info.type == MEZ_DEVICE_CPU ? "CPU" : "GPU");
    mez_trace_add_text(event, "sycl_device_name", device->info.name);
}

static void add_memory(
    mez_xpti_event *event, const void *to, const void *from, size_t size, bool all)
{
    mez_trace_add_unsigned(event, "memory_object", (uintptr_t)to);
    if (!all)
        return;
    mez_trace_add_unsigned(event, "memory_size", size);
    if (!from) {
        mez_trace_add_unsigned(event, "memory_ptr", (uintptr_t)to);
        return;
    }
    mez_trace_add_unsigned(event, "src_memory_ptr", (uintptr_t)from);
    mez_trace_add_unsigned(event, "dest_memory_ptr", (uintptr_t)to);
}

static uint64_t first_bytes(const void *pattern, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, pattern, size < sizeof value ? size : sizeof value);
    return value;
}

static void add_argument(mez_xpti_event *event, const mez_arg *arg, size_t index)
{
    static const int type_of[] = {[MEZ_ARG_VALUE] = 1, [MEZ_ARG_POINTER] = 3, [MEZ_ARG_LOCAL] = 1};
    char key[24];
    const mez_xpti_kernel_argument argument = {
        .type = type_of[arg->kind],
        .pointer = (void *)(arg->kind == MEZ_ARG_POINTER ? arg->data : NULL),
        .size = (int)arg->size,
        .index = (int)index,
    };
    snprintf(key, sizeof key, "arg%zu", index);
    mez_trace_add_binary(event, key, &argument, sizeof argument);
}

static void add_launch(mez_xpti_event *event, const mez_command *command)
{
    const mez_range *range = command->launch.range;
    const mez_args *args = command->launch.args;
    mez_xpti_kernel_launch launch = {.argument_count = args ? args->count : 0};
    for (uint32_t i = 0; i < 3; i++) {
        const bool has = i < range->dimensions;
        launch.global_size[i] = has ? range->global[i] : 1;
        launch.local_size[i] = command->launch.use->group_size[i];
    }
    mez_trace_add_binary(event, "enqueue_kernel_data", &launch, sizeof launch);
    for (size_t i = 0; i < launch.argument_count; i++)
        add_argument(event, &args->items[i], i);
}

static void describe_kind(const mez_trace_node *node, const mez_command *command)
{
    mez_xpti_event *event = node->event;
    const bool normal = mez_trace_node_wants(node, MEZ_XPTI_DETAIL_NORMAL);
    switch (command->kind) {
    case MEZ_COMMAND_KERNEL:
        mez_trace_add_text(event, "kernel_name", mez_kernel_get_name(command->launch.kernel));
        if (mez_trace_node_wants(node, MEZ_XPTI_DETAIL_VERBOSE))
            add_launch(event, command);
        break;
    case MEZ_COMMAND_COPY:
        add_memory(event, command->copy.to, command->copy.from, command->copy.size, normal);
        break;
    case MEZ_COMMAND_COPY_2D:
        add_memory(event, command->copy_2d.to, command->copy_2d.from,
            (size_t)command->copy_2d.width * command->copy_2d.rows, normal);
        break;
    case MEZ_COMMAND_COPY_3D:
        add_memory(event, command->copy_3d.to, command->copy_3d.from,
            mez_box_size(command->copy_3d.box), normal);
        break;
    case MEZ_COMMAND_FILL:
        add_memory(event, command->fill.to, NULL, command->fill.size, normal);
        if (normal)
            mez_trace_add_unsigned(
                event, "value_set", first_bytes(command->fill.pattern, command->fill.pattern_size));
        break;
    case MEZ_COMMAND_PREFETCH:
    case MEZ_COMMAND_ADVISE:
        add_memory(event, command->hint.memory, NULL, command->hint.size, normal);
        break;
    default:
        break;
    }
}

// What all nodes of the queue's have; NULL is accepted.
static void describe_rest(
    const mez_trace_node *node, const mez_queue *queue, const char *debug_name, const char *kind)
{
    if (!node)
        return;
    if (mez_trace_node_wants(node, MEZ_XPTI_DETAIL_NORMAL)) {
        add_device(node->event, queue->device);
        if (debug_name)
            mez_trace_add_text(node->event, "debug_name", debug_name);
    }
    mez_trace_node_notify(node, kind);
}

mez_trace_node *mez_traced_describe(const mez_queue *queue, const mez_command *command)
{
    short_name name;
    mez_trace_node *node =
        mez_trace_node_create(name_of(command, name), command->where, queue->traced->id);
    if (node)
        describe_kind(node, command);
    describe_rest(node, queue, command->debug_name, kind_of(command));
    return node;
}

mez_trace_node *mez_traced_describe_copy(
    const mez_queue *queue, const mez_readback *readback, const mez_location *where)
{
    short_name name;
    const void *record = readback->modules.items[0]->assert_record;
    snprintf(name, sizeof name, "AssertCopy[%p]", record);
    mez_trace_node *node = mez_trace_node_create(name, where, queue->traced->id);
    if (node)
        add_memory(node->event, record, NULL, readback->modules.count * sizeof(mez_assert_record),
            mez_trace_node_wants(node, MEZ_XPTI_DETAIL_NORMAL));
    describe_rest(node, queue, NULL, "memory_transfer_node");
    return node;
}

mez_trace_node *mez_traced_describe_reading(const mez_queue *queue, const mez_location *where)
{
    mez_trace_node *node = mez_trace_node_create("AssertCheck", where, queue->traced->id);
    describe_rest(node, queue, NULL, "command_group_node");
    return node;
}

// --- Times

// From the device's clock to the host's. Both are read at the moment of asking, and times are counted back from there: so it does not
// matter that the device's clock starts again at zero now and then, nor that the two drift apart.

// A moment, as both clocks have it.
typedef struct moment {
    uint64_t host;   // ns of CLOCK_MONOTONIC
    uint64_t device; // ticks
} moment;

// False: the driver does not say.
static bool read_clocks(const mez_device *device, moment *now)
{
    uint64_t drivers_own;
    const uint64_t before = mez_time_now();
    if (device->clock.resolution == 0 || ZE_RESULT(zeDeviceGetGlobalTimestamps, device->ze,
                                             &drivers_own, &now->device) != ZE_RESULT_SUCCESS)
        return false;
    now->host = before + (mez_time_now() - before) / 2;
    return true;
}

// Times before the moment, however often the device's clock has wrapped before.
static uint64_t host_time(const mez_clock *clock, const moment *now, uint64_t ticks)
{
    uint64_t start = ticks, end = now->device;
    mez_clock_convert(clock, &start, &end);
    return now->host - (end - start);
}

bool mez_traced_measure(
    const mez_queue *queue, const mez_event *event, mez_trace_execution *execution)
{
    moment now;
    ze_kernel_timestamp_result_t times;
    const mez_clock *clock = &queue->device->clock;
    if (ZE_RESULT(zeEventQueryKernelTimestamp, event->ze, &times) != ZE_RESULT_SUCCESS ||
        !read_clocks(queue->device, &now))
        return false;
    execution->begin = host_time(clock, &now, times.global.kernelStart);
    execution->end = host_time(clock, &now, times.global.kernelEnd);
    return true;
}
