// SPDX-License-Identifier: MIT
//
// Variables that are lists of numbers. Drivers ignore elements that they can't read, without a message.
//
// Thread-safety: safe.

#ifndef DOCTOR_MASK_H
#define DOCTOR_MASK_H

#include <stdbool.h>
#include <stddef.h>

// Where a list can't be read.
struct bad_item {
    const char *text; // in the list
    int length;
};

// ZE_AFFINITY_MASK: "0", "1.0", "0,2.1". False: *bad is the first item that is none.
bool mask_is_good(const char *mask, struct bad_item *bad);

// ZEX_NUMBER_OF_CCS: "0:4,1:2", a device and how many compute engines it shall show: 1, 2 or 4. False: as above.
bool engine_counts_are_good(const char *list, struct bad_item *bad);

#endif
