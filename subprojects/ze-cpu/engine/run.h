// SPDX-License-Identifier: MIT
//
// The run-time half of the engine's table; engine.h says what the functions promise.

#ifndef ZC_ENGINE_RUN_H
#define ZC_ENGINE_RUN_H

#include "engine.h"

struct zc_worker *zc_worker_create(void);
void zc_worker_destroy(struct zc_worker *worker);
bool zc_run_groups(struct zc_worker *worker, const struct zc_kernel *kernel,
    const struct zc_group *group, uint64_t count, const void *blob);
void zc_worker_locate(const struct zc_worker *worker, const struct zc_kernel *kernel,
    const uintptr_t *code, size_t count, struct zc_place *place);

#endif
