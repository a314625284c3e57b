// SPDX-License-Identifier: MIT
//
// Property sets: what a toolchain states for the runtime about device code, beside the code. Named sets of named, typed values, all in
// the order in which they came. Names and types that nobody here knows are kept and written again.
//
// What "SYCL/device requirements" means is in device_requirements.h.
//
// Thread-safety: none; what is only read may be read by many threads.

#ifndef MEZ_CONTAINER_PROPERTIES_H
#define MEZ_CONTAINER_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/vector.h"

// Names of the sets that the library looks into; the published name of each.
#define MEZ_SET_DEVICE_REQUIREMENTS "SYCL/device requirements"
#define MEZ_SET_MISC "SYCL/misc properties"
#define MEZ_SET_KERNEL_NAMES "SYCL/kernel names"
#define MEZ_SET_EXPORTED_SYMBOLS "SYCL/exported symbols"
#define MEZ_SET_IMPORTED_SYMBOLS "SYCL/imported symbols"
#define MEZ_SET_ASSERT_USED "SYCL/assert used"
#define MEZ_SET_ASSERT_ENABLED "isAssertEnabled" // the older design: its presence is all it says
#define MEZ_SET_DEVICELIB_MASK "SYCL/devicelib req mask"
#define MEZ_SET_SYCLBIN_GLOBAL "SYCLBIN/global metadata"
#define MEZ_SET_SYCLBIN_IR "SYCLBIN/ir module metadata"
#define MEZ_SET_SYCLBIN_NATIVE "SYCLBIN/native device code image metadata"

// The numbers are those of the file forms; other ones are kept, as bytes.
typedef enum mez_property_type {
    MEZ_PROPERTY_UINT32 = 1,
    MEZ_PROPERTY_BYTES = 2,  // whose size is stated in bits
    MEZ_PROPERTY_STRING = 3, // only in memory: the text tools write strings as BYTES
} mez_property_type;

typedef struct mez_property {
    char *name;
    uint32_t type;   // a mez_property_type, or a number that we do not know
    uint32_t number; // UINT32: the value; else 0
    uint8_t *bytes; // all other types: the value; NULL: none. A NUL that counts for nothing follows
    size_t size;    // of it, in bytes
    uint64_t bits;  // BYTES: as stated, 8 * size at most, and more than 8 * (size - 1); else 0
} mez_property;

typedef struct mez_property_set {
    char *name;
    MEZ_NAMED(mez_property) properties;
} mez_property_set;

// Zeroed memory has no sets. What the pointers lead to belongs to it; sets and properties move when something is added.
typedef MEZ_NAMED(mez_property_set) mez_properties;

// Frees what it holds and leaves it empty.
void mez_properties_finish(mez_properties *properties);

// NULL: there is none of that name. Only who fills the sets may change what is found.
mez_property_set *mez_properties_find_set(const mez_properties *properties, const char *set);
mez_property *mez_property_set_find(const mez_property_set *set, const char *name);

// As the two together.
const mez_property *mez_properties_find(
    const mez_properties *properties, const char *set, const char *name);

// The UINT32 of that name; `otherwise` where there is none, or one of another type.
uint32_t mez_properties_get_number(
    const mez_properties *properties, const char *set, const char *name, uint32_t otherwise);

// --- Adding. A set comes into being with its first property, or by itself; the same name again replaces the value and keeps its
// place, as in the published tools. Everything is copied. Each may fail with MEZ_ERRC_OUT_OF_HOST_MEMORY, and then has changed
// nothing but perhaps added an empty set; names are never refused here (writers do that).

mez_error mez_properties_add_set(mez_properties *properties, const char *set);

mez_error mez_properties_add_number(
    mez_properties *properties, const char *set, const char *name, uint32_t value);

mez_error mez_properties_add_bytes(
    mez_properties *properties, const char *set, const char *name, const void *bytes, size_t size);

// BYTES of (bits + 7) / 8 bytes.
mez_error mez_properties_add_bits(mez_properties *properties, const char *set, const char *name,
    const void *bytes, uint64_t bits);

// BYTES with these numbers, little-endian.
mez_error mez_properties_add_numbers(mez_properties *properties, const char *set, const char *name,
    const uint32_t *values, size_t count);
mez_error mez_properties_add_numbers64(mez_properties *properties, const char *set,
    const char *name, const uint64_t *values, size_t count);

// BYTES with the text, without its NUL: how the text tools keep strings.
mez_error mez_properties_add_text(
    mez_properties *properties, const char *set, const char *name, const char *text);

// Any type but UINT32, for readers: a STRING, or a type that we do not know.
mez_error mez_properties_add_other(mez_properties *properties, const char *set, const char *name,
    uint32_t type, const void *bytes, size_t size);

// A copy of a property under its own name.
mez_error mez_properties_add_copy(
    mez_properties *properties, const char *set, const mez_property *property);

// Copies of all sets of `from` whose names begin with `prefix` (NULL: of all).
mez_error mez_properties_add_all(
    mez_properties *properties, const mez_properties *from, const char *prefix);

// False: there was none.
bool mez_properties_remove_set(mez_properties *properties, const char *set);

// The same type and value? Names do not count.
bool mez_property_equal(const mez_property *a, const mez_property *b);

// --- The text form
//
// The text form of property sets, as sycl-post-link and its neighbours write it (.prop files, and the metadata of SYCLBIN):
//
//     [SYCL/device requirements]
//     aspects=2|gBAAAAAAAAAAAAAAJAAAAwAAAAA
//     reqd_sub_group_size=1|32
//
// A set's name stands between the first '[' and the last ']' of its line; a property's line is split at its first '=' and the
// rest at its first '|'. Types: 1 a decimal number, 2 bytes. Blank lines are skipped, there are no comments, blanks count.
//
// Bytes are in a base64 of their own: the usual letters, but groups of six bits from the lowest on, and no padding. Before them
// stand 8 bytes, little-endian: how many *bits* follow.

// Adds what the text says to `properties`. `source` names it in messages.
//
// MEZ_ERRC_INVALID_IMAGE, with source, line and the published tools' words:
//   "invalid line"                    a '[' without ']', or a NUL
//   "property category missing"       a property before the first set
//   "invalid property line"           no '=', or nothing on one of its sides
//   "invalid property value"          no '|', nothing on one of its sides, not a number, a damaged array
//   "invalid property type"           not a number, or 0
//   "invalid property set registry"   no set at all: an empty file is one that was cut short
// MEZ_ERRC_OUT_OF_HOST_MEMORY. After an error `properties` is as it was before or has some of it more: to be thrown away.
//
// Type 3, which is a string in memory and which no tool writes, is taken as the bytes of its text; types from 4 on are kept with
// their text as it stands.
mez_error mez_prop_read(
    const char *text, size_t size, const char *source, mez_properties *properties);

// The file of that path. MEZ_ERRC_FILE besides.
mez_error mez_prop_load(const char *path, mez_properties *properties);

// Adds the text to `bytes`. What mez_prop_read makes of it is equal, except for strings: they are written as bytes, as the published
// tools do.
//
// MEZ_ERRC_INVALID_PARAMETER where the text form can't say it: a name with '=' or a line break, a set's name with a line break.
mez_error mez_prop_write(const mez_properties *properties, mez_bytes *bytes);

#endif
