// SPDX-License-Identifier: MIT
//
// Makes ze_result_t a std::error_code, so that native codes compare as they are:
//
//     catch (const mez::device_error &failure) {
//         if (failure.code() == ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET) ...
//     }
//
// No other header includes this one: ze_result_t does not belong to Mezzanine, and only one library
// in a program can do this. Without it, write std::error_code(ZE_RESULT_...,
// mez::level_zero_category()).
//
// Thread-safety: safe.

#ifndef MEZZANINE_ZE_RESULT_HPP
#define MEZZANINE_ZE_RESULT_HPP

#include <level_zero/ze_api.h>

#include <mezzanine/error.hpp>

template <> struct std::is_error_code_enum<ze_result_t> : std::true_type {
};

// Beside ze_result_t, where std::error_code looks for it. In the category
// mez::level_zero_category().
inline std::error_code make_error_code(ze_result_t result) noexcept
{
    return {static_cast<int>(result), mez::level_zero_category()};
}

#endif
