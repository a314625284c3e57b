// SPDX-License-Identifier: MIT
//
// Our verdict beside the compiler's. Where it judges, the two agree; where it does not, or we do not, the case is one of a
// short list, each with its reason.
//
// Thread-safety: one thread.

#ifndef MEZ_TESTS_ORACLE_COMPARISON_H
#define MEZ_TESTS_ORACLE_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "prediction.h"

// False: they disagree; stderr says about what. Cases of the list are counted. `may_drop`: the kernels may compute what nobody
// uses, as those of random text do.
bool compare(const struct prediction *prediction, size_t device, const struct compilation *answer,
    bool may_drop);

// The list with its counts, on stdout.
void print_classes(void);

#endif
