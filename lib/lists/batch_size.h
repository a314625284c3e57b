// SPDX-License-Identifier: MIT
//
// How many tasks a batch shall hold. A large batch costs the host less for each task, and lets the device wait longer for the
// first one. So the size follows what happens: it doubles while batches fill up before the device has run out of work, and
// halves while they are ended early because somebody waits.

#ifndef MEZ_LISTS_BATCH_SIZE_H
#define MEZ_LISTS_BATCH_SIZE_H

#include "base/check.h"

#define MEZ_SMALLEST_BATCH 4
#define MEZ_LARGEST_ADAPTED_BATCH 64

typedef struct mez_batch_size {
    uint32_t tasks; // in a batch
    bool
        fixed; // chosen by the user: nothing changes it, and an idle device does not end a batch early
    int trend; // full batches, or those ended early as a negative number, one after the other
} mez_batch_size;

// From MEZ_BATCH, else the smallest, to be adapted. MEZ_ERRC_INVALID_PARAMETER: a value without meaning.
mez_error mez_batch_size_init(mez_batch_size *size);

// Exactly one task in each batch.
void mez_batch_size_fix_one(mez_batch_size *size);

// A batch was full; `busy`: the device had work all the while.
void mez_batch_size_full(mez_batch_size *size, bool busy);

// A batch of so many tasks went to the device because somebody waits.
void mez_batch_size_early(mez_batch_size *size, uint32_t tasks);

#endif
