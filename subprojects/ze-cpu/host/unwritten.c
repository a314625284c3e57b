// SPDX-License-Identifier: MIT
#include "unwritten.h"

#include "ipc.h"
#include "settings.h"

#include <engine.h>
#include <pthread.h>
#include <shadow.h>

// Of a larger allocation everything counts as written: its shadow takes twice its size.
#define LARGEST ((size_t)256 << 20)

static struct zc_shadow *shadow;

static void create_shadow(void)
{
    shadow = zc_shadow_create();
}

struct zc_shadow *zc_process_shadow(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (zc_settings.checks & ZC_CHECK_UNINITIALIZED)
        pthread_once(&once, create_shadow);
    return shadow;
}

// Variables of modules have values from the start; other processes write to imported memory.
static bool is_tracked(const struct zc_allocation *allocation)
{
    return allocation->type == ZE_MEMORY_TYPE_DEVICE && allocation->size <= LARGEST &&
           !allocation->owner && !allocation->imported;
}

void zc_note_allocated(const struct zc_allocation *allocation)
{
    struct zc_shadow *process = zc_process_shadow();
    if (process && is_tracked(allocation))
        zc_shadow_set_unwritten(process, allocation->base, allocation->size,
            ZC_ORIGIN_ALLOCATION | (uint32_t)allocation->id);
}

void zc_note_freed(const struct zc_allocation *allocation)
{
    struct zc_shadow *process = zc_process_shadow();
    if (process && is_tracked(allocation))
        zc_shadow_forget(process, allocation->base, zc_ipc_size(allocation->size));
}

void zc_note_written(const void *memory, size_t size)
{
    struct zc_shadow *process = zc_process_shadow();
    if (process)
        zc_shadow_set_written(process, memory, size);
}

void zc_note_copied(const void *to, const void *from, size_t size)
{
    struct zc_shadow *process = zc_process_shadow();
    if (process)
        zc_shadow_copy(process, to, from, size);
}
