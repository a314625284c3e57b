// SPDX-License-Identifier: MIT
//
// Functions of this library that generated code calls.

#ifndef ZC_ENGINE_RUNTIME_H
#define ZC_ENGINE_RUNTIME_H

#include "context.h"
#include "engine.h"

#include <stdint.h>

// Each argument of a printf has a slot of this size, enough for a vector of 16 doubles.
#define ZC_PRINTF_SLOT 128

// How an argument lies in its slot: bytes of an element and how many there are.
#define ZC_PRINTF_SHAPE(element_size, count) ((element_size) << 8 | (count))

int zc_printf(const char *format, uint32_t count, const uint32_t *shapes, const void *slots);

// Who is notified of asserts that fail on this thread from now on; NULL: nobody.
void zc_assert_listen(struct zc_assert_listener *listener);
void zc_assert_fail(const char *expression, const char *file, int32_t line, const char *function,
    uint64_t global_x, uint64_t global_y, uint64_t global_z, uint64_t local_x, uint64_t local_y,
    uint64_t local_z);

// Not 0: a debugger would be notified of a trap.
int zc_debugger_is_attached(void);

// ZC_SPACE_... of an address, in a kernel that the worker runs.
uint32_t zc_address_space_of(uint64_t worker_address, uint64_t address);

// Memory for a coroutine's frame; NULL when there is none.
void *zc_frame_allocate(const struct zc_context *context, uint64_t size);

#endif
