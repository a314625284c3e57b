// SPDX-License-Identifier: MIT
//
// What the tests of the no-op driver share: Level Zero as the library under test finds it, and objects to try it on.

#ifndef NOOP_DRIVER_FIXTURE_H
#define NOOP_DRIVER_FIXTURE_H

#include "noop.h"

#include <level_zero/zes_api.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define assert_ok(call) assert_int_equal((call), ZE_RESULT_SUCCESS)

enum { MILLISECOND = 1000000 };

// The library under test opens the loader the same way: it must not need our program to link it.
#define FUNCTIONS(X)                          \
    X(zeInit)                                 \
    X(zeDriverGet)                            \
    X(zeDriverGetApiVersion)                  \
    X(zeDriverGetProperties)                  \
    X(zeDriverGetExtensionProperties)         \
    X(zeDriverGetExtensionFunctionAddress)    \
    X(zeDeviceGet)                            \
    X(zeDeviceGetSubDevices)                  \
    X(zeDeviceGetProperties)                  \
    X(zeDeviceGetComputeProperties)           \
    X(zeDeviceGetModuleProperties)            \
    X(zeDeviceGetCommandQueueGroupProperties) \
    X(zeContextCreate)                        \
    X(zeContextDestroy)                       \
    X(zeMemAllocShared)                       \
    X(zeMemAllocDevice)                       \
    X(zeMemGetAllocProperties)                \
    X(zeMemGetAddressRange)                   \
    X(zeMemFree)                              \
    X(zeMemGetIpcHandle)                      \
    X(zeMemOpenIpcHandle)                     \
    X(zeMemCloseIpcHandle)                    \
    X(zesDeviceEnumMemoryModules)             \
    X(zesMemoryGetProperties)                 \
    X(zesMemoryGetState)                      \
    X(zeModuleCreate)                         \
    X(zeModuleDestroy)                        \
    X(zeModuleGetKernelNames)                 \
    X(zeModuleGetProperties)                  \
    X(zeModuleGetGlobalPointer)               \
    X(zeModuleGetFunctionPointer)             \
    X(zeModuleGetNativeBinary)                \
    X(zeModuleDynamicLink)                    \
    X(zeModuleBuildLogGetString)              \
    X(zeModuleBuildLogDestroy)                \
    X(zeKernelCreate)                         \
    X(zeKernelDestroy)                        \
    X(zeKernelGetProperties)                  \
    X(zeKernelGetName)                        \
    X(zeKernelSetArgumentValue)               \
    X(zeKernelSetGroupSize)                   \
    X(zeKernelSuggestGroupSize)               \
    X(zeCommandQueueCreate)                   \
    X(zeCommandQueueDestroy)                  \
    X(zeCommandQueueExecuteCommandLists)      \
    X(zeCommandQueueSynchronize)              \
    X(zeCommandListCreate)                    \
    X(zeCommandListCreateImmediate)           \
    X(zeCommandListDestroy)                   \
    X(zeCommandListClose)                     \
    X(zeCommandListReset)                     \
    X(zeCommandListAppendLaunchKernel)        \
    X(zeCommandListAppendBarrier)             \
    X(zeCommandListAppendMemoryCopy)          \
    X(zeCommandListAppendMemoryFill)          \
    X(zeCommandListAppendEventReset)          \
    X(zeFenceCreate)                          \
    X(zeFenceDestroy)                         \
    X(zeFenceQueryStatus)                     \
    X(zeFenceHostSynchronize)                 \
    X(zeEventPoolCreate)                      \
    X(zeEventPoolDestroy)                     \
    X(zeEventCreate)                          \
    X(zeEventDestroy)                         \
    X(zeEventHostSignal)                      \
    X(zeEventHostReset)                       \
    X(zeEventQueryStatus)                     \
    X(zeEventHostSynchronize)

#define DECLARE(name) __typeof__(&name) name;
struct functions {
    FUNCTIONS(DECLARE)
};
extern struct functions ze;

// Fills `ze`, also where there is no fixture.
void load(void);
// A function of the library, or the test fails.
void *find(void *library, const char *name);

struct fixture {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t context;
};

// For cmocka: *state is the fixture, for the whole group.
int create_fixture(void **state);
int destroy_fixture(void **state);

// Before and after each test; whatever it did, only the context is left.
int reset(void **state);
int check_leaks(void **state);
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, reset, check_leaks)

// Each fails the test where it does not succeed.
ze_command_list_handle_t create_immediate_list(const struct fixture *f);
ze_command_list_handle_t create_list(const struct fixture *f);
ze_command_queue_handle_t create_queue(const struct fixture *f);
ze_module_handle_t create_module(const struct fixture *f); // of `spirv`

enum { EVENTS = 4 };

struct events {
    ze_event_pool_handle_t pool;
    ze_event_handle_t all[EVENTS];
};

struct events create_events(const struct fixture *f);
void destroy_events(struct events *events);

// SPIR-V by hand: the first word of an instruction without its opcode, and four letters of a string.
#define WORDS(n) ((uint32_t)(n) << 16)
#define STRING(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum { SPIRV_WORDS = 39 };
extern const uint32_t
    spirv[SPIRV_WORDS]; // kernels "add" of three arguments and "run" of none; imports "ext"

ze_result_t build(const struct fixture *f, const void *input, size_t size,
    ze_module_handle_t *module, ze_module_build_log_handle_t *log);
ze_result_t create_kernel(ze_module_handle_t module, const char *name, ze_kernel_handle_t *kernel);

#endif
