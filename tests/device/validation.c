// SPDX-License-Identifier: MIT
//
// The loader's validation layer: is it there, and does what it refuses reach the user of Mezzanine as an error? Without that the
// runs of other programs under the layer would say nothing.

#include "harness.h"

#include <dlfcn.h>
#include <stdio.h>

#include <level_zero/ze_ddi.h>

#include <mezzanine/level_zero.h>

enum { IN_ORDER = 1 << 1 }; // ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which specification 1.4 does not have

// Old drivers take the flag of in-order queues and ignore it; so does the CPU driver.
static void the_layer_refuses_unknown_flags(void **state)
{
    (void)state;
    void *loader = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(loader);
    ze_pfnCommandQueueCreate_t create;
    void *found = dlsym(loader, "zeCommandQueueCreate");
    assert_non_null(found);
    memcpy(&create, &found, sizeof create);
    const ze_command_queue_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .flags = IN_ORDER};
    ze_command_queue_handle_t queue;
    assert_int_equal(create(mez_context_get_ze(mez_test_context()),
                         mez_device_get_ze(mez_test_device()), &description, &queue),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    dlclose(loader);
}

// In the newer mode of the CPU driver there are in-order lists, whose flag the layer of Debian's loader does not know. So they
// count as missing, and the story says what to use.
static void create_a_newer_queue(void)
{
    mez_queue *queue;
    const mez_error error = mez_queue_create(
        mez_test_context(), &(const mez_queue_params){.kind = MEZ_QUEUE_IMMEDIATE}, &queue);
    mez_error_print(stdout, error);
}

static void what_it_would_refuse_is_not_used(void **state)
{
    (void)state;
    mez_test_death death;
    setenv("ZE_CPU_NEWER", "1", 1);
    mez_test_run_child("newer queue", &death);
    unsetenv("ZE_CPU_NEWER");
    assert_non_null(strstr(death.output, "MEZ_ERRC_FEATURE_NOT_SUPPORTED"));
    assert_non_null(strstr(death.output, "no in-order immediate lists"));
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(the_layer_refuses_unknown_flags),
        MEZ_DEVICE_TEST(what_it_would_refuse_is_not_used),
    };
    static const mez_test_child children[] = {{"newer queue", create_a_newer_queue}, {NULL, NULL}};
    return MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
}
