// SPDX-License-Identifier: MIT
//
// A span: one allocation of the driver's, with the user's allocations that lie in it.
//
// A dedicated span holds one; a span of a pool is cut into slots of equal size. What is known of each slot lies in host memory
// beside the span, so device memory needs no headers and a stray write of a kernel can't destroy our lists.

#ifndef MEZ_MEMORY_SPAN_H
#define MEZ_MEMORY_SPAN_H

#include <mezzanine/memory.h>

#include "base/list.h"
#include "device/platform.h"

#define MEZ_MEMORY_KINDS 3

typedef enum mez_slot_state {
    MEZ_SLOT_FREE = 0,
    MEZ_SLOT_LIVE,
    MEZ_SLOT_DEFERRED, // freed by the user while queues were busy
} mez_slot_state;

typedef struct mez_slot {
    struct mez_span *span;
    struct mez_slot *next; // among the span's free ones, or among the deferred ones
    size_t size;           // that the user asked for
    char *name;            // NULL: none
    mez_location where;
    mez_slot_state state;
} mez_slot;

typedef struct mez_span {
    char *base;
    size_t size;
    mez_memory_kind kind;
    mez_device *device;      // whose memory; the first of the context for host memory
    mez_memory_usage *usage; // what counts it

    bool imported;                  // another process's, opened here
    struct mez_ipc_message *shared; // what other processes know it by; NULL: not shared

    struct mez_pool *pool;               // NULL: dedicated
    MEZ_LINK(struct mez_span) with_room; // in the pool's list of spans that have a free slot
    struct mez_span *next;               // in a list to be destroyed
    mez_slot *free;
    uint32_t used;
    uint32_t slot_count;
    // Log2 of a slot's size; of a dedicated span: so large that every address is in slot 0.
    uint32_t slot_shift;
    size_t slot_mask; // a slot's size less 1
    mez_slot slots[];
} mez_span;

#define MEZ_DEDICATED_SHIFT (sizeof(size_t) * 8 - 1)

typedef struct mez_span_request {
    mez_memory_kind kind;
    mez_device *device;
    size_t size;
    size_t alignment;
    uint32_t slot_count;
    uint32_t slot_shift;
} mez_span_request;

// Asks the driver. Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY, and what the driver says.
mez_error mez_span_create(mez_platform *platform, const mez_span_request *request, mez_span **span);
// A span for memory that the driver has opened for us.
mez_error mez_span_import(
    mez_platform *platform, const mez_span_request *request, void *base, mez_span **span);
// Gives the memory back to the driver. The span is gone also where that fails.
mez_error mez_span_destroy(mez_platform *platform, mez_span *span);
// The same for a list linked by `next`; failures are logged.
void mez_spans_destroy(mez_platform *platform, mez_span *list);

static inline char *mez_slot_address(const mez_slot *slot)
{
    const mez_span *span = slot->span;
    return span->base + ((size_t)(slot - span->slots) << span->slot_shift);
}

const char *mez_memory_kind_name(mez_memory_kind kind);

#endif
