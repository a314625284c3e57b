// SPDX-License-Identifier: MIT
//
// The library's variables of the environment, all in one table: environment.def. Whoever reads one names it by the table, so
// that there is none that users can't look up.
//
//     const char *text = mez_setting(MEZ_VARIABLE_QUEUE);
//     if (text && !understood(text))
//         return mez_setting_refused(MEZ_VARIABLE_QUEUE);
//
// Thread-safety: as getenv, safe while nobody changes the environment.

#ifndef MEZ_BASE_ENVIRONMENT_H
#define MEZ_BASE_ENVIRONMENT_H

#include "base/error.h"

typedef enum mez_variable {
#define MEZ_VARIABLE(name, values, otherwise, meaning) MEZ_VARIABLE_##name,
#include "base/environment.def"
#undef MEZ_VARIABLE
    MEZ_VARIABLE_COUNT
} mez_variable;

typedef struct mez_variable_info {
    const char *name;      // "MEZ_QUEUE"
    const char *values;    // that are valid
    const char *otherwise; // what holds where it is not set
    const char *meaning;   // what it decides
} mez_variable_info;

// Of every value below MEZ_VARIABLE_COUNT; static.
const mez_variable_info *mez_variable_get_info(mez_variable variable);

// What the variable is set to; NULL: it is not, or to nothing. Lives until the environment is changed. In processes that have more rights
// than who has started them (AT_SECURE: set-user-ID programs and those with capabilities) variables that lead to files count as not
// set. Other variables of that kind are read by secure_getenv for the same reason.
const char *mez_setting(mez_variable variable);

// A number of bytes, or of KiB, MiB, GiB or TiB as in "512M", above 0; `otherwise` where the variable is not set.
mez_error mez_setting_read_size(mez_variable variable, uint64_t otherwise, uint64_t *size);

// MEZ_ERRC_INVALID_PARAMETER: the value of the variable is invalid; the story lists the valid ones.
mez_error mez_setting_refused(mez_variable variable);

#endif
