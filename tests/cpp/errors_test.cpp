// SPDX-License-Identifier: MIT
//
// Codes, categories and conditions.

#include "unit.hpp"

#include <mezzanine/ze_result.hpp>

extern "C" {
#include "base/error.h"
}

namespace
{

const mez_category categories[] = {
    MEZ_CATEGORY_RUNTIME, MEZ_CATEGORY_DEVICE, MEZ_CATEGORY_LEVEL_ZERO};

// The name of each condition of C's. A condition that has none here does not compile (-Wswitch).
mez::errc name_of(mez_condition condition)
{
    switch (condition) {
    case MEZ_SUCCESS:
        break;
    case MEZ_ERRC_KERNEL:
        return mez::errc::kernel;
    case MEZ_ERRC_ACCESSOR:
        return mez::errc::accessor;
    case MEZ_ERRC_ND_RANGE:
        return mez::errc::nd_range;
    case MEZ_ERRC_EVENT:
        return mez::errc::event;
    case MEZ_ERRC_INVALID_PARAMETER:
        return mez::errc::invalid_parameter;
    case MEZ_ERRC_KERNEL_ARGUMENT:
        return mez::errc::kernel_argument;
    case MEZ_ERRC_KERNEL_NOT_SUPPORTED:
        return mez::errc::kernel_not_supported;
    case MEZ_ERRC_INVALID_IMAGE:
        return mez::errc::invalid_image;
    case MEZ_ERRC_FILE:
        return mez::errc::file;
    case MEZ_ERRC_OUT_OF_HOST_MEMORY:
        return mez::errc::out_of_host_memory;
    case MEZ_ERRC_TIMEOUT:
        return mez::errc::timeout;
    case MEZ_ERRC_WRONG_STATE:
        return mez::errc::wrong_state;
    case MEZ_ERRC_STRAY_WRITE:
        return mez::errc::stray_write;
    case MEZ_ERRC_COMPILE_PROGRAM:
        return mez::errc::compile_program;
    case MEZ_ERRC_LINK_PROGRAM:
        return mez::errc::link_program;
    case MEZ_ERRC_INVALID_OBJECT:
        return mez::errc::invalid_object;
    case MEZ_ERRC_MEMORY_ALLOCATION:
        return mez::errc::memory_allocation;
    case MEZ_ERRC_PLATFORM:
        return mez::errc::platform;
    case MEZ_ERRC_PROFILING:
        return mez::errc::profiling;
    case MEZ_ERRC_FEATURE_NOT_SUPPORTED:
        return mez::errc::feature_not_supported;
    case MEZ_ERRC_DEVICE_LOST:
        return mez::errc::device_lost;
    case MEZ_ERRC_ASSERT:
        return mez::errc::assertion;
    case MEZ_ERRC_NOT_READY:
        return mez::errc::not_ready;
    case MEZ_ERRC_UNKNOWN:
        return mez::errc::unknown;
    }
    fail_msg("0x%x is not a failure", static_cast<unsigned>(condition));
    return {};
}

template <class Test> void for_all_failures(const Test &test)
{
    for (const mez_category category : categories) {
        std::size_t count = 0;
        const mez_code_info *const codes = mez_code_table(category, &count);
        assert_true(count > 0);
        for (std::size_t i = 0; i < count; i++)
            if (codes[i].value != 0)
                test(mez_error_of(category, codes[i].value), codes[i]);
    }
}

void every_condition_has_its_name(void **)
{
    for_all_failures([](mez_error, const mez_code_info &info) {
        assert_int_equal(static_cast<int>(name_of(info.condition)), info.condition);
    });
}

void every_code_keeps_number_category_and_words(void **)
{
    for_all_failures([](mez_error error, const mez_code_info &info) {
        const std::error_code code = mez::make_error_code(error);
        assert_true(static_cast<bool>(code));
        assert_int_equal(code.value(), info.value);
        assert_string_equal(
            code.category().name(), mez_category_get_name(mez_error_get_category(error)));
        assert_string_equal(code.message().c_str(), info.message);
    });
}

void every_code_matches_its_condition_and_no_other(void **)
{
    for_all_failures([](mez_error error, const mez_code_info &info) {
        const std::error_code code = mez::make_error_code(error);
        for_all_failures([&](mez_error, const mez_code_info &other) {
            assert_int_equal(code == name_of(other.condition), info.condition == other.condition);
        });
        assert_true(code.default_error_condition() == name_of(info.condition));
        assert_true(mez::make_error_condition(error) == name_of(info.condition));
    });
}

void conditions_are_of_their_family(void **)
{
    for_all_failures([](mez_error error, const mez_code_info &) {
        const std::error_condition condition = mez::make_error_condition(error);
        const bool runtime = mez_error_is_in(error, MEZ_CATEGORY_RUNTIME);
        assert_ptr_equal(
            &condition.category(), runtime ? &mez::runtime_category() : &mez::device_category());
    });
}

void two_codes_match_one_condition(void **)
{
    const std::error_code native = ZE_RESULT_ERROR_DEVICE_LOST;
    const std::error_code own = mez::make_error_code(mez::errc::device_lost);
    assert_true(native != own);
    assert_true(native == mez::errc::device_lost);
    assert_true(own == mez::errc::device_lost);
    assert_true(std::error_code(ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET) == mez::errc::device_lost);
    assert_false(native == mez::errc::assertion);
}

void success_is_success_everywhere(void **)
{
    assert_false(static_cast<bool>(mez::make_error_code(mez_ok())));
    assert_true(mez::make_error_code(mez_ok()) == std::error_code());
    assert_true(
        mez::make_error_code(mez_error_of(MEZ_CATEGORY_LEVEL_ZERO, 0)) == std::error_code());
    assert_false(static_cast<bool>(std::error_code(ZE_RESULT_SUCCESS)));
    assert_false(static_cast<bool>(mez::make_error_condition(mez_ok())));
    assert_true(std::error_code(ZE_RESULT_SUCCESS) == std::error_condition());
    assert_false(std::error_code() == mez::errc::unknown);
}

void codes_of_others_match_nothing_of_ours(void **)
{
    const std::error_code theirs = std::make_error_code(std::errc::timed_out);
    for_all_failures([&](mez_error error, const mez_code_info &info) {
        assert_false(theirs == name_of(info.condition));
        assert_false(mez::make_error_code(error) == std::errc::timed_out);
        assert_false(
            std::error_code(info.value, std::generic_category()) == name_of(info.condition));
    });
}

void a_native_code_that_is_not_known_is_unknown(void **)
{
    const std::error_code code(0x12345, mez::level_zero_category());
    assert_true(code == mez::errc::unknown);
    assert_true(code.default_error_condition().category() == mez::device_category());
}

void kept_stories_stay(void **)
{
    const mez::kept_error first(make_failure());
    mez::kept_error other;
    assert_ok(other.get());
    {
        const mez::kept_error copy = first;
        other = copy;
    }
    other = static_cast<const mez::kept_error &>(other);
    for (int i = 0; i < 10000; i++)
        make_failure();
    assert_contains(mez::story(first.get()).c_str(), "nonsense");
    assert_contains(mez::story(other.get()).c_str(), "nonsense");
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(every_condition_has_its_name),
        cmocka_unit_test(every_code_keeps_number_category_and_words),
        cmocka_unit_test(every_code_matches_its_condition_and_no_other),
        cmocka_unit_test(conditions_are_of_their_family),
        cmocka_unit_test(two_codes_match_one_condition),
        cmocka_unit_test(success_is_success_everywhere),
        cmocka_unit_test(codes_of_others_match_nothing_of_ours),
        cmocka_unit_test(a_native_code_that_is_not_known_is_unknown),
        cmocka_unit_test(kept_stories_stay),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
