// SPDX-License-Identifier: MIT
//
// Device images that a program carries in itself and registers when it starts: DPC++'s descriptors, and LLVM's offload binaries, which
// come through a function of the same name. lib/register has that function.

#ifndef MEZ_CONTAINER_DESCRIPTOR_H
#define MEZ_CONTAINER_DESCRIPTOR_H

#include "container/binary.h"

typedef enum mez_registration {
    MEZ_REGISTRATION_UNKNOWN,
    MEZ_REGISTRATION_DESCRIPTOR,
    MEZ_REGISTRATION_OFFLOAD,
} mez_registration;

// What __sycl_register_lib was given, by the first four bytes: the two can't be confused.
mez_registration mez_registration_recognise(const void *start);

// Reads a descriptor, a struct in the memory of this process with all that it points to. It is trusted, as a linker made it; except for
// pointers that are NULL, which it may have everywhere. All of it must live as long as the bundle.
//
// MEZ_ERRC_INVALID_IMAGE: a version that is not known, an array whose end lies before its start, or a property whose size is
// wrong, with the number of the image. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_bundle_from_descriptor(const void *descriptor, mez_bundle **bundle);

// What the two-argument form of __sycl_register_lib was given: some callers give the size, some the end. 0: neither makes sense.
size_t mez_offload_registered_size(const void *start, uintptr_t size_or_end);

#endif
