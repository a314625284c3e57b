// SPDX-License-Identifier: MIT
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

#ifndef MEZ_CONTAINER_PROP_H
#define MEZ_CONTAINER_PROP_H

#include "base/bytes.h"
#include "container/properties.h"

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
