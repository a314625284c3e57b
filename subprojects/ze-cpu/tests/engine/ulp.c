// SPDX-License-Identifier: MIT

#include "ulp.h"

#include <math.h>

double ulp_error(float actual, double expected)
{
    const float nearest = (float)expected;
    if (isnan(expected) || isnan(actual))
        return isnan(expected) && isnan(actual) ? 0 : INFINITY;
    if (actual == nearest)
        return 0;
    if (isinf(nearest) || isinf(actual))
        return INFINITY;
    const float size = fabsf(nearest);
    const double ulp = (double)nextafterf(size, INFINITY) - (double)size;
    return fabs((double)actual - expected) / ulp;
}
