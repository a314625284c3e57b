// SPDX-License-Identifier: MIT
//
// LLVM's OffloadBinary, versions 1 to 3 (llvm/Object/OffloadBinary.h): images with a map of strings each. Version 1 holds one
// image, later ones several; version 3 may be packed behind its header. Several may follow each other, as a linker puts them.
//
//   header   magic 10 FF 10 AD, u32 version, u64 size, u64 offset of the entries, u64 their count (version 1: the entry's size),
//            version 3: u64 size when unpacked, 0: not packed
//   entry    u16 image kind, u16 offload kind, u32 flags, u64 offset and number of strings, u64 offset and size of the image
//   string   u64 offset of the key, u64 offset of the value, from version 2 on u64 size of the value
//
// SYCLBIN in its second version is an OffloadBinary whose entries play roles; see syclbin.h.

#ifndef MEZ_CONTAINER_OFFLOAD_H
#define MEZ_CONTAINER_OFFLOAD_H

#include "base/bytes.h"
#include "container/bundle.h"

#define MEZ_OFFLOAD_NEWEST 3

typedef enum mez_offload_image_kind {
    MEZ_OFFLOAD_NONE = 0, // not said
    MEZ_OFFLOAD_OBJECT = 1,
    MEZ_OFFLOAD_BITCODE = 2,
    MEZ_OFFLOAD_SPIRV = 6,
    MEZ_OFFLOAD_SYCLBIN = 7,
} mez_offload_image_kind;

#define MEZ_OFFLOAD_SYCL 8 // the offload kind

#define MEZ_OFFLOAD_METADATA 1 // the flag of an entry without an image

// Keys of strings.
#define MEZ_KEY_TRIPLE "triple"
#define MEZ_KEY_ARCH "arch"
#define MEZ_KEY_SYMBOLS "symbols"
#define MEZ_KEY_COMPILE_OPTIONS "compile-opts"
#define MEZ_KEY_LINK_OPTIONS "link-opts"

typedef struct mez_offload_string {
    const char *key;
    const void *value; // any bytes; no NUL at its end
    size_t size;
} mez_offload_string;

typedef struct mez_offload_entry {
    uint16_t image_kind;
    uint16_t offload_kind;
    uint32_t flags;
    mez_offload_string *strings;
    size_t string_count;
    const uint8_t *image;
    size_t image_size;
} mez_offload_entry;

// One OffloadBinary. Keys, values and images are the bytes that were read, or the bundle's.
typedef struct mez_offload {
    uint32_t version;
    mez_offload_entry *entries;
    size_t count;
    size_t size; // of it where it was read, packed or not
} mez_offload;

bool mez_offload_recognise(const void *bytes, size_t size);

// Reads the first one of the span. What is unpacked for it belongs to the bundle.
// MEZ_ERRC_INVALID_IMAGE with offset and field, MEZ_ERRC_OUT_OF_HOST_MEMORY; then there is nothing to finish.
mez_error mez_offload_read(
    mez_bundle *bundle, const mez_container_bytes *span, mez_offload *offload);

void mez_offload_finish(mez_offload *offload);

// The value of a key; NULL: none.
const mez_offload_string *mez_offload_find(const mez_offload_entry *entry, const char *key);

// How it is written. Zero: the newest version, not packed.
typedef struct mez_offload_writing {
    uint32_t version; // 0: the newest
    bool pack;        // by zstd; from version 3 on
} mez_offload_writing;

// MEZ_ERRC_INVALID_PARAMETER: no entry, several for version 1, a version that does not exist, packing an old one, a value with a NUL
// for version 1, which states no sizes. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_offload_write(const mez_offload_entry *entries, size_t count,
    const mez_offload_writing *writing, mez_bytes *bytes);

// All that the span holds, into the bundle: SYCLBIN where it is one, else a binary per entry.
mez_error mez_bundle_read_offload(mez_bundle *bundle, const mez_container_bytes *span);

// --- Sizes

#define MEZ_OFFLOAD_MAGIC "\x10\xFF\x10\xAD"
#define MEZ_OFFLOAD_HEADER_SIZE 32
#define MEZ_OFFLOAD_HEADER_3_SIZE 40 // version 3
#define MEZ_OFFLOAD_ENTRY_SIZE 40
#define MEZ_OFFLOAD_STRING_1_SIZE 16 // version 1
#define MEZ_OFFLOAD_STRING_SIZE 24
#define MEZ_OFFLOAD_ALIGNMENT 8

#endif
