// SPDX-License-Identifier: MIT
//
// What `mez doctor` has found, in order, and how it is shown. docs/mez.md documents the JSON: names there stay.

#ifndef DOCTOR_FINDINGS_H
#define DOCTOR_FINDINGS_H

#include <stdio.h>

#include "base/json.h"
#include "base/text.h"
#include "base/vector.h"

enum verdict {
    VERDICT_PASS, // as it should be
    VERDICT_WARN, // programs run, with less than they could have, or differently than somebody thinks
    VERDICT_FAIL, // programs fail
    VERDICT_COUNT
};

struct finding {
    const char *check; // static
    enum verdict verdict;
    char *found;  // one sentence
    char *advice; // what to do; NULL: nothing
};

// Zero is empty. What memory ran out for is missing, and `incomplete` says so.
struct findings {
    MEZ_VECTOR(struct finding) list;
    size_t counts[VERDICT_COUNT];
    bool incomplete;
};

void found_pass(struct findings *findings, const char *check, const char *format, ...)
    MEZ_PRINTF(3, 4);
void found_warn(struct findings *findings, const char *check, const char *format, ...)
    MEZ_PRINTF(3, 4);
void found_fail(struct findings *findings, const char *check, const char *format, ...)
    MEZ_PRINTF(3, 4);

// What to do about the last finding. Each one except PASS has an advice.
void found_advice(struct findings *findings, const char *format, ...) MEZ_PRINTF(2, 3);

void findings_print(FILE *stream, const struct findings *findings);
void findings_print_counts(FILE *stream, const struct findings *findings);

// The members "verdict", "counts" and "checks" of the open object.
void findings_print_json(mez_json *json, const struct findings *findings);

void findings_finish(struct findings *findings);

#endif
