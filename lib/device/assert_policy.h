// SPDX-License-Identifier: MIT
//
// What a failed assert does: from what the user asks for and what the environment says. Delivering is lib/assert's.

#ifndef MEZ_DEVICE_ASSERT_POLICY_H
#define MEZ_DEVICE_ASSERT_POLICY_H

#include <mezzanine/assert.h>

#define MEZ_MOST_ASSERTS 1024 // base/environment.def shows it to users

// Of a context.
typedef struct mez_assert_policies {
    mez_assert_params params;   // what holds where a queue does not say
    mez_assert_params override; // what the environment says; zero: nothing
} mez_assert_policies;

// Sets both, of what the context is created with. Errors: as the two below.
mez_error mez_assert_policies_init(mez_assert_policies *policies, const mez_assert_params *wanted);

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
