// SPDX-License-Identifier: MIT
//
// Filling a bundle: what the readers of containers share.

#ifndef MEZ_CONTAINER_BUNDLE_H
#define MEZ_CONTAINER_BUNDLE_H

#include "container/binary.h"

// Bytes of a container, or of a part of one.
typedef struct mez_span {
    const uint8_t *bytes;
    size_t size;
    const char *source; // what it is called in messages
    unsigned depth;     // how many containers are around it
} mez_span;

// Containers in containers: more than any tool makes.
#define MEZ_DEEPEST_CONTAINER 4

mez_bundle *mez_bundle_create(mez_container container);

// A place of a container is where its damage is.
mez_error mez_bundle_damaged(const mez_span *span, uint64_t offset, const char *format, ...)
    MEZ_PRINTF(3, 4);

// Where several parts of a container may refer to the same bytes, a small one could make the reader copy without end. Each copy is
// paid for; MEZ_ERRC_INVALID_IMAGE when the container has used up what any sensible one of its size needs.
mez_error mez_bundle_pay(mez_bundle *bundle, const mez_span *span, size_t bytes);

// Unpacks zstd data of a container itself, as much as all of the bundle may hold, and gives it to the bundle. The limit is
// MEZ_UNPACKED_LIMIT for all of them together.
mez_error mez_bundle_unpack(mez_bundle *bundle, const mez_span *packed, mez_span *unpacked);

// What a container of that size may let its reader copy.
size_t mez_bundle_budget(size_t size);

// Gives memory to the bundle, which frees it in the end; where that fails, now. NULL is an allocation that failed.
mez_error mez_bundle_keep(mez_bundle *bundle, void *memory);

// A copy with a NUL behind it; "" for nothing.
mez_error mez_bundle_copy_string(
    mez_bundle *bundle, const void *start, size_t length, const char **copy);

// As printf.
mez_error mez_bundle_print(mez_bundle *bundle, const char **string, const char *format, ...)
    MEZ_PRINTF(3, 4);

// A binary more, at the end, with the span as its code and as its source. It moves when another one is added.
mez_error mez_bundle_add(mez_bundle *bundle, const mez_span *span, mez_binary **binary);

// Adds whatever the bytes hold: the recogniser.
mez_error mez_bundle_read_span(mez_bundle *bundle, const mez_span *span);

// Sets the list of kernels; `names` are copied, doubles left out.
mez_error mez_binary_set_kernels(
    mez_bundle *bundle, mez_binary *binary, const char *const *names, size_t count);

// The list of kernels from the set "SYCL/kernel names", where there is one.
mez_error mez_binary_take_kernel_names(mez_bundle *bundle, mez_binary *binary);

// Reads the text of property sets; an empty text has none.
mez_error mez_bundle_read_properties(
    mez_bundle *bundle, const mez_span *span, mez_properties *properties);

#endif
