// SPDX-License-Identifier: MIT
//
// A folder with a cache, and a compiler that counts how often it is started.

#ifndef MEZ_TESTS_UNIT_SOURCE_FIXTURE_H
#define MEZ_TESTS_UNIT_SOURCE_FIXTURE_H

#include "unit.h"

#include "source/source.h"

typedef struct fixture {
    char folder[64];  // the process is in it
    mez_cache *cache; // in it, too
} fixture;

// For cmocka: *state is a fixture.
int fixture_setup(void **state);
int fixture_teardown(void **state);

// How often clang was started since the last call.
unsigned starts(const fixture *f);

// Writes a file, and lets it grow older than what begins afterwards.
void write_text(const char *path, const char *text);

#endif
