// SPDX-License-Identifier: MIT
//
// The device images that a program carries in itself. This header belongs to a library of its own,
// libmezzanine-register, because that library exports names which SYCL runtimes export too;
// <mezzanine/mezzanine.h> does not include it.
//
// Objects that DPC++ or clang have compiled with -fsycl call __sycl_register_lib before main (or
// when a library is opened) and __sycl_unregister_lib at the end. Link -lmezzanine-register in the
// place of a SYCL runtime, and the images are kept in a list that can be asked here. Nothing is
// read or copied until you ask. Don't link it beside a SYCL runtime: which of the two gets the
// images is then up to the linker.
//
// Thread-safety: safe, also from constructors that run before main. What a record points to belongs
// to the program or library that has registered it, and goes with it.

#ifndef MEZZANINE_REGISTER_H
#define MEZZANINE_REGISTER_H

#include <mezzanine/base.h>

MEZ_BEGIN

typedef enum mez_registered_form {
    MEZ_REGISTERED_DESCRIPTOR = 1, // DPC++'s struct, with all that it points to
    MEZ_REGISTERED_OFFLOAD = 2,    // LLVM's OffloadBinary: bytes
} mez_registered_form;

typedef struct mez_registered {
    mez_registered_form form;
    const void *start;
    size_t size;          // in bytes; 0 for a descriptor, which has its own counts
    uint64_t number;      // of the registration, from 1 on; never used again
    uint64_t reserved[4]; // zero: mezzanine/base.h
} mez_registered;

// Writes as many records as there is room for, in the order in which they came, and returns how
// many there are.
MEZ_API size_t mez_registered_list(mez_registered *records, size_t room);

// The newest registration with an image that names the kernel. False: there is none, or memory is
// short; images without any list of kernels are not found by name.
MEZ_API bool mez_registered_find(const char *kernel, mez_registered *record);

MEZ_END

#endif
