// SPDX-License-Identifier: MIT
//
// Intel's compiler, asked through ocloc: one process for each question, because it exits on input that it does not
// like, two at a time.
//
// Thread-safety: one thread.

#ifndef MEZ_TESTS_ORACLE_COMPILER_H
#define MEZ_TESTS_ORACLE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

struct compilation {
    // What is asked: these bytes, borrowed, for this device, as ocloc calls it.
    const void *bytes;
    size_t size;
    const char *device;
    const char *options; // of the build, as "-vc-codegen"; NULL: none
    bool look_inside;    // fill in `has_double_instructions`

    // The answer.
    bool builds;
    unsigned about; // where it does not: enum subject
    char message[160];
    bool has_double_instructions; // in the machine code of any kernel
};

// The version of the driver that ocloc belongs to, as "22.43.24595". False: it does not say, and a message does.
enum { VERSION_ROOM = 64 };
bool read_driver_version(const char *ocloc, char version[VERSION_ROOM]);

// Asks all of them. False: ocloc can't be started, or files can't be written; a message says so.
bool compile_all(const char *ocloc, struct compilation *compilations, size_t count);

#endif
