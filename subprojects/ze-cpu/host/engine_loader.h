// SPDX-License-Identifier: MIT
//
// Opening the engine half.
#ifndef ZE_CPU_ENGINE_LOADER_H
#define ZE_CPU_ENGINE_LOADER_H

#include <engine.h>

// The engine, opened at the first call. NULL: it cannot be opened, and the log says why.
// Thread-safe.
const struct zc_engine *zc_engine_open(char **log);

#endif
