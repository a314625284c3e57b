// SPDX-License-Identifier: MIT
//
// A program that links a library which uses the headers, too: there is one object of each category, also for what it opens later.

#include "unit.hpp"

#include <mezzanine/ze_result.hpp>

#include <cstdlib>
#include <dlfcn.h>

#include "plugin.hpp"

namespace
{

const plugin &opened()
{
    void *const library = dlopen(std::getenv("MEZ_TEST_SECOND_PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    void *const found = dlsym(library, plugin_symbol);
    assert_non_null(found);
    return *reinterpret_cast<plugin_function *>(found)();
}

void categories_are_one_object(void **)
{
    const std::error_code own = ZE_RESULT_ERROR_DEVICE_LOST;
    assert_ptr_equal(&mez_test_plugin()->lost().category(), &own.category());
    assert_true(mez_test_plugin()->lost() == own);
    assert_ptr_equal(&opened().lost().category(), &own.category());
    assert_true(opened().lost() == own);
    assert_true(opened().lost() == mez_test_plugin()->lost());
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {cmocka_unit_test(categories_are_one_object)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
