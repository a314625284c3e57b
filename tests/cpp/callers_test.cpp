// SPDX-License-Identifier: MIT
//
// The three ways in which an outcome reaches the caller, and the place of the call.

#include "unit.hpp"

#include <mezzanine/kernel.hpp>

namespace
{

// A function of a user's, which passes its caller on.
void build_nothing(mez::caller from = {})
{
    mez::kernel().build({}, from);
}

void a_call_throws(void **)
{
    try {
        build_nothing();
        fail();
    } catch (const mez::runtime_error &failure) {
        assert_true(failure.code() == mez::errc::invalid_parameter);
    }
}

void a_call_sets_a_code(void **)
{
    std::error_code code;
    build_nothing(code);
    assert_true(code == mez::errc::invalid_parameter);
}

void a_call_sets_an_error_with_its_story(void **)
{
    mez_error error = mez_ok();
    build_nothing(error);
    assert_condition(error, MEZ_ERRC_INVALID_PARAMETER);
    assert_contains(mez::headline(error).c_str(), "kernel");
}

void success_clears_what_was_there(void **)
{
    std::error_code code = mez::make_error_code(mez::errc::timeout);
    mez::caller(code).report(mez_ok());
    assert_false(static_cast<bool>(code));
    mez_error error = mez_error_of(MEZ_CATEGORY_RUNTIME, MEZ_ERRC_TIMEOUT);
    mez::caller(error).report(mez_ok());
    assert_ok(error);
}

void places_are_those_of_the_call(void **)
{
    const auto place_of = [](mez::caller from = {}) { return *from.where(); };
    std::error_code code;
    const mez_location plain = place_of(), with_code = place_of(code), line = mez::here();
    assert_int_equal(plain.line, line.line);
    assert_int_equal(with_code.line, line.line);
#ifdef __clang__
    assert_true(plain.column > 0 && plain.column < with_code.column);
#endif
    assert_string_equal(plain.file, __FILE__);
    assert_string_equal(with_code.function, __func__);
    const mez_location other = {"other.cpp", "function", 7, 0};
    assert_int_equal(place_of(other).line, 7);
    assert_int_equal(place_of({code, other}).line, 7);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_call_throws),
        cmocka_unit_test(a_call_sets_a_code),
        cmocka_unit_test(a_call_sets_an_error_with_its_story),
        cmocka_unit_test(success_clears_what_was_there),
        cmocka_unit_test(places_are_those_of_the_call),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
