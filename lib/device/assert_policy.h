// SPDX-License-Identifier: MIT
//
// What a failed assert does: from what the user asks for and what the environment says. Delivering is lib/assert's.

#ifndef MEZ_DEVICE_ASSERT_POLICY_H
#define MEZ_DEVICE_ASSERT_POLICY_H

#include <mezzanine/assert.h>

// MEZ_ASSERT's policy; MEZ_ASSERT_INHERIT: it is not set. Error: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_assert_policy_read(mez_assert_policy *override);

// Sets what holds: `override`, else `wanted`, else `otherwise`. Never MEZ_ASSERT_INHERIT.
// Errors: MEZ_ERRC_INVALID_PARAMETER, no such policy, or a callback without a function.
mez_error mez_assert_params_resolve(const mez_assert_params *wanted,
    const mez_assert_params *otherwise, mez_assert_policy override, mez_assert_params *resolved);

#endif
