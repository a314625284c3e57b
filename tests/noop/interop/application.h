// SPDX-License-Identifier: MIT
//
// An application that uses Level Zero by itself, through the loader it is linked with.

#ifndef MEZ_TESTS_NOOP_INTEROP_APPLICATION_H
#define MEZ_TESTS_NOOP_INTEROP_APPLICATION_H

#include "runtime.h"

#include <mezzanine/level_zero.h>

typedef struct application {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t ze;
    mez_context *context; // adopted
} application;

// Opens Level Zero on a fresh no-op driver, and makes `ze`.
void application_open(application *app);
void application_close(application *app);

// The parameters that adopt it all.
mez_context_adopt_params all_of(const application *app);

// For cmocka: *state is an application whose context has been adopted.
int application_setup(void **state);
int application_teardown(void **state);

#define APPLICATION_TEST(name) \
    cmocka_unit_test_setup_teardown(name, application_setup, application_teardown)

#endif
