// SPDX-License-Identifier: MIT
//
// A kernel that fails at every other launch.

#include <mezzanine/assert.h>

kernel void fails_in_turn(global int *value)
{
    assert(*value != 0);
    *value = !*value;
}
