// SPDX-License-Identifier: MIT
//
// The loader's validation layer: is it there, and does what it refuses reach the user of Mezzanine as an error? Without that the
// runs of other programs under the layer would say nothing.

#include "harness.h"

#include <dlfcn.h>
#include <stdio.h>

#include <level_zero/ze_ddi.h>

#include <mezzanine/level_zero.h>

enum {
    IN_ORDER = 1 << 1, // ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which specification 1.4 does not have
    UNKNOWN = 1 << 30,
};

static void *find(const char *name)
{
    void *loader = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(loader);
    void *found = dlsym(loader, name);
    dlclose(loader);
    return found;
}

static ze_result_t create_with(ze_command_queue_flags_t flags)
{
    ze_pfnCommandQueueCreate_t create;
    ze_pfnCommandQueueDestroy_t destroy;
    void *found = find("zeCommandQueueCreate"), *undo = find("zeCommandQueueDestroy");
    assert_non_null(found);
    assert_non_null(undo);
    memcpy(&create, &found, sizeof create);
    memcpy(&destroy, &undo, sizeof destroy);
    const ze_command_queue_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .flags = flags};
    ze_command_queue_handle_t queue;
    const ze_result_t result = create(mez_context_get_ze(mez_test_context()),
        mez_device_get_ze(mez_test_device()), &description, &queue);
    if (result == ZE_RESULT_SUCCESS)
        assert_int_equal(destroy(queue), ZE_RESULT_SUCCESS);
    return result;
}

// Loaders with zeInitDrivers know the flag of in-order queues.
static bool is_newer(void)
{
    return find("zeInitDrivers") != NULL;
}

// Drivers ignore flags that they don't know; so does the CPU driver.
static void the_layer_refuses_unknown_flags(void **state)
{
    (void)state;
    assert_int_equal(create_with(UNKNOWN), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_int_equal(create_with(IN_ORDER),
        is_newer() ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

// In the newer mode of the CPU driver there are in-order lists. Where the layer does not know their flag they count as missing, and
// the story says what to use.
static void create_a_newer_queue(void)
{
    mez_queue *queue;
    const mez_error error = mez_queue_create(
        mez_test_context(), &(const mez_queue_params){.kind = MEZ_QUEUE_IMMEDIATE}, &queue);
    mez_error_print(stdout, error);
    if (mez_failed(error))
        return;
    puts("a queue");
    mez_queue_destroy(&queue);
}

static void what_it_would_refuse_is_not_used(void **state)
{
    (void)state;
    mez_test_death death;
    setenv("ZE_CPU_NEWER", "1", 1);
    mez_test_run_child("newer queue", &death);
    unsetenv("ZE_CPU_NEWER");
    if (is_newer()) {
        assert_non_null(strstr(death.output, "a queue"));
        return;
    }
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
