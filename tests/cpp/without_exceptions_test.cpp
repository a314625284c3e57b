// SPDX-License-Identifier: MIT
//
// Built with -fno-exceptions, and linked with code that throws: neither disturbs the other.

#include "noop.hpp"

#if defined(__cpp_exceptions)
#error "this test is about code without exceptions"
#endif

#include "throwing.hpp"

namespace
{

void calls_set_codes(void **)
{
    std::error_code code;
    const mez::context context = mez::context::create({}, code);
    assert_false(static_cast<bool>(code));
    const mez::kernel missing =
        mez::kernel::load(context, kernels_path().c_str(), "no such kernel", code);
    assert_true(code == mez::errc::kernel);
    assert_false(static_cast<bool>(missing));
}

void calls_set_errors_with_stories(void **)
{
    mez_error error;
    mez::kernel().build({}, error);
    assert_condition(error, MEZ_ERRC_INVALID_PARAMETER);
    const mez::kept_error kept(error);
    assert_contains(mez::story(kept.get()).c_str(), "without_exceptions_test.cpp");
}

void others_still_throw(void **)
{
    assert_true(a_failing_call_throws());
}

void functions_of_others_write_here(void **)
{
    std::error_code code;
    build_nothing(code);
    assert_true(code == mez::errc::invalid_parameter);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        NOOP_TEST(calls_set_codes),
        NOOP_TEST(calls_set_errors_with_stories),
        NOOP_TEST(others_still_throw),
        NOOP_TEST(functions_of_others_write_here),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
