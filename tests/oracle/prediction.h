// SPDX-License-Identifier: MIT
//
// What we say of the kernels of a module, before any compiler is asked.
//
// Thread-safety: one thread.

#ifndef MEZ_TESTS_ORACLE_PREDICTION_H
#define MEZ_TESTS_ORACLE_PREDICTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEVICES = 8 };

// What ocloc calls them. The first has no doubles, and every kernel is compiled for it.
extern const char *const device_names[DEVICES];
bool device_has_doubles(size_t device);

// Does this generation of the compiler know the device? Others are left out of everything.
bool device_is_known(size_t device);

// Chooses the generation that all verdicts are for: that of a driver of this version, as "22.43.24595". False: it is not a version.
bool choose_compiler(const char *driver_version);

struct prediction {
    char *name;      // "fp64_O2: copied"; ours
    uint32_t *words; // a module with nothing but this kernel; ours
    uint32_t word_count;
    bool knows_vectors;     // of doubles: the type is in the module, used or not
    bool is_vector_compute; // to be compiled by another back end
    // By device, enum subject: why it can't run the kernel, 0: it can; of that, what stands behind ABOUT_DECLARED, which code may
    // ask for, too; and what we would warn of.
    unsigned refused[DEVICES], declared[DEVICES], doubted[DEVICES];
};

struct predictions {
    struct prediction *items;
    size_t count, room;
};

// Adds all kernels of the module in the file. False, with a message: it can't be read.
bool predict_module(const char *path, struct predictions *predictions);

void predictions_finish(struct predictions *predictions);

#endif
