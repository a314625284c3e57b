// SPDX-License-Identifier: MIT
#include "stray.h"

#include "block.h"
#include "code_place.h"
#include "fault.h"
#include "memory_check.h"
#include "settings.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A program whose own handler lets it go on would fill its log.
#define MAX_FAULTS 16

static _Atomic(struct zc_memory_map *) watched;

void zc_stray_watch(struct zc_memory_map *map)
{
    if (!zc_settings.guard || atomic_load(&watched))
        return;
    atomic_store(&watched, map);
    zc_guard_install();
}

// The driver faults in no guarded block while it has the lock; another thread may have it, for a short time.
static bool is_in_block(struct zc_memory_map *map, uintptr_t address)
{
    pthread_mutex_lock(&map->lock);
    const bool found = zc_memory_is_in_block(map, address);
    pthread_mutex_unlock(&map->lock);
    return found;
}

void zc_stray_report_fault(const struct zc_touch *touch)
{
    static atomic_uint count;
    char text[512], place[320], where[160] = "";
    struct zc_memory_map *map = atomic_load(&watched);
    if (!map || !is_in_block(map, touch->address) || atomic_fetch_add(&count, 1) >= MAX_FAULTS)
        return;
    zc_code_describe(touch->code, place, sizeof place);
    zc_memory_map_describe(map, touch->address, where, sizeof where);
    const int length = snprintf(text, sizeof text,
        "ze-cpu: %s %s memory that it may not access (ZE_CPU_GUARD)%s; address 0x%zx%s\n",
        touch->by_device ? "a copy or fill" : "the program",
        touch->is_write ? "wrote to" : "accessed", place, (size_t)touch->address, where);
    if (length > 0)
        (void)!write(
            STDERR_FILENO, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void zc_stray_report_write(const struct zc_allocation *allocation)
{
    char where[160] = "";
    ptrdiff_t offset;
    if (zc_block_is_intact(allocation, &offset))
        return;
    zc_allocation_describe(
        allocation, (uintptr_t)allocation->base + (uintptr_t)offset, where, sizeof where);
    fprintf(stderr,
        "ze-cpu: somebody wrote beside an allocation, which is seen now that it is freed "
        "(ZE_CPU_GUARD)%s\n",
        where);
}
