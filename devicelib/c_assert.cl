// SPDX-License-Identifier: MIT
//
// What C's assert calls. Toolchains bring it in their images, so it is a module of its own, for those that import it. It must be
// compiled together with them: Intel's compiler crashes on libraries for later linking that ask for ids.

#include "names.h"

void C_ASSERT_FAIL(
    const char *expression, const char *file, uint line, const char *function HIDDEN)
{
    ASSERT_FAIL(expression, file, line, function, get_global_id(0), get_global_id(1),
        get_global_id(2), get_local_id(0), get_local_id(1), get_local_id(2) PASSED);
}
