// SPDX-License-Identifier: MIT

#include "device/assert_policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/version.h"

mez_error mez_assert_read_policy(mez_assert_policy *policy)
{
    const char *text = mez_setting(MEZ_VARIABLE_ASSERT);
    if (!text)
        return mez_ok();
    if (strcmp(text, "abort") == 0)
        *policy = MEZ_ASSERT_ABORT;
    else if (strcmp(text, "error") == 0)
        *policy = MEZ_ASSERT_ERROR;
    else
        return mez_setting_refused(MEZ_VARIABLE_ASSERT);
    return mez_ok();
}

mez_error mez_assert_read_limit(uint32_t *limit)
{
    const char *text = mez_setting(MEZ_VARIABLE_ASSERT_LIMIT);
    if (!text)
        return mez_ok();
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (errno || *end || number < 1 || number > MEZ_MOST_ASSERTS)
        return mez_setting_refused(MEZ_VARIABLE_ASSERT_LIMIT);
    *limit = (uint32_t)number;
    return mez_ok();
}

mez_error mez_assert_params_read(mez_assert_params *override)
{
    *override = (mez_assert_params){0};
    MEZ_TRY(mez_assert_read_policy(&override->policy));
    return mez_assert_read_limit(&override->limit);
}

mez_error mez_assert_policies_init(mez_assert_policies *policies, const mez_assert_params *wanted)
{
    static const mez_assert_params defaults = {.policy = MEZ_ASSERT_ABORT, .limit = 1};
    MEZ_TRY(mez_assert_params_read(&policies->override));
    return mez_assert_params_resolve(wanted, &defaults, &policies->override, &policies->params);
}

static mez_error check(const mez_assert_params *params)
{
    MEZ_TRY_RESERVED(mez_assert_params, params);
    if (params->policy > MEZ_ASSERT_CALLBACK)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "assert policy %d does not exist", (int)params->policy);
    if (params->policy == MEZ_ASSERT_CALLBACK && !params->function)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "the assert policy is a callback, but its function is NULL");
    if (params->limit > MEZ_MOST_ASSERTS)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "%u failing work-items are requested, but at most %d can be collected",
            (unsigned)params->limit, MEZ_MOST_ASSERTS);
    return mez_ok();
}

mez_error mez_assert_params_resolve(const mez_assert_params *wanted,
    const mez_assert_params *otherwise, const mez_assert_params *override,
    mez_assert_params *resolved)
{
    MEZ_TRY(check(wanted));
    *resolved = wanted->policy == MEZ_ASSERT_INHERIT ? *otherwise : *wanted;
    resolved->limit = override->limit ? override->limit
                      : wanted->limit ? wanted->limit
                                      : otherwise->limit;
    if (override->policy != MEZ_ASSERT_INHERIT)
        resolved->policy = override->policy;
    return mez_ok();
}
