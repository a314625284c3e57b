// SPDX-License-Identifier: MIT
//
// How exact floats are.

#ifndef ZC_TEST_ULP_H
#define ZC_TEST_ULP_H

// By how many units in the last place of what is expected, rounded, a float is off.
double ulp_error(float actual, double expected);

#endif
