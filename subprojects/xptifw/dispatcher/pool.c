// SPDX-License-Identifier: MIT
//
// Slabs of trace points, a depot of free ones, and a few of these with each thread.

#include "pool.h"

#include "memory.h"

#include <string.h>

enum {
    SLAB_SIZE = 1 << 16, // aligned to it, so that the address of a trace point leads to its slab
    STRIDE = (sizeof(xf_tracepoint) + 63) & ~63, // cache lines of its own
    IN_SLAB = SLAB_SIZE / STRIDE,
    BATCH = 32, // how many go to a thread, or back, at once
};

typedef struct chain {
    xf_tracepoint *first;
    unsigned count;
} chain;

static xf_table slabs = XF_TABLE(0, INT32_MAX - 1);      // their addresses
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the depot
static chain depot;

static _Thread_local chain own;
static _Thread_local bool returns_own; // at the thread's end

static void push(chain *to, xf_tracepoint *it)
{
    it->next_free = to->first;
    to->first = it;
    to->count++;
}

static xf_tracepoint *pop(chain *from)
{
    xf_tracepoint *it = from->first;
    from->first = it->next_free;
    from->count--;
    return it;
}

static void move(chain *from, chain *to, unsigned wanted)
{
    for (; wanted > 0 && from->first; wanted--)
        push(to, pop(from));
}

// --- Slabs

static xf_tracepoint *in_slab(char *slab, size_t place)
{
    return (xf_tracepoint *)(void *)(slab + place * STRIDE);
}

// Under the lock.
static bool add_slab(void)
{
    char *slab = xf_alloc_aligned(SLAB_SIZE, SLAB_SIZE);
    if (!slab)
        return false;
    for (size_t i = IN_SLAB; i > 0; i--) { // the lowest address is the first to be taken
        xf_tracepoint *it = in_slab(slab, i - 1);
        xf_set_classes(it);
        push(&depot, it);
    }
    if (xf_table_intern(&slabs, &slab, sizeof slab, 0))
        return true;
    depot = (chain){0}; // it was empty before
    xf_free(slab);
    return false;
}

xf_tracepoint *xf_pool_at(uint64_t id)
{
    char *const slab = (char *)(uintptr_t)(id & ~(uint64_t)(SLAB_SIZE - 1));
    const size_t offset = id & (SLAB_SIZE - 1);
    if (offset % STRIDE != 0 || offset / STRIDE >= IN_SLAB)
        return NULL;
    return xf_table_find(&slabs, &slab, sizeof slab, 0) ? in_slab(slab, offset / STRIDE) : NULL;
}

void xf_pool_each(void (*call)(xf_tracepoint *it))
{
    const xf_entry *entry;
    for (uint32_t i = 0; (entry = xf_table_at(&slabs, i)); i++) {
        char *slab;
        memcpy(&slab, entry->data, sizeof slab);
        for (size_t place = 0; place < IN_SLAB; place++)
            call(in_slab(slab, place));
    }
}

// --- A thread's own

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_end;
static bool has_at_end;

static void return_own(void *chain_of_thread)
{
    chain *it = chain_of_thread;
    pthread_mutex_lock(&lock);
    move(it, &depot, it->count);
    pthread_mutex_unlock(&lock);
}

static void make_at_end(void)
{
    has_at_end = pthread_key_create(&at_end, return_own) == 0;
}

// Where it can't be arranged, a thread's last few are lost.
static void arrange_return(void)
{
    pthread_once(&once, make_at_end);
    returns_own = true;
    if (has_at_end)
        pthread_setspecific(at_end, &own);
}

xf_tracepoint *xf_pool_take(void)
{
    if (!own.first) {
        pthread_mutex_lock(&lock);
        if (depot.first || add_slab())
            move(&depot, &own, BATCH);
        pthread_mutex_unlock(&lock);
    }
    if (!returns_own)
        arrange_return();
    return own.first ? pop(&own) : NULL;
}

void xf_pool_give(xf_tracepoint *it)
{
    push(&own, it);
    if (!returns_own)
        arrange_return();
    if (own.count < 2 * BATCH)
        return;
    pthread_mutex_lock(&lock);
    move(&own, &depot, BATCH);
    pthread_mutex_unlock(&lock);
}
