// SPDX-License-Identifier: MIT
//
// A cache of built kernels for one run of a program and its children, where MEZ_TEST_CACHE=own asks for it: each device binary is
// built once in a run, and never taken from an earlier one.

#ifndef MEZ_TEST_OWN_CACHE_H
#define MEZ_TEST_OWN_CACHE_H

#include <stdbool.h>

// Makes a folder and sets MEZ_CACHE to it, which children inherit. False, with a line on stderr: it can't be made.
bool mez_test_make_cache(void);

// Removes the folder, if there is one. No context may be open.
void mez_test_remove_cache(void);

// Removes a folder with all that is in it. False: it could not, and the reason is on stderr.
bool mez_test_remove_folder(const char *path);

#endif
