// SPDX-License-Identifier: MIT
//
// What a code means; stories are in story.c.

#include <mezzanine/error.h>

#include "base/codes.h"

mez_condition mez_error_condition(mez_error error)
{
    if (!mez_failed(error))
        return MEZ_SUCCESS;
    const mez_code_info *info = mez_code_find(mez_error_category(error), error.value);
    return info ? info->condition : MEZ_ERRC_UNKNOWN;
}

bool mez_error_is(mez_error error, mez_condition condition)
{
    return mez_error_condition(error) == condition;
}

bool mez_error_is_in(mez_error error, mez_category category)
{
    return mez_failed(error) ? mez_error_category(error) == category ||
                                   mez_condition_category(mez_error_condition(error)) == category
                             : category == MEZ_CATEGORY_SUCCESS;
}

const char *mez_error_name(mez_error error)
{
    if (!mez_failed(error))
        return "MEZ_SUCCESS";
    const mez_code_info *info = mez_code_find(mez_error_category(error), error.value);
    return info ? info->name : "MEZ_ERRC_UNKNOWN";
}

const char *mez_error_message(mez_error error)
{
    if (!mez_failed(error))
        return "success";
    const mez_code_info *info = mez_code_find(mez_error_category(error), error.value);
    return info ? info->message : "a code that this version of Mezzanine does not know";
}

const char *mez_condition_name(mez_condition condition)
{
    return mez_error_name(mez_error_of(mez_condition_category(condition), (int32_t)condition));
}

const char *mez_condition_message(mez_condition condition)
{
    return mez_error_message(mez_error_of(mez_condition_category(condition), (int32_t)condition));
}

const char *mez_category_name(mez_category category)
{
    switch (category) {
    case MEZ_CATEGORY_SUCCESS:
        return "success";
    case MEZ_CATEGORY_RUNTIME:
        return "mezzanine runtime";
    case MEZ_CATEGORY_DEVICE:
        return "mezzanine device";
    case MEZ_CATEGORY_LEVEL_ZERO:
        return "level_zero";
    }
    return "unknown";
}
