// SPDX-License-Identifier: MIT
//
// What every unit test includes: cmocka and what it wants included before it, and assertions on errors.

#ifndef MEZ_TESTS_UNIT_H
#define MEZ_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <mezzanine/error.h>

enum { STORY_ROOM = 16384 };

// The whole story; overwritten by the next call.
static inline const char *story_of(mez_error error)
{
    static char story[STORY_ROOM];
    mez_error_get_story(error, story, sizeof story);
    return story;
}

static inline void expect_in(const char *text, const char *part, const char *file, int line)
{
    if (text && part && strstr(text, part))
        return;
    print_error("\"%s\" is not in:\n%s\n", part ? part : "(null)", text ? text : "(null)");
    _fail(file, line);
}
#define assert_contains(text, part) expect_in(text, part, __FILE__, __LINE__)

static inline void expect_condition(
    mez_error error, mez_condition condition, const char *file, int line)
{
    if (mez_error_is(error, condition))
        return;
    print_error("expected condition 0x%x, got:\n%s\n", (unsigned)condition, story_of(error));
    _fail(file, line);
}
#define assert_condition(error, condition) expect_condition(error, condition, __FILE__, __LINE__)
#define assert_ok(error) expect_condition(error, MEZ_SUCCESS, __FILE__, __LINE__)

// An error of that condition whose story has the words.
#define assert_story(error, condition, words)                      \
    do {                                                           \
        const mez_error reported = (error);                        \
        expect_condition(reported, condition, __FILE__, __LINE__); \
        expect_in(story_of(reported), words, __FILE__, __LINE__);  \
    } while (0)

// The same of an error that a public function has given in another way than by returning it. `function` is for
// tests/headers/documented.py, which looks for a test of every documented error.
#define assert_story_of(function, error, condition, words) assert_story(error, condition, words)

#endif
