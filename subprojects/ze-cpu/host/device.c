// SPDX-License-Identifier: MIT
//
// What the device is.
#include "device.h"

#include "settings.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GIB (UINT64_C(1) << 30)
#define MAX_THREADS 1024

static ze_result_t read_type(ze_device_type_t *type)
{
    const char *name = getenv("ZE_CPU_DEVICE_TYPE");
    *type = ZE_DEVICE_TYPE_CPU;
    if (!name || !*name || !strcmp(name, "cpu"))
        return ZE_RESULT_SUCCESS;
    *type = ZE_DEVICE_TYPE_GPU;
    if (!strcmp(name, "gpu"))
        return ZE_RESULT_SUCCESS;
    fprintf(
        stderr, "ze-cpu: ZE_CPU_DEVICE_TYPE=%s is not known; it may be one of: cpu gpu\n", name);
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

// The cores this process may run on, which a container or taskset may have made fewer than the
// machine has.
static uint32_t available_cores(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores))
        return 1;
    return (uint32_t)CPU_COUNT(&cores);
}

static ze_result_t read_thread_count(uint32_t *count)
{
    const char *text = getenv("ZE_CPU_THREADS");
    *count = available_cores();
    if (!text || !*text)
        return ZE_RESULT_SUCCESS;
    char *end = NULL;
    const unsigned long value = strtoul(text, &end, 10);
    if (*end || value < 1 || value > MAX_THREADS) {
        fprintf(
            stderr, "ze-cpu: ZE_CPU_THREADS=%s is not a number from 1 to %d\n", text, MAX_THREADS);
        return ZE_RESULT_ERROR_UNINITIALIZED;
    }
    *count = (uint32_t)value;
    return ZE_RESULT_SUCCESS;
}

// A persona without a copy engine is lent one like that of dg2.
static void set_queue_groups(ze_device_handle_t device)
{
    const struct zc_persona *persona = device->persona;
    memcpy(device->groups, persona->groups, sizeof device->groups);
    device->group_count = persona->group_count;
    if (zc_settings.copy_engine == ZC_COPY_ENGINE_OFF)
        device->group_count = 1;
    if (zc_settings.copy_engine == ZC_COPY_ENGINE_ON && device->group_count == 1)
        device->groups[device->group_count++] = zc_copy_engine;
}

// How many devices before the index have the persona.
static uint32_t count_alike(
    const struct zc_device_list *list, uint32_t end, const struct zc_persona *persona)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < end; i++)
        count += list->personas[i] == persona;
    return count;
}

// One that has no like is not numbered.
static void set_name(ze_device_handle_t device, const struct zc_device_list *list)
{
    const char *persona = device->persona->name;
    if (count_alike(list, list->count, device->persona) == 1)
        snprintf(device->name, sizeof device->name, "ze-cpu (%s persona)", persona);
    else
        snprintf(
            device->name, sizeof device->name, "ze-cpu (%s persona) %u", persona, device->number);
}

static void set_memory(ze_device_handle_t device, uint32_t device_count)
{
    const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    device->total_memory = zc_settings.memory ? zc_settings.memory : memory / device_count;
    device->max_allocation = device->total_memory < 4 * GIB ? device->total_memory : 4 * GIB;
}

ze_result_t zc_device_init(
    ze_device_handle_t device, const struct zc_device_list *list, uint32_t index)
{
    ze_result_t result;
    if ((result = read_type(&device->type)) || (result = read_thread_count(&device->thread_count)))
        return result;
    device->persona = list->personas[index];
    device->index = index;
    device->whole = device;
    device->number = count_alike(list, index, device->persona);
    set_name(device, list);
    set_queue_groups(device);
    set_memory(device, list->count);
    return ZE_RESULT_SUCCESS;
}

struct zc_features zc_device_features(ze_device_handle_t device)
{
    const struct zc_persona *persona = device->persona;
    return (struct zc_features){
        .fp16 = persona->fp16,
        .fp64 = persona->fp64,
        .images = persona->image_size > 0,
        .int64_atomics = persona->int64_atomics,
        .sub_group_sizes = persona->sub_group_sizes,
        .device_name = device->name,
    };
}

const struct zc_queue_group *zc_device_queue_group(ze_device_handle_t device, uint32_t ordinal)
{
    return ordinal < device->group_count ? &device->groups[ordinal] : NULL;
}

struct zc_turn *zc_device_turn(ze_device_handle_t device, uint32_t ordinal)
{
    return zc_settings.single_engine ? &device->turns[ordinal] : NULL;
}
