// SPDX-License-Identifier: MIT
//
// How the library makes errors and passes them on, and what is known of their codes.
//
//     return mez_error_make(MEZ_ERRC_ND_RANGE, "kernel \"%s\": the range has a zero", name);
//
// A story starts where the failure was seen and grows as the error travels up: each caller adds what it knows. It is
// never replaced. When memory is short the code still travels; only the words are missing.
//
// Thread-safety: safe. A story is written by the thread that holds the error until the error is handed to the user.

#ifndef MEZ_BASE_ERROR_H
#define MEZ_BASE_ERROR_H

#include <mezzanine/error.h>

#include "base/text.h"

// Stories kept beside the retained ones; the oldest gives way.
#define MEZ_STORY_SLOTS 256

// An error of the category that the condition belongs to (runtime or device), with its headline: what failed and why, in
// words that name the user's objects.
mez_error mez_error_make(mez_condition condition, const char *format, ...) MEZ_PRINTF(2, 3);

// An error with a driver's own code.
mez_error mez_error_make_native(mez_category category, int32_t value, const char *format, ...)
    MEZ_PRINTF(3, 4);

// MEZ_ERRC_OUT_OF_HOST_MEMORY, naming what it was for.
mez_error mez_error_no_memory(const char *what);

// MEZ_ERRC_INVALID_PARAMETER: a call of `function` at this place, NULL: unknown, has not been given what it needs.
__attribute__((cold)) mez_error mez_error_missing(
    const mez_location *where, const char *function, const char *what);

// MEZ_ERRC_WRONG_STATE: `function` was called at this place, NULL: unknown, in a process without a driver (base/process.h).
__attribute__((cold)) mez_error mez_error_closed(const mez_location *where, const char *function);

// Adds a field, such as ("kernel", "\"%s\" in %s", name, file), and returns the same error. `name` is kept, not copied: a
// literal. Line ends behind the text are dropped. Does nothing for success or where the story has given way.
mez_error mez_error_add(mez_error error, const char *name, const char *format, ...)
    MEZ_PRINTF(3, 4);

// Says what the failure means one level up: the new headline names what was wanted, the old one stays as its cause.
mez_error mez_error_headline(mez_error error, const char *format, ...) MEZ_PRINTF(2, 3);

// Adds the user's place, once: the innermost one stays. NULL and unknown places add nothing.
mez_error mez_error_add_place(mez_error error, const mez_location *where);

// Gives the story a copy of data, for programs, where words are for people; it takes the place of what the story had. Without
// memory nothing changes.
mez_error mez_error_attach(mez_error error, const void *data, size_t size);

// Copies out as much of it as there is room for, and returns how much there is; 0: none.
size_t mez_error_get_attachment(mez_error error, void *data, size_t size);

// Closes the story: whatever is added later is dropped. For an error that many threads are given.
mez_error mez_error_seal(mez_error error);

// Gives up a reference of mez_error_retain because the error goes to the user now. Where newer stories have taken its place,
// the story counts as new again, and the error returned has its new number.
mez_error mez_error_hand_over(mez_error error);

// --- Passing errors on

// Returns from the calling function when `call` fails.
#define MEZ_TRY(call)                                   \
    do {                                                \
        const mez_error try_error = (call);             \
        if (__builtin_expect(mez_failed(try_error), 0)) \
            return try_error;                           \
    } while (0)

// Returns MEZ_ERRC_INVALID_PARAMETER where the pointer is NULL, which a caller of `function`, a string, has handed over. One call, so
// that the calling function has nothing to keep for it.
#define MEZ_REQUIRE_OF(function, pointer, where)                 \
    do {                                                         \
        if (__builtin_expect(!(pointer), 0))                     \
            return mez_error_missing(where, function, #pointer); \
    } while (0)

// The same in the function that was called.
#define MEZ_REQUIRE(pointer, where) MEZ_REQUIRE_OF(__func__, pointer, where)

// --- Codes
//
// Names, texts and conditions of every code of every category, in tables.

typedef struct mez_code_info {
    int32_t value;
    mez_condition condition;
    const char *name;
    const char *message; // one sentence, no final stop
} mez_code_info;

// NULL where the category has no such code.
const mez_code_info *mez_code_find(mez_category category, int32_t value);

// A result of Level Zero as its headers spell it, success included.
const char *mez_code_level_zero_name(int32_t result);

// All codes of a category, for tests and listings.
const mez_code_info *mez_code_table(mez_category category, size_t *count);

#endif
