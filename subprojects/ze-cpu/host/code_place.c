// SPDX-License-Identifier: MIT
#include "code_place.h"

#include <dlfcn.h>
#include <stdio.h>

void zc_code_describe(uintptr_t code, char *text, size_t size)
{
    Dl_info info;
    *text = 0;
    if (code == 0 || dladdr((const void *)code, &info) == 0 || !info.dli_fname)
        return;
    snprintf(text, size, ", at %s+0x%zx", info.dli_fname, code - (uintptr_t)info.dli_fbase);
}
