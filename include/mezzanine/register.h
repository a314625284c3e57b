// SPDX-License-Identifier: MIT
//
// Lists the device images that are part of a program. This header belongs to a separate library,
// libmezzanine-register, which exports the same names as SYCL runtimes; <mezzanine/mezzanine.h>
// does not include it.
//
// Objects that DPC++ or clang have compiled with -fsycl call __sycl_register_lib before main (or
// when a library is opened) and __sycl_unregister_lib at the end. If -lmezzanine-register is linked
// instead of a SYCL runtime, it keeps these images in a list. Images are not read or copied until a
// program asks for them. Don't link it together with a SYCL runtime, because the linker would
// decide which of the two gets the images.
//
// Thread-safety: safe, also from constructors that run before main. What a record points to belongs
// to the program or library that has registered it, and is valid as long as that is loaded.

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
    uint64_t number;      // of the registration, from 1; never used twice
    uint64_t reserved[4]; // zero: mezzanine/base.h
} mez_registered;

// Writes at most `room` records, in the order of registration, and returns how many there are.
MEZ_API size_t mez_registered_list(mez_registered *records, size_t room);

// Finds the newest registration that has an image with this kernel. False: there is none, or there
// is no memory. Images without a list of kernels are not found.
MEZ_API bool mez_registered_find(const char *kernel, mez_registered *record);

MEZ_END

#endif
