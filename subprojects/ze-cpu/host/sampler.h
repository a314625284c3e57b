// SPDX-License-Identifier: MIT
//
// Samplers: how kernels read images between texels and outside of them.
#ifndef ZE_CPU_SAMPLER_H
#define ZE_CPU_SAMPLER_H

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stdint.h>

struct _ze_sampler_handle_t {
    uint32_t bits; // of engine/image.h
};

// False: the address is not that of a sampler, or of one that was destroyed.
bool zc_sampler_read(const void *handle, uint32_t *bits);

#endif
