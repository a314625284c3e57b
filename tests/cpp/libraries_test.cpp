// SPDX-License-Identifier: MIT
//
// Conditions and exceptions cross the borders of libraries that are opened later, though each has the categories' objects in it.

#include "unit.hpp"

#include <mezzanine/ze_result.hpp>

#include <cstdlib>
#include <dlfcn.h>

#include "plugin.hpp"

namespace
{

// As far from each other as a loader keeps them: RTLD_LOCAL.
const plugin &open_plugin(const char *variable)
{
    void *const library = dlopen(std::getenv(variable), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    void *const found = dlsym(library, plugin_symbol);
    assert_non_null(found);
    return *reinterpret_cast<plugin_function *>(found)();
}

struct sides {
    const plugin &first = open_plugin("MEZ_TEST_FIRST_PLUGIN");
    const plugin &second = open_plugin("MEZ_TEST_SECOND_PLUGIN");
};

void conditions_match_across_libraries(void **)
{
    const sides of;
    assert_true(of.first.lost() == mez::errc::device_lost);
    assert_true(of.first.is_lost(of.second.lost()));
    assert_true(of.second.is_lost(ZE_RESULT_ERROR_DEVICE_LOST));
    assert_true(of.second.lost() == of.first.lost_condition());
    assert_true(std::error_code(ZE_RESULT_ERROR_DEVICE_LOST) == of.second.lost_condition());
    assert_false(of.first.is_lost(ZE_RESULT_ERROR_UNKNOWN));
}

void exceptions_are_caught_across_libraries(void **)
{
    const sides of;
    assert_true(of.first.catches(of.second.failing));
    assert_true(of.second.catches([] { mez::check(make_failure()); }));
    try {
        of.first.failing();
        fail();
    } catch (const mez::exception &failure) {
        assert_contains(failure.what(), "nonsense");
        assert_true(failure.code() == mez::errc::invalid_parameter);
    }
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(conditions_match_across_libraries),
        cmocka_unit_test(exceptions_are_caught_across_libraries),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
