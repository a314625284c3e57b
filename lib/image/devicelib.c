// SPDX-License-Identifier: MIT

#include "image/devicelib.h"

#include <string.h>

bool mez_devicelib_defines(const char *symbol)
{
    static const char *const symbols[] = {
        "__assert_fail", "__devicelib_assert_fail", "__devicelib_assert_read", MEZ_ASSERT_VARIABLE};
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (strcmp(symbols[i], symbol) == 0)
            return true;
    return false;
}
