// SPDX-License-Identifier: MIT
//
// What the scripted engine and the tests that use it agree on.
#ifndef ZE_CPU_TESTS_SCRIPTED_ENGINE_H
#define ZE_CPU_TESTS_SCRIPTED_ENGINE_H

#include <stdint.h>

#define SCRIPTED_HEADER_SIZE 20
#define SCRIPTED_VARIABLE_VALUE 0x1234
// How its native binaries begin.
#define SCRIPTED_NATIVE "SCRIPTED"

// What kernel "describe" reports about its launch.
struct scripted_description {
    uint64_t thread;
    uint64_t local_offset;
    uint32_t local_memory_size;
    uint32_t dimensions;
    uint64_t group_count[3];
};

#endif
