// SPDX-License-Identifier: MIT
//
// The second of two translation units.

#include <mezzanine/assert.h>

int calculus(int x)
{
    assert(x && "this message from calculus");
    return x * 2;
}
