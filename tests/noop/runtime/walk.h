// SPDX-License-Identifier: MIT
//
// A walk over the error paths of a program: it is played again and again, and each time another call of the driver, or another
// allocation of the library, fails. Whatever fails is reported in words that name the call; nothing is left over; and the
// next turn, in which nothing fails, goes well.

#ifndef MEZ_TESTS_NOOP_WALK_H
#define MEZ_TESTS_NOOP_WALK_H

#include "runtime.h"

typedef struct walk {
    void (*prepare)(void); // configures the driver, which has been reset; NULL: nothing to do
    // The program. It passes what its calls return to walk_went_well and goes on, and gives back all it has.
    void (*play)(void);
    void (*check)(
        void); // fails the test where something is left that is not the driver's; NULL: nothing to do
    bool (*is_excused)(
        const char *call); // may this call's failure go unreported, or unnamed? NULL: none may
    int64_t objects;       // of the driver, that are there before and after
    uint64_t allocations_unheard; // of ours, at most
} walk;

// Notes a failure for the walk to see: the program goes on with what it has. True: success. May be called from any thread.
bool walk_went_well(mez_error error);

// Fails each call in turn with `code`, and returns how many there are. A clean turn follows each tenth.
uint64_t walk_calls(const walk *walk, ze_result_t code);

// The same with our allocations: the first error that the program gets is MEZ_ERRC_OUT_OF_HOST_MEMORY.
uint64_t walk_allocations(const walk *walk);

// Plays one turn in which nothing fails. Also to open the loader, which stays open, before the first walk.
void walk_clean(const walk *walk);

// That a driver does not have a newer function is an answer, not a failure.
bool walk_is_answer(const char *call);

#endif
