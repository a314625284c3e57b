// SPDX-License-Identifier: MIT

#include "base/environment.h"

#include <stdlib.h>

static const mez_variable_info variables[] = {
#define MEZ_VARIABLE(name, values, otherwise, meaning) {"MEZ_" #name, values, otherwise, meaning},
#include "base/environment.def"
#undef MEZ_VARIABLE
};

const mez_variable_info *mez_variable_get_info(mez_variable variable)
{
    return &variables[variable];
}

const char *mez_setting(mez_variable variable)
{
    const char *text = getenv(variables[variable].name);
    return text && *text ? text : NULL;
}

mez_error mez_setting_refused(mez_variable variable)
{
    const char *text = mez_setting(variable);
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "%s=%s is invalid: use %s",
        variables[variable].name, text ? text : "", variables[variable].values);
}
