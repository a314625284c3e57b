// SPDX-License-Identifier: MIT
//
// Who asks for something, in words.

#ifndef MEZ_CHECK_PLACE_H
#define MEZ_CHECK_PLACE_H

#include "check/requirements.h"

// Adds `OpFMul in function "scale" (scale.cl:7:3), reached by run -> scale` or whatever else asks. Always adds something.
void mez_check_add_place(mez_text *text, const mez_requirement *requirement);

// The place in the code, where it asks for an aspect or uses an import. False: another requirement, or no memory. The caller has to
// finish it.
bool mez_check_find_place(const mez_requirement *requirement, struct mez_spirv_place *place);

#endif
