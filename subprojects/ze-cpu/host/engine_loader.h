// SPDX-License-Identifier: MIT
//
// Opening the engine half.
#ifndef ZE_CPU_ENGINE_LOADER_H
#define ZE_CPU_ENGINE_LOADER_H

#include <engine.h>

// The engine, opened at the first call. NULL: it cannot be opened, and *why is malloc'ed text that says so (or NULL
// when memory is short). Thread-safe.
const struct zc_engine *zc_engine_open(char **why);

#endif
