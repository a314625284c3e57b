// SPDX-License-Identifier: MIT
//
// A program of this version, or, with GROWN, of a later one, which uses a member that each struct has got since. The library is of
// either version. Each struct of GROWN_STRUCTS has to be used in one of the two ways below, or the program fails.

#ifndef MEZ_TESTS_GROWTH_GROWTH_H
#define MEZ_TESTS_GROWTH_GROWTH_H

#include <mezzanine/level_zero.h>
#include <mezzanine/mezzanine.h>
#include <mezzanine/toolchain.h>

#include <string.h>

#ifdef GROWN
#define LATER .grown = 1,
#define NEWEST(params) ((params).grown)
#else
#define LATER
#define NEWEST(params) UINT64_C(0)
#endif

// Set by the first argument: the library does not know the later members.
extern bool refused;

void check(bool right, const char *what);
void expect_ok(mez_error error, const char *what);

// A call that was given a struct of this type with its newest member. True: it was taken. An older library refuses it, and its story
// names the struct.
bool is_taken(mez_error error, const char *type);

// Memory for a struct that the library fills, and bytes behind it that the library must leave alone.
enum { GUARDS = 8, GUARD = 0x5a };

#define GUARDED(type)                \
    struct {                         \
        type it;                     \
        unsigned char guard[GUARDS]; \
    }

void check_guard(const unsigned char guard[GUARDS], const char *type);

// A struct that the library has filled: what it does not know of is zero.
void check_filled(
    const char *type, uint64_t newest, const uint64_t *reserved, size_t reserved_count);
#define CHECK_FILLED(type, params)                         \
    check_filled(#type, NEWEST(params), (params).reserved, \
        sizeof(params).reserved / sizeof *(params).reserved)

// Checks that every struct was used, prints the counts, and returns the exit code.
int finish(void);

// The half of the library that needs no Level Zero, and the one that keeps registrations.
void use_toolchain(const char *kernels, const char *targets, const char *output);
void use_registrations(void);

#endif
