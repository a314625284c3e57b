// SPDX-License-Identifier: MIT
//
// Exceptions: their class, their words and how long these stay.

#include "unit.hpp"

#include <mezzanine/ze_result.hpp>

#include <future>
#include <string>
#include <type_traits>

extern "C" {
#include "base/error.h"
}

namespace
{

static_assert(std::is_nothrow_copy_constructible_v<mez::runtime_error>);
static_assert(std::is_nothrow_copy_assignable_v<mez::device_error>);
static_assert(std::is_base_of_v<std::system_error, mez::exception>);
// Nobody but throw_error makes them of a mez_error, so that their class is always right.
static_assert(!std::is_constructible_v<mez::exception, mez_error>);
static_assert(!std::is_constructible_v<mez::runtime_error, mez_error>);
static_assert(!std::is_constructible_v<mez::device_error, mez_error>);

enum class thrown { nothing, runtime, device };

thrown thrown_by_check(mez_error error)
{
    try {
        mez::check(error);
    } catch (const mez::runtime_error &failure) {
        assert_true(mez_error_is_equal(failure.error(), error));
        return thrown::runtime;
    } catch (const mez::device_error &failure) {
        assert_true(mez_error_is_equal(failure.error(), error));
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

void programs_throw_codes_with_words_of_their_own(void **)
{
    try {
        throw mez::runtime_error(mez::make_error_code(mez::errc::file), "weights.bin");
    } catch (const mez::runtime_error &failure) {
        assert_true(failure.code() == mez::errc::file);
        assert_true(failure.category() == mez::runtime_category());
        assert_true(mez_error_is(failure.error(), MEZ_ERRC_FILE));
        assert_contains(failure.what(), "weights.bin: ");
        assert_contains(failure.what(), failure.code().message().c_str());
    }
    try {
        throw mez::exception(
            ZE_RESULT_ERROR_DEVICE_LOST, mez::level_zero_category(), std::string("second device"));
    } catch (const mez::exception &failure) {
        assert_true(failure.code() == mez::errc::device_lost);
        assert_true(failure.category() == mez::level_zero_category());
        assert_contains(failure.what(), "second device: ");
    }
    const std::error_code lost(ZE_RESULT_ERROR_DEVICE_LOST, mez::level_zero_category());
    assert_string_equal(mez::device_error(lost).what(), lost.message().c_str());
    assert_string_equal(mez::exception(lost).what(), lost.message().c_str());
    assert_string_equal(
        mez::exception(lost.value(), lost.category()).what(), lost.message().c_str());
    assert_contains(mez::device_error(lost, std::string("copy")).what(), "copy: ");
    assert_contains(mez::exception(lost.value(), lost.category(), "copy").what(), "copy: ");
}

// A category of somebody else's, one of whose values stands for a condition of ours.
class foreign_category final : public std::error_category
{
  public:
    const char *name() const noexcept override
    {
        return "foreign";
    }

    std::string message(int) const override
    {
        return "a foreign error";
    }

    std::error_condition default_error_condition(int value) const noexcept override
    {
        return value == 1 ? mez::make_error_condition(mez::errc::timeout)
                          : std::error_condition(value, *this);
    }
};

void codes_of_other_categories_keep_them(void **)
{
    const foreign_category category;
    const mez::runtime_error late(std::error_code(1, category), "reply");
    assert_true(late.code() == mez::errc::timeout);
    assert_true(late.category() == category);
    assert_true(mez_error_is(late.error(), MEZ_ERRC_TIMEOUT));
    assert_string_equal(late.what(), "reply: a foreign error");

    const mez::exception other(2, category);
    assert_true(mez_error_is(other.error(), MEZ_ERRC_UNKNOWN));
    assert_string_equal(other.what(), "a foreign error");
}

template <class Exception> std::string refusal_of(const std::error_code &code)
{
    try {
        throw Exception(code);
    } catch (const std::invalid_argument &refusal) {
        return refusal.what();
    } catch (const std::exception &) {
        return "";
    }
}

void classes_refuse_codes_of_another_family(void **)
{
    const std::error_code file = mez::make_error_code(mez::errc::file);
    const std::error_code lost(ZE_RESULT_ERROR_DEVICE_LOST, mez::level_zero_category());
    const std::error_code system = std::make_error_code(std::errc::no_such_file_or_directory);
    assert_contains(refusal_of<mez::device_error>(file).c_str(), "mez::device_error: the code");
    assert_contains(refusal_of<mez::runtime_error>(lost).c_str(), mez::runtime_category().name());
    assert_contains(refusal_of<mez::runtime_error>(system).c_str(), "throw mez::exception");
    assert_string_equal(refusal_of<mez::runtime_error>(file).c_str(), "");
    assert_string_equal(refusal_of<mez::device_error>(lost).c_str(), "");
    assert_string_equal(refusal_of<mez::exception>(system).c_str(), "");
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
        cmocka_unit_test(programs_throw_codes_with_words_of_their_own),
        cmocka_unit_test(codes_of_other_categories_keep_them),
        cmocka_unit_test(classes_refuse_codes_of_another_family),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
