// SPDX-License-Identifier: MIT
//
// What every C++ test includes: cmocka, which is C without saying so, and assertions on errors.

#ifndef MEZ_TESTS_CPP_UNIT_HPP
#define MEZ_TESTS_CPP_UNIT_HPP

#include <mezzanine/exception.hpp>
#include <mezzanine/kernel.h>
#include <mezzanine/log.h>

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

extern "C" {
#include <cmocka.h>
}

#include "unit.h"

// Any failure with a story: no driver is needed for it.
inline mez_error make_failure()
{
    return mez_log_set_levels("nonsense");
}

#endif
