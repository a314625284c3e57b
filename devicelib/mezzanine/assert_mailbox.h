// SPDX-License-Identifier: MIT
//
// Where the launches of one queue post their failed asserts: the host's struct mez_assert_mailbox (lib/devicelib/devicelib.h), in
// memory of the host's, which reads it whatever the device does.

#ifndef MEZZANINE_DEVICE_ASSERT_MAILBOX_H
#define MEZZANINE_DEVICE_ASSERT_MAILBOX_H

#include <mezzanine/assert_log.h>

#define MEZ_MAILBOX_LAUNCHES 1024
#define MEZ_MAILBOX_RECORDS 64

struct mez_assert_mailbox {
    uint taken;    // records of `first` that were asked for, perhaps more than there are
    uint collects; // written by the host: there is a log
    uint failures[MEZ_MAILBOX_LAUNCHES]; // work-items that failed, of each launch
    // The first failure of each launch; Serial is the launch's number.
    struct __SYCL_AssertHappened first[MEZ_MAILBOX_RECORDS];
    struct mez_assert_log log; // of all launches, if wanted; there is no memory for it otherwise
};

#endif
