// SPDX-License-Identifier: MIT

#include "application.h"

void application_open(application *app)
{
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    uint32_t one = 1;
    noop_reset();
    *app = (application){0};
    assert_int_equal(zeInit(0), ZE_RESULT_SUCCESS);
    assert_int_equal(zeDriverGet(&one, &app->driver), ZE_RESULT_SUCCESS);
    assert_int_equal(zeDeviceGet(app->driver, &one, &app->device), ZE_RESULT_SUCCESS);
    assert_int_equal(zeContextCreate(app->driver, &description, &app->ze), ZE_RESULT_SUCCESS);
}

void application_close(application *app)
{
    assert_int_equal(zeContextDestroy(app->ze), ZE_RESULT_SUCCESS);
}

mez_context_adopt_params all_of(const application *app)
{
    return (mez_context_adopt_params){
        .ze_driver = app->driver,
        .ze_context = app->ze,
        .ze_devices = &app->device,
        .ze_device_count = 1,
        .debug_name = "adopted",
    };
}

int application_setup(void **state)
{
    static application app;
    application_open(&app);
    const mez_context_adopt_params params = all_of(&app);
    assert_ok(mez_context_adopt(&params, &app.context));
    *state = &app;
    return 0;
}

int application_teardown(void **state)
{
    application *app = *state;
    noop_hold(false);
    mez_context_destroy(&app->context);
    application_close(app);
    return driver_teardown(state);
}
