// SPDX-License-Identifier: MIT
//
// Where the generated code of native asserts arrives.

#include "runtime.h"

// Whom the group that this thread runs belongs to. Failed asserts come without a context: to pass
// one, every function that has an assert would have to be inlined.
static _Thread_local struct zc_assert_listener *listener;

void zc_assert_listen(struct zc_assert_listener *who)
{
    listener = who;
}

void zc_assert_fail(const char *expression, const char *file, int32_t line, const char *function,
    uint64_t global_x, uint64_t global_y, uint64_t global_z, uint64_t local_x, uint64_t local_y,
    uint64_t local_z)
{
    const struct zc_assert assert = {.expression = expression,
        .file = file,
        .function = function,
        .line = line,
        .global_id = {global_x, global_y, global_z},
        .local_id = {local_x, local_y, local_z}};
    if (listener != NULL)
        listener->failed(listener, &assert);
}
