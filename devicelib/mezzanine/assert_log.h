// SPDX-License-Identifier: MIT
//
// Where a module's failed asserts are collected when the host has asked for many: the host's struct mez_assert_log
// (lib/devicelib/devicelib.h), 766472 bytes.

#ifndef MEZZANINE_DEVICE_ASSERT_LOG_H
#define MEZZANINE_DEVICE_ASSERT_LOG_H

#include <mezzanine/assert_layout.h>

#define MEZ_ASSERT_SITES 64
#define MEZ_ASSERT_MORE 1024

// One assert of the source. Keys have 32 bits because devices need not have atomics of 64.
struct mez_assert_site {
    uint key;   // made of expression, file and line; 0: free
    uint count; // work-items that failed here
};

struct mez_assert_log {
    uint total; // work-items that failed anywhere
    uint taken; // records of `more` that were asked for, perhaps more than there are
    struct mez_assert_site sites[MEZ_ASSERT_SITES];
    struct __SYCL_AssertHappened first[MEZ_ASSERT_SITES]; // the first failure of each site
    struct __SYCL_AssertHappened
        more[MEZ_ASSERT_MORE]; // later ones, and those of sites that found no place
};

#endif
