// SPDX-License-Identifier: MIT
//
// What a failed assert does: from what the user asks for and what the environment says. Delivering is lib/assert's.

#ifndef MEZ_DEVICE_ASSERT_POLICY_H
#define MEZ_DEVICE_ASSERT_POLICY_H

#include <mezzanine/assert.h>

#define MEZ_MOST_ASSERTS 1024 // base/environment.def shows it to users

// What MEZ_ASSERT and MEZ_ASSERT_LIMIT say; zero where they are not set. Error: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_assert_params_read(mez_assert_params *override);

// One of the two; leaves it as it is where it is not set. The same error.
mez_error mez_assert_read_policy(mez_assert_policy *policy);
mez_error mez_assert_read_limit(uint32_t *limit);

// Sets what holds: what `override` says, else `wanted`, else `otherwise`. The policy is never MEZ_ASSERT_INHERIT, the limit never 0.
// Errors: MEZ_ERRC_INVALID_PARAMETER, no such policy, a callback without a function, or too high a limit.
mez_error mez_assert_params_resolve(const mez_assert_params *wanted,
    const mez_assert_params *otherwise, const mez_assert_params *override,
    mez_assert_params *resolved);

#endif
