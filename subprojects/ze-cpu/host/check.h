// SPDX-License-Identifier: MIT
//
// Argument checks at the top of every entry point.
#ifndef ZE_CPU_CHECK_H
#define ZE_CPU_CHECK_H

#include "refusal.h"
#include "settings.h"

#include <level_zero/ze_api.h>

#define ZC_REQUIRE(condition, result)                         \
    do {                                                      \
        if (!(condition))                                     \
            return zc_refuse(__func__, #condition, (result)); \
    } while (0)

// Hands on the result of a check that failed.
#define ZC_PASS(result)    \
    do {                   \
        if (result)        \
            return result; \
    } while (0)

// At the top of entry points that only the newer mode has.
#define ZC_REQUIRE_NEWER() ZC_REQUIRE(zc_settings.newer, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)

#define ZC_REQUIRE_HANDLE(handle) ZC_REQUIRE(handle, ZE_RESULT_ERROR_INVALID_NULL_HANDLE)
#define ZC_REQUIRE_POINTER(pointer) ZC_REQUIRE(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER)
// Bits of a flags field outside `known`.
#define ZC_REQUIRE_FLAGS(flags, known) \
    ZC_REQUIRE(!((flags) & ~(uint32_t)(known)), ZE_RESULT_ERROR_INVALID_ENUMERATION)

// The first structure of type `stype` in a pNext chain; NULL where there is none.
static inline const void *zc_find_next(const void *chain, ze_structure_type_t stype)
{
    const ze_base_desc_t *desc = chain;
    while (desc && desc->stype != stype)
        desc = desc->pNext;
    return desc;
}

// Likewise in a chain of properties, which are to be filled in.
static inline void *zc_find_properties(void *chain, ze_structure_type_t stype)
{
    return (void *)(uintptr_t)zc_find_next(chain, stype);
}

// Level Zero's counting protocol: 0 asks how many there are, a larger count than that is lowered.
// True: the caller passed a count and wants `*count` elements.
static inline _Bool zc_clamp_count(uint32_t *count, uint32_t available)
{
    const _Bool wants_elements = *count != 0;
    if (!wants_elements || *count > available)
        *count = available;
    return wants_elements;
}

#endif
