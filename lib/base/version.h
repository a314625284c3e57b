// SPDX-License-Identifier: MIT
//
// What programs that were built for a newer version of the library may ask this one for. Structs that programs fill end in reserved
// words, which are zero: later versions make members of them. A word that is not zero is a member that this version does not know,
// and must not ignore.

#ifndef MEZ_BASE_VERSION_H
#define MEZ_BASE_VERSION_H

#include "base/error.h"

#define MEZ_RESERVED_COUNT(params) (sizeof(params)->reserved / sizeof *(params)->reserved)

// All words together: not 0 where any of them is not. No branches, for quick paths.
static inline uint64_t mez_reserved_bits(const uint64_t *reserved, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= reserved[i];
    return bits;
}

#define MEZ_RESERVED_BITS(params) mez_reserved_bits((params)->reserved, MEZ_RESERVED_COUNT(params))

// MEZ_ERRC_INVALID_PARAMETER: a struct of this type has a reserved word that is not zero.
__attribute__((cold)) mez_error mez_reserved_used(const char *type);

// Returns that from the calling function where it is so. `params` points to a `type`.
#define MEZ_TRY_RESERVED(type, params)                              \
    do {                                                            \
        const type *const reserving = (params);                     \
        if (__builtin_expect(MEZ_RESERVED_BITS(reserving) != 0, 0)) \
            return mez_reserved_used(#type);                        \
    } while (0)

#endif
