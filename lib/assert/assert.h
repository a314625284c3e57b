// SPDX-License-Identifier: MIT
//
// Delivering asserts by the fallback that works on every driver: a failed assert fills a program-scope variable, a copy
// behind the tasks brings it to the host, and whoever sees the tasks' end (a waiter or the completion thread) reads it.

#ifndef MEZ_ASSERT_ASSERT_H
#define MEZ_ASSERT_ASSERT_H

#include "task/readback.h"

// For platform->assert_functions.
extern const mez_assert_functions mez_assert_hooks;

#endif
