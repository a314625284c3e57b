// SPDX-License-Identifier: MIT
//
// What a library that uses the headers by itself, built with hidden visibility, shows of its categories and exceptions.

#ifndef MEZ_TESTS_CPP_PLUGIN_HPP
#define MEZ_TESTS_CPP_PLUGIN_HPP

#include <mezzanine/exception.hpp>

struct plugin {
    std::error_code (*lost)();                // ZE_RESULT_ERROR_DEVICE_LOST
    bool (*is_lost)(std::error_code code);    // matches mez::errc::device_lost
    std::error_condition (*lost_condition)(); // mez::errc::device_lost
    void (*failing)();                        // throws a mez::runtime_error
    bool (*catches)(void (*failing)());       // has caught a mez::runtime_error
};

// A function, as AddressSanitizer takes the same variable in two libraries for a mistake.
extern "C" MEZ_API const plugin *mez_test_plugin();
using plugin_function = const plugin *();

// For dlsym.
constexpr char plugin_symbol[] = "mez_test_plugin";

#endif
