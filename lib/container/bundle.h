// SPDX-License-Identifier: MIT
//
// The one model of device code, whatever container it came in: a bundle of binaries. A binary is one module of code for one
// target, with its property sets. Recognised by content, never by a file's name:
//
//   raw SPIR-V             one binary
//   native binary          one binary: what a driver takes as it is (zebin, patch tokens, ocloc's archives)
//   LLVM bitcode           one binary, that nothing here can run: using it gives the advice to translate it
//   file table (.table)    one binary per row, with its .prop and .sym (mez_bundle_load only)
//   SYCLBIN                one binary per IR module and native image; those of one abstract module share a number
//   LLVM OffloadBinary     one binary per entry; an entry may be any of the others; several may follow each other
//   zstd                   what is in it
//   registered structs     one binary per image; see descriptor.h
//
// Nothing looks into the code here: requirements are judged by the properties first. mez_binary_unpack unpacks it if need be.
//
// Thread-safety: none; what is only read may be read by many threads.

#ifndef MEZ_CONTAINER_BUNDLE_H
#define MEZ_CONTAINER_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aspect/aspect.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/vector.h"
#include "container/properties.h"

// The numbers are those of registered images.
typedef enum mez_code_format {
    MEZ_CODE_UNKNOWN = 0, // a packed binary that has not said so, or nothing that we know
    MEZ_CODE_NATIVE = 1,
    MEZ_CODE_SPIRV = 2,
    MEZ_CODE_LLVM = 3,
} mez_code_format;

typedef enum mez_container {
    MEZ_CONTAINER_RAW, // code and nothing else
    MEZ_CONTAINER_TABLE,
    MEZ_CONTAINER_SYCLBIN,
    MEZ_CONTAINER_OFFLOAD,
    MEZ_CONTAINER_REGISTERED,
} mez_container;

// Everything that a pointer here leads to belongs to the bundle, or to the caller whose bytes it was made from.
typedef struct mez_binary {
    mez_code_format format; // of the code when it is unpacked
    bool packed;            // zstd: mez_binary_unpack before the code is used
    const uint8_t *code;    // any alignment; NULL where code_size is 0
    size_t code_size;

    const char *target;          // "spir64", "intel_gpu_tgllp", a triple ...; "": not said
    const char *arch;            // of what is compiled for one device, "pvc"; "": not said
    const char *compile_options; // "": none
    const char *link_options;    // "": none
    mez_properties properties;

    // The entry points, where the container lists them, in its order and without doubles.
    bool lists_kernels;
    const char **kernels;
    size_t kernel_count;

    // SYCLBIN: the number of the abstract module; binaries with the same one are choices, of which one is needed. Elsewhere each
    // binary has its own.
    uint32_t module;

    // For messages: "app.syclbin: IR module 3". Never NULL.
    const char *source;
} mez_binary;

typedef struct mez_bundle {
    mez_container container; // the outermost; SYCLBIN also where an OffloadBinary is around it
    mez_binary *binaries;
    size_t count;
    mez_properties properties; // of all of it: SYCLBIN's global metadata; else empty

    size_t capacity; // of binaries
    // How the properties of its binaries are written; zero: as the real tools write them.
    mez_aspect_numbering numbering;
    bool doc_forms;

    MEZ_VECTOR(void *) memory; // what was allocated for the pointers above
    uint32_t modules;          // numbers of modules that have been given
    size_t budget;             // bytes that reading it may still copy
    uint64_t unpacked;         // bytes that have been unpacked, of code, too
    uint64_t unpack_limit;     // how many of them there may be
} mez_bundle;

// Reads what the bytes hold. They stay the caller's and must live as long as the bundle. `source` names them in messages, and is
// copied.
//
// MEZ_ERRC_INVALID_IMAGE says what is wrong, and where: nothing that is known (with a guess at what it is), a damaged container
// (with the offset and the field), or a file table, which names files and so needs mez_bundle_load.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
//
// All that is packed in it may take `unpack_limit` bytes when it is unpacked, as a small file can unpack to anything. 0: what
// MEZ_UNPACK_LIMIT says; MEZ_ERRC_INVALID_PARAMETER if that is not a size.
mez_error mez_bundle_read_within(
    const void *bytes, size_t size, const char *source, uint64_t unpack_limit, mez_bundle **bundle);

static inline mez_error mez_bundle_read(
    const void *bytes, size_t size, const char *source, mez_bundle **bundle)
{
    return mez_bundle_read_within(bytes, size, source, 0, bundle);
}

// The same for a file, which the bundle keeps; for a file table, the files that it names too. A text file is a table if its name
// ends in ".table" or it begins with a line of titles. MEZ_ERRC_FILE besides, with the row that names the file.
mez_error mez_bundle_load_within(const char *path, uint64_t unpack_limit, mez_bundle **bundle);

static inline mez_error mez_bundle_load(const char *path, mez_bundle **bundle)
{
    return mez_bundle_load_within(path, 0, bundle);
}

// Sets the limit of a bundle: 0 is what MEZ_UNPACK_LIMIT says.
mez_error mez_bundle_limit(mez_bundle *bundle, uint64_t unpack_limit);

// Sets *bundle to NULL; NULL inside is fine.
void mez_bundle_destroy(mez_bundle **bundle);

// Makes the code ready to be used: unpacks it where it is packed, and looks what it is. Doing so again does nothing. To be called by
// one thread at a time for each bundle.
//
// MEZ_ERRC_INVALID_IMAGE: damaged, more than the bundle may unpack to, nothing that is known, or LLVM bitcode, with what to do with it.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. After an error the binary is as it was.
mez_error mez_binary_unpack(mez_bundle *bundle, mez_binary *binary);

#define MEZ_UNPACK_DEFAULT_LIMIT (UINT64_C(256) << 20)

// What the bytes are, by how they begin; MEZ_CODE_UNKNOWN: none of them.
mez_code_format mez_code_recognise(const void *bytes, size_t size);

// "SPIR-V", "native", "LLVM bitcode", "unknown". Static.
const char *mez_code_format_name(mez_code_format format);

// The symbols that the binary offers to others and wants of them, as its properties list them; NULL: none.
static inline const mez_property_set *mez_binary_exports(const mez_binary *binary)
{
    return mez_properties_find_set(&binary->properties, MEZ_SET_EXPORTED_SYMBOLS);
}

static inline const mez_property_set *mez_binary_imports(const mez_binary *binary)
{
    return mez_properties_find_set(&binary->properties, MEZ_SET_IMPORTED_SYMBOLS);
}

// The device that native code was compiled for, as its property "compile_target" or the container says: "intel_gpu_pvc", "pvc",
// "12.60.7". "": nothing says it, or several are named.
const char *mez_binary_compiled_for(const mez_binary *binary);

// The same, with what else may say it: containers that have no place for a device, or leave it empty, may name one in place of the
// format. That may also be "spir64_gen", which is no device.
static inline const char *mez_binary_native_target(const mez_binary *binary)
{
    const char *device = mez_binary_compiled_for(binary);
    return device[0] ? device : binary->target;
}

// Does the list of kernels name it? False also where there is no list.
bool mez_binary_has_kernel(const mez_binary *binary, const char *name);

// --- Filling a bundle
//
// What the readers of containers share.

// Bytes of a container, or of a part of one.
typedef struct mez_container_bytes {
    const uint8_t *bytes;
    size_t size;
    const char *source; // what it is called in messages
    unsigned depth;     // how many containers are around it
} mez_container_bytes;

// Containers in containers: more than any tool makes.
#define MEZ_DEEPEST_CONTAINER 4

mez_bundle *mez_bundle_create(mez_container container);

// A place of a container is where its damage is.
mez_error mez_bundle_damaged(
    const mez_container_bytes *span, uint64_t offset, const char *format, ...) MEZ_PRINTF(3, 4);

// Where several parts of a container may refer to the same bytes, a small one could make the reader copy without end. Each copy is
// paid for; MEZ_ERRC_INVALID_IMAGE when the container has used up what any sensible one of its size needs.
mez_error mez_bundle_pay(mez_bundle *bundle, const mez_container_bytes *span, size_t bytes);

// Unpacks zstd data, as much as the bundle may still take.
//
// MEZ_ERRC_INVALID_IMAGE: damaged, or more than that; the story says how to raise the limit. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_bundle_unpack_bytes(
    mez_bundle *bundle, const mez_container_bytes *packed, mez_bytes *unpacked);

// The same with data of a container itself, given to the bundle.
mez_error mez_bundle_unpack(
    mez_bundle *bundle, const mez_container_bytes *packed, mez_container_bytes *unpacked);

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
mez_error mez_bundle_add(mez_bundle *bundle, const mez_container_bytes *span, mez_binary **binary);

// Adds whatever the bytes hold: the recogniser.
mez_error mez_bundle_read_span(mez_bundle *bundle, const mez_container_bytes *span);

// Sets the list of kernels; `names` are copied, doubles left out.
mez_error mez_binary_set_kernels(
    mez_bundle *bundle, mez_binary *binary, const char *const *names, size_t count);

// The list of kernels from the set "SYCL/kernel names", where there is one.
mez_error mez_binary_take_kernel_names(mez_bundle *bundle, mez_binary *binary);

// Reads the text of property sets; an empty text has none.
mez_error mez_bundle_read_properties(
    mez_bundle *bundle, const mez_container_bytes *span, mez_properties *properties);

#endif
