// SPDX-License-Identifier: MIT
//
// LLVM ends the process on what it considers fatal (no instruction for an operation, out of
// memory). The driver lives in somebody else's process and must not.

#ifndef ZC_ENGINE_GUARD_H
#define ZC_ENGINE_GUARD_H

#include <stdbool.h>

#include "log.h"

// Runs work(data). False: LLVM declared a fatal error, which is in the log. Whatever LLVM had
// allocated until then is lost: its objects are in no state to be freed.
bool zc_guarded(bool (*work)(void *data), void *data, struct zc_log *log, bool *result);

#endif
