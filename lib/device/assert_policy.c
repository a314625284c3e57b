// SPDX-License-Identifier: MIT

#include "device/assert_policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/story.h"

mez_error mez_assert_policy_read(mez_assert_policy *override)
{
    const char *text = getenv("MEZ_ASSERT");
    *override = MEZ_ASSERT_INHERIT;
    if (!text || !*text)
        return mez_ok();
    if (strcmp(text, "abort") == 0)
        *override = MEZ_ASSERT_ABORT;
    else if (strcmp(text, "error") == 0)
        *override = MEZ_ASSERT_ERROR;
    else
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "MEZ_ASSERT=%s has no meaning: use abort or error", text);
    return mez_ok();
}

static mez_error check(const mez_assert_params *params)
{
    if (params->policy > MEZ_ASSERT_CALLBACK)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "assert policy %d does not exist", (int)params->policy);
    if (params->policy == MEZ_ASSERT_CALLBACK && !params->function)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "the assert policy is a callback, and its function NULL");
    return mez_ok();
}

mez_error mez_assert_params_resolve(const mez_assert_params *wanted,
    const mez_assert_params *otherwise, mez_assert_policy override, mez_assert_params *resolved)
{
    MEZ_TRY(check(wanted));
    *resolved = wanted->policy == MEZ_ASSERT_INHERIT ? *otherwise : *wanted;
    if (override != MEZ_ASSERT_INHERIT)
        resolved->policy = override;
    if (resolved->policy == MEZ_ASSERT_INHERIT)
        resolved->policy = MEZ_ASSERT_ABORT;
    return mez_ok();
}
