// SPDX-License-Identifier: MIT
//
// A library that says when it is loaded.

#include <stdio.h>

__attribute__((constructor)) static void report(void)
{
    fputs("LOADED\n", stderr);
}
