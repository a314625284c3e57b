// SPDX-License-Identifier: MIT
//
// The harness's children: this program, started again to do one thing and perhaps die of it.

#ifndef MEZ_TEST_CHILD_H
#define MEZ_TEST_CHILD_H

#include "harness.h"

// Runs the child of that name and returns the process's exit code.
int mez_test_be_child(const char *name, const mez_test_child *children);

// Of the harness: destroys the child's context.
void mez_test_end_child(void);

#endif
