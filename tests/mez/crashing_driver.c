// SPDX-License-Identifier: MIT
//
// A Level Zero driver that takes its process down as soon as it is loaded.

#include <stdlib.h>

__attribute__((constructor)) static void crash(void)
{
    abort();
}
