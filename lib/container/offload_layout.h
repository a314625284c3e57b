// SPDX-License-Identifier: MIT
//
// Sizes in OffloadBinary; offload.h has the fields.

#ifndef MEZ_CONTAINER_OFFLOAD_LAYOUT_H
#define MEZ_CONTAINER_OFFLOAD_LAYOUT_H

#define MEZ_OFFLOAD_MAGIC "\x10\xFF\x10\xAD"
#define MEZ_OFFLOAD_HEADER_SIZE 32
#define MEZ_OFFLOAD_HEADER_3_SIZE 40 // version 3
#define MEZ_OFFLOAD_ENTRY_SIZE 40
#define MEZ_OFFLOAD_STRING_1_SIZE 16 // version 1
#define MEZ_OFFLOAD_STRING_SIZE 24
#define MEZ_OFFLOAD_ALIGNMENT 8

#endif
