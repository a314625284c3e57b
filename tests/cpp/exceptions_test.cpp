// SPDX-License-Identifier: MIT
//
// Exceptions: their class, their words and how long these stay.

#include "unit.hpp"

#include <mezzanine/ze_result.hpp>

#include <future>
#include <string>
#include <type_traits>

extern "C" {
#include "base/codes.h"
}

namespace
{

static_assert(std::is_nothrow_copy_constructible_v<mez::runtime_error>);
static_assert(std::is_nothrow_copy_assignable_v<mez::device_error>);
static_assert(std::is_base_of_v<std::system_error, mez::exception>);
// Nobody but throw_error makes them, so that their class is always right.
static_assert(!std::is_constructible_v<mez::exception, mez_error>);
static_assert(!std::is_constructible_v<mez::runtime_error, mez_error>);
static_assert(!std::is_constructible_v<mez::device_error, mez_error>);

enum class thrown { nothing, runtime, device };

thrown thrown_by_check(mez_error error)
{
    try {
        mez::check(error);
    } catch (const mez::runtime_error &failure) {
        assert_true(mez_error_equal(failure.error(), error));
        return thrown::runtime;
    } catch (const mez::device_error &failure) {
        assert_true(mez_error_equal(failure.error(), error));
        return thrown::device;
    }
    return thrown::nothing;
}

void success_throws_nothing(void **)
{
    assert_true(thrown_by_check(mez_ok()) == thrown::nothing);
}

void every_code_throws_the_class_of_its_family(void **)
{
    for (const mez_category category :
        {MEZ_CATEGORY_RUNTIME, MEZ_CATEGORY_DEVICE, MEZ_CATEGORY_LEVEL_ZERO}) {
        std::size_t count = 0;
        const mez_code_info *const codes = mez_code_table(category, &count);
        for (std::size_t i = 0; i < count; i++) {
            if (codes[i].value == 0)
                continue;
            const bool runtime = codes[i].condition < MEZ_ERRC_COMPILE_PROGRAM;
            const mez_error error = mez_error_of(category, codes[i].value);
            assert_true(thrown_by_check(error) == (runtime ? thrown::runtime : thrown::device));
        }
    }
}

void a_native_code_keeps_its_category(void **)
{
    try {
        mez::check(mez_error_of(MEZ_CATEGORY_LEVEL_ZERO, ZE_RESULT_ERROR_DEVICE_LOST));
        fail();
    } catch (const mez::device_error &failure) {
        assert_true(failure.category() == mez::level_zero_category());
        assert_true(failure.code() == ZE_RESULT_ERROR_DEVICE_LOST);
        assert_true(failure.code() == mez::errc::device_lost);
    }
}

void words_are_the_whole_story(void **)
{
    const mez_error error = make_failure();
    try {
        mez::check(error);
        fail();
    } catch (const std::exception &failure) {
        assert_string_equal(failure.what(), mez::story(error).c_str());
        assert_contains(failure.what(), "nonsense");
    }
}

void errors_without_a_story_have_words(void **)
{
    try {
        mez::check(mez_error_of(MEZ_CATEGORY_RUNTIME, MEZ_ERRC_TIMEOUT));
        fail();
    } catch (const mez::exception &failure) {
        assert_contains(failure.what(), "MEZ_ERRC_TIMEOUT");
    }
}

void stories_survive_ten_thousand_later_errors(void **)
{
    std::exception_ptr kept;
    try {
        mez::check(make_failure());
    } catch (const mez::exception &) {
        kept = std::current_exception();
    }
    for (int i = 0; i < 10000; i++)
        mez_error_ignore(mez_kernel_build_at(nullptr, nullptr, nullptr));
    try {
        std::rethrow_exception(kept);
    } catch (const mez::runtime_error &failure) {
        const mez::runtime_error copy = failure;
        kept = nullptr;
        assert_contains(copy.what(), "nonsense");
        assert_contains(mez::story(copy.error()).c_str(), "nonsense");
    }
}

void stories_go_with_the_last_copy(void **)
{
    mez_error error = mez_ok();
    try {
        mez::check(make_failure());
    } catch (const mez::exception &failure) {
        error = failure.error();
    }
    for (int i = 0; i < 10000; i++)
        mez_error_ignore(mez_kernel_build_at(nullptr, nullptr, nullptr));
    assert_null(std::strstr(story_of(error), "nonsense"));
}

void promises_take_them_along(void **)
{
    std::promise<int> promise;
    promise.set_exception(mez::make_exception_ptr(make_failure()));
    try {
        promise.get_future().get();
        fail();
    } catch (const mez::runtime_error &failure) {
        assert_true(failure.code() == mez::errc::invalid_parameter);
    }
}

void handlers_of_system_error_see_the_code(void **)
{
    try {
        mez::check(make_failure());
        fail();
    } catch (const std::system_error &failure) {
        assert_true(failure.code() == mez::errc::invalid_parameter);
    }
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(success_throws_nothing),
        cmocka_unit_test(every_code_throws_the_class_of_its_family),
        cmocka_unit_test(a_native_code_keeps_its_category),
        cmocka_unit_test(words_are_the_whole_story),
        cmocka_unit_test(errors_without_a_story_have_words),
        cmocka_unit_test(stories_survive_ten_thousand_later_errors),
        cmocka_unit_test(stories_go_with_the_last_copy),
        cmocka_unit_test(promises_take_them_along),
        cmocka_unit_test(handlers_of_system_error_see_the_code),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
