// SPDX-License-Identifier: MIT
//
// The first of two translation units; each may be compiled with NDEBUG or without.

#include <mezzanine/assert.h>

int calculus(int x);

kernel void ask_calculus(global int *values)
{
    const int i = (int)get_global_id(0);
    const int result = calculus(i == 5 ? 0 : i + 1);
    assert(result && "nil in result");
    values[i] = result;
}
