// SPDX-License-Identifier: MIT
//
// A test that runs with each number of items.

#ifndef MEZ_TESTS_UNIT_EACH_H
#define MEZ_TESTS_UNIT_EACH_H

#include "many.h"

typedef void (*many_test)(uint32_t count);

static inline void each_count(void **state)
{
    const many_test test = *(const many_test *)*state;
    for (int i = 0; i < MANY_COUNT_TOTAL; i++)
        test(MANY_COUNTS[i]);
}

#define EACH(test)                                                                   \
    {                                                                                \
        .name = #test, .test_func = each_count, .initial_state = &(many_test){test}, \
    }

#endif
