// SPDX-License-Identifier: MIT
//
// Tests on the no-op driver: each starts on a fresh one, and may leave no object of the driver's behind.

#ifndef MEZ_TESTS_CPP_NOOP_HPP
#define MEZ_TESTS_CPP_NOOP_HPP

#include "unit.hpp"

#include <mezzanine/mezzanine.hpp>

#include <cstdlib>
#include <string>

#include "noop.h"

inline int driver_setup(void **)
{
    noop_reset();
    return 0;
}

inline int driver_teardown(void **)
{
    if (noop_live_total() == 0)
        return 0;
    print_error("%lld objects of the driver are left\n", static_cast<long long>(noop_live_total()));
    return -1;
}

#define NOOP_TEST(name) cmocka_unit_test_setup_teardown(name, driver_setup, driver_teardown)

// Of tests/noop/runtime/kernels.cl.
inline std::string kernels_path()
{
    return std::string(std::getenv("MEZ_TEST_FILES")) + "/kernels.spv";
}

// What most tests begin with.
struct scene {
    mez::context context = mez::context::create();
    mez::queue queue = mez::queue::create(context);
    mez::kernel saxpy = mez::kernel::load(context, kernels_path().c_str(), "saxpy");
    mez::memory<float> x = mez::alloc_shared<float>(context, 64);
    mez::memory<float> y = mez::alloc_shared<float>(context, 64);
};

#endif
