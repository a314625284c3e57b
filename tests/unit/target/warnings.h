// SPDX-License-Identifier: MIT
//
// Collects what a reader warns of.

#ifndef MEZ_TESTS_TARGET_WARNINGS_H
#define MEZ_TESTS_TARGET_WARNINGS_H

#include <stdio.h>
#include <string.h>

#include "target/target.h"

enum { WARNINGS_ROOM = 4096 };

struct warnings {
    char text[WARNINGS_ROOM]; // one a line; cut where there is no room
    unsigned count;
};

static inline void collect(void *user, const char *warning)
{
    struct warnings *warnings = user;
    const size_t used = strlen(warnings->text);
    snprintf(warnings->text + used, WARNINGS_ROOM - used, "%s\n", warning);
    warnings->count++;
}

// Reads a text as the file "devices.yaml".
static inline mez_error read_text(
    const char *text, struct warnings *warnings, mez_targets **targets)
{
    *warnings = (struct warnings){0};
    const mez_targets_params collected = {.warn = collect, .user = warnings};
    return mez_targets_read("devices.yaml", text, strlen(text), &collected, targets);
}

#endif
