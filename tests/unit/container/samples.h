// SPDX-License-Identifier: MIT
//
// Valid containers of every form, made here: for unit tests, and as seeds for the fuzz targets.

#ifndef MEZ_TESTS_CONTAINER_SAMPLES_H
#define MEZ_TESTS_CONTAINER_SAMPLES_H

#include "base/bytes.h"
#include "container/bundle.h"

// Bundles to be written: the kernels of one module as SPIR-V and as native code with properties, then another SPIR-V module.
mez_bundle *sample_bundle(void);

// Without properties, as OffloadBinary has no place for them.
mez_bundle *sample_plain_bundle(void);

typedef struct sample {
    const char *name; // of a file
    void (*make)(mez_bytes *bytes);
    size_t binaries; // that a reader finds in it
} sample;

extern const sample samples[];
extern const size_t sample_count;

// The bytes of a sample by its name; ends the program where there is none.
mez_bytes make_sample(const char *name);

#endif
