// SPDX-License-Identifier: MIT
//
// Whether tracing is on, and the life of streams as subscribers see it.

#ifndef XF_FRAMEWORK_H
#define XF_FRAMEWORK_H

#include <stdatomic.h>
#include <stdbool.h>

__attribute__((visibility("hidden"))) extern atomic_bool xf_enabled;
__attribute__((visibility("hidden"))) extern atomic_bool xf_loaded;

// False also as long as nothing is loaded, which the functions that every program calls first do.
static inline bool xf_is_enabled(void)
{
    return atomic_load_explicit(&xf_enabled, memory_order_relaxed);
}

__attribute__((cold)) void xf_load_now(void);

// Loads the subscribers, once. Thread-safety: safe, also from a subscriber that is just being loaded.
static inline void xf_load(void)
{
    if (__builtin_expect(!atomic_load_explicit(&xf_loaded, memory_order_acquire), 0))
        xf_load_now();
}

#endif
