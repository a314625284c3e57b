// SPDX-License-Identifier: MIT

#include "growth.h"

#include <stdio.h>
#include <stdlib.h>

#include "structs.h"

bool refused;
static unsigned passed, failed;

#define NAME(type) #type,
static const char *const types[] = {GROWN_STRUCTS(NAME)};
enum { TYPES = sizeof types / sizeof *types };
static bool used[TYPES];

void check(bool right, const char *what)
{
    *(right ? &passed : &failed) += 1;
    if (!right)
        fprintf(stderr, "not so: %s\n", what);
}

void expect_ok(mez_error error, const char *what)
{
    mez_error_print(stderr, error);
    check(!mez_failed(error), what);
}

static void use(const char *type)
{
    for (size_t i = 0; i < TYPES; i++)
        used[i] |= strcmp(types[i], type) == 0;
}

bool is_taken(mez_error error, const char *type)
{
    char story[1024];
    use(type);
    if (!refused) {
        expect_ok(error, type);
        return true;
    }
    mez_error_get_story(error, story, sizeof story);
    check(mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER), type);
    check(strstr(story, type) && strstr(story, "newer Mezzanine"), story);
    return false;
}

void check_guard(const unsigned char guard[GUARDS], const char *type)
{
    for (int i = 0; i < GUARDS; i++)
        check(guard[i] == GUARD, type);
}

void check_filled(
    const char *type, uint64_t newest, const uint64_t *reserved, size_t reserved_count)
{
    use(type);
    check(newest == 0, type);
    for (size_t i = 0; i < reserved_count; i++)
        check(reserved[i] == 0, type);
}

int finish(void)
{
    for (size_t i = 0; i < TYPES; i++)
        check(used[i], types[i]);
    printf("growth: %u passed, %u failed, 0 skipped\n", passed, failed);
    return failed || !passed ? EXIT_FAILURE : EXIT_SUCCESS;
}
