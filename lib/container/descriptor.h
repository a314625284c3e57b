// SPDX-License-Identifier: MIT
//
// Device images that a program carries in itself and registers when it starts: DPC++'s descriptors, and LLVM's offload binaries, which
// come through a function of the same name. lib/register has that function.

#ifndef MEZ_CONTAINER_DESCRIPTOR_H
#define MEZ_CONTAINER_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>

#include "container/bundle.h"

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

// --- Structs
//
// The structs through which code that DPC++ has compiled registers its device images, as they lie in memory on 64-bit hosts. They
// have had three versions; the number stands in each image, and the published runtime has never looked at it.

typedef struct mez_dpcpp_property {
    const char *name;
    const void *value; // UINT32: NULL
    uint32_t type;     // as mez_property_type
    // UINT32: the value; BYTES: with the 8 bytes before them that hold their size in bits.
    uint64_t size;
} mez_dpcpp_property;

typedef struct mez_dpcpp_set {
    const char *name;
    const mez_dpcpp_property *begin, *end;
} mez_dpcpp_set;

// Of an entry point, up to 2024.
typedef struct mez_dpcpp_entry_old {
    const void *address;
    const char *name;
    uint64_t size;
    int32_t flags, reserved;
} mez_dpcpp_entry_old;

// From 2025 on. An old one would have a name at address 0x80001.
typedef struct mez_dpcpp_entry {
    uint64_t reserved; // 0
    uint16_t version;  // 1
    uint16_t kind;     // 8
    uint32_t flags;    // 0
    const void *address;
    const char *name;
    uint64_t size, data;
    const void *auxiliary;
} mez_dpcpp_entry;

#define MEZ_DPCPP_ENTRY_VERSION 1
#define MEZ_DPCPP_ENTRY_KIND 8

// What all versions of an image begin with.
typedef struct mez_dpcpp_image {
    uint16_t version;
    uint8_t kind;   // 4: SYCL
    uint8_t format; // as mez_code_format, and 4: packed by zstd
    const char *target;
    const char *compile_options;
    const char *link_options;
} mez_dpcpp_image;

#define MEZ_DPCPP_PACKED 4
#define MEZ_DPCPP_NEWEST_IMAGE 3

// And end with.
typedef struct mez_dpcpp_contents {
    const uint8_t *code_begin, *code_end;
    const void *entries_begin, *entries_end;
    const mez_dpcpp_set *sets_begin, *sets_end;
} mez_dpcpp_contents;

// Versions 1 and 2.
typedef struct mez_dpcpp_image_2 {
    mez_dpcpp_image image;
    const char *manifest_begin, *manifest_end;
    mez_dpcpp_contents contents;
} mez_dpcpp_image_2;

// Version 3 has no manifest.
typedef struct mez_dpcpp_image_3 {
    mez_dpcpp_image image;
    mez_dpcpp_contents contents;
} mez_dpcpp_image_3;

typedef struct mez_dpcpp_descriptor {
    uint16_t version; // 1
    uint16_t count;
    const void *images; // behind each other
    const void *host_entries_begin, *host_entries_end;
} mez_dpcpp_descriptor;

#define MEZ_DPCPP_DESCRIPTOR_VERSION 1

_Static_assert(sizeof(void *) == 8, "Level Zero's hosts have 64 bits");
_Static_assert(sizeof(mez_dpcpp_property) == 32, "a property");
_Static_assert(offsetof(mez_dpcpp_property, size) == 24, "a property's size");
_Static_assert(sizeof(mez_dpcpp_set) == 24, "a property set");
_Static_assert(sizeof(mez_dpcpp_entry_old) == 32, "an old entry");
_Static_assert(sizeof(mez_dpcpp_entry) == 56, "an entry");
_Static_assert(offsetof(mez_dpcpp_entry, name) == 24, "an entry's name");
_Static_assert(sizeof(mez_dpcpp_image_2) == 96, "an image of version 2");
_Static_assert(offsetof(mez_dpcpp_image_2, contents) == 48, "its code");
_Static_assert(sizeof(mez_dpcpp_image_3) == 80, "an image of version 3");
_Static_assert(offsetof(mez_dpcpp_image_3, contents) == 32, "its code");
_Static_assert(sizeof(mez_dpcpp_descriptor) == 32, "a descriptor");

#endif
