// SPDX-License-Identifier: MIT

#include "thread.h"

#include <pthread.h>

#include "attach.h"
#include "ring.h"

enum { NO_RING = -1, HAS_ENDED = -2 };

static _Thread_local int own_ring = NO_RING;
static pthread_key_t at_thread_end; // set once, before any thread is traced
static bool has_key;

static void leave(void *unused)
{
    (void)unused;
    const struct trace_memory *memory = trace_attached();
    if (memory && own_ring >= 0)
        trace_ring_leave(memory, own_ring);
    own_ring = HAS_ENDED; // destructors that come later find no ring
}

// The ring stays its parent's.
static void forget_ring(void)
{
    own_ring = NO_RING;
}

void trace_thread_prepare(void)
{
    has_key = pthread_key_create(&at_thread_end, leave) == 0;
    pthread_atfork(NULL, NULL, forget_ring);
}

static int claim(const struct trace_memory *memory)
{
    own_ring = trace_is_over() ? HAS_ENDED : trace_ring_claim(memory);
    if (own_ring >= 0 && has_key)
        pthread_setspecific(at_thread_end, memory);
    return own_ring;
}

int trace_thread_ring(const struct trace_memory *memory)
{
    if (own_ring >= 0)
        return own_ring;
    const int ring = own_ring == NO_RING ? claim(memory) : -1;
    if (ring < 0)
        atomic_fetch_add_explicit(&memory->head->ringless, 1, memory_order_relaxed);
    return ring;
}
