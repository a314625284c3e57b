// SPDX-License-Identifier: MIT
// The objects behind the handles, counted so that a test sees what was never destroyed.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

// Any word that freed or foreign memory is unlikely to hold.
#define ALIVE 0x6e6f6f70u

static const char *const kind_names[NOOP_KIND_COUNT] = {
    [NOOP_CONTEXT] = "context",
    [NOOP_COMMAND_QUEUE] = "command queue",
    [NOOP_COMMAND_LIST] = "command list",
    [NOOP_EVENT_POOL] = "event pool",
    [NOOP_EVENT] = "event",
    [NOOP_FENCE] = "fence",
    [NOOP_MODULE] = "module",
    [NOOP_BUILD_LOG] = "build log",
    [NOOP_KERNEL] = "kernel",
    [NOOP_IMAGE] = "image",
    [NOOP_SAMPLER] = "sampler",
    [NOOP_MEMORY] = "allocation",
};

static _Atomic int64_t live[NOOP_KIND_COUNT];

void noop_count_live(enum noop_kind kind, int64_t difference)
{
    atomic_fetch_add_explicit(&live[kind], difference, memory_order_relaxed);
}

int64_t noop_live(enum noop_kind kind)
{
    return atomic_load_explicit(&live[kind], memory_order_relaxed);
}

int64_t noop_live_total(void)
{
    int64_t total = 0;
    for (int kind = 0; kind < NOOP_KIND_COUNT; kind++)
        total += noop_live(kind);
    return total;
}

void *noop_object_create(enum noop_kind kind, size_t size)
{
    struct noop_object *object = calloc(1, size);
    if (object == NULL)
        return NULL;
    *object = (struct noop_object){.kind = kind, .alive = ALIVE};
    noop_count_live(kind, 1);
    return object;
}

void noop_object_check(const void *handle, enum noop_kind kind)
{
    const struct noop_object *object = handle;
    if (object->alive == ALIVE && object->kind == kind)
        return;
    fprintf(stderr, "noop: %p is not a live %s\n", handle, kind_names[kind]);
    abort();
}

void noop_object_destroy(void *handle, enum noop_kind kind)
{
    noop_object_check(handle, kind);
    struct noop_object *object = handle;
    object->alive = 0;
    noop_count_live(kind, -1);
    free(object);
}

ze_result_t noop_object_end(void *object, enum noop_kind kind, ze_result_t planned)
{
    if (object == NULL)
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    noop_object_destroy(object, kind);
    return planned;
}
