// SPDX-License-Identifier: MIT
//
// Code with exceptions, for a program that has none.

#ifndef MEZ_TESTS_CPP_THROWING_HPP
#define MEZ_TESTS_CPP_THROWING_HPP

#include <mezzanine/caller.hpp>

// Makes a call that fails, in the form that throws. True: it has.
bool a_failing_call_throws();

// Fails as its caller wants it.
void build_nothing(mez::caller from);

#endif
