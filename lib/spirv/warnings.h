// SPDX-License-Identifier: MIT
//
// What the author of a module should hear about its declarations when it is checked, split or built;
// never when it runs.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_WARNINGS_H
#define MEZ_SPIRV_WARNINGS_H

#include "spirv/survey.h"

// `text` has no newline at its end and is gone after the call.
typedef void mez_spirv_hear_warning(void *context, const char *text);

// Tells, in the published words, of each function with a MEZ_DEVICE_HAS that uses, itself or through
// what it calls, an aspect that the list does not have:
//
//     hw.cl:27:4: warning: function 'foo' uses aspect 'fp64' not listed in 'sycl::device_has'
//     use is from this call chain:
//       foo()
//       bar() hw.cl:15:3
//       boo() hw.cl:25:5
//
// or, without lines of the source, "compile with '-g' to get source location" at the end. Tells too
// of names in declarations that are no aspect's, with the nearest one, and of declarations for
// functions that the module does not have.
//
// The only failure is NO_MEMORY; some warnings may then have been told already.
enum mez_spirv_status mez_spirv_survey_warn(const struct mez_spirv_survey *survey,
    mez_spirv_hear_warning *hear, void *context, struct mez_spirv_problem *problem);

#endif
