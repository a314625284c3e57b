// SPDX-License-Identifier: MIT
//
// Level Zero's functions that the library calls, looked up in the loader by name, and the one way to call them.

#ifndef MEZ_ZE_CALL_H
#define MEZ_ZE_CALL_H

#include <level_zero/ze_api.h>
#include <ze_newer.h>

#include "base/error.h"
#include "base/process.h"
#include "base/log.h"

// --- Functions

// Part of every loader since specification 1.1; opening fails where one is missing.
#define MEZ_ZE_FUNCTIONS(X)                       \
    X(zeInit)                                     \
    X(zeDriverGet)                                \
    X(zeDriverGetApiVersion)                      \
    X(zeDriverGetProperties)                      \
    X(zeDriverGetExtensionFunctionAddress)        \
    X(zeDriverGetExtensionProperties)             \
    X(zeDeviceGet)                                \
    X(zeDeviceGetSubDevices)                      \
    X(zeDeviceGetProperties)                      \
    X(zeDeviceGetComputeProperties)               \
    X(zeDeviceGetModuleProperties)                \
    X(zeDeviceGetMemoryProperties)                \
    X(zeDeviceGetMemoryAccessProperties)          \
    X(zeDeviceGetCommandQueueGroupProperties)     \
    X(zeDeviceGetImageProperties)                 \
    X(zeDeviceGetGlobalTimestamps)                \
    X(zeContextCreate)                            \
    X(zeContextDestroy)                           \
    X(zeMemAllocDevice)                           \
    X(zeMemAllocHost)                             \
    X(zeMemAllocShared)                           \
    X(zeMemFree)                                  \
    X(zeMemGetAllocProperties)                    \
    X(zeMemGetAddressRange)                       \
    X(zeMemGetIpcHandle)                          \
    X(zeMemOpenIpcHandle)                         \
    X(zeMemCloseIpcHandle)                        \
    X(zeModuleCreate)                             \
    X(zeModuleDestroy)                            \
    X(zeModuleDynamicLink)                        \
    X(zeModuleBuildLogGetString)                  \
    X(zeModuleBuildLogDestroy)                    \
    X(zeModuleGetGlobalPointer)                   \
    X(zeModuleGetKernelNames)                     \
    X(zeModuleGetNativeBinary)                    \
    X(zeModuleGetProperties)                      \
    X(zeKernelCreate)                             \
    X(zeKernelDestroy)                            \
    X(zeKernelGetProperties)                      \
    X(zeKernelSetArgumentValue)                   \
    X(zeKernelSetGroupSize)                       \
    X(zeKernelSetIndirectAccess)                  \
    X(zeKernelSuggestGroupSize)                   \
    X(zeCommandQueueCreate)                       \
    X(zeCommandQueueDestroy)                      \
    X(zeCommandQueueExecuteCommandLists)          \
    X(zeCommandQueueSynchronize)                  \
    X(zeCommandListCreateImmediate)               \
    X(zeCommandListCreate)                        \
    X(zeCommandListDestroy)                       \
    X(zeCommandListClose)                         \
    X(zeCommandListReset)                         \
    X(zeCommandListAppendBarrier)                 \
    X(zeCommandListAppendLaunchKernel)            \
    X(zeCommandListAppendMemoryCopy)              \
    X(zeCommandListAppendMemoryFill)              \
    X(zeFenceCreate)                              \
    X(zeFenceDestroy)                             \
    X(zeFenceHostSynchronize)                     \
    X(zeFenceReset)                               \
    X(zeEventPoolCreate)                          \
    X(zeEventPoolDestroy)                         \
    X(zeEventCreate)                              \
    X(zeEventDestroy)                             \
    X(zeEventHostReset)                           \
    X(zeEventHostSignal)                          \
    X(zeEventHostSynchronize)                     \
    X(zeKernelSuggestMaxCooperativeGroupCount)    \
    X(zeCommandListAppendLaunchCooperativeKernel) \
    X(zeCommandListAppendMemoryCopyRegion)        \
    X(zeCommandListAppendMemoryPrefetch)          \
    X(zeCommandListAppendMemAdvise)               \
    X(zeEventQueryKernelTimestamp)

typedef struct mez_ze_functions {
#define MEZ_ZE_MEMBER(function) __typeof__(function) *function;
    MEZ_ZE_FUNCTIONS(MEZ_ZE_MEMBER)
#undef MEZ_ZE_MEMBER
} mez_ze_functions;

// Filled by mez_ze_open, constant from then on.
MEZ_HIDDEN extern mez_ze_functions mez_ze;

// --- Functions beyond those of Level Zero 1.4
//
// Their types are in ze_newer.h. They are found by name in the loader, else through zeDriverGetExtensionFunctionAddress; NULL: this
// driver has none.

typedef ze_result_t mez_ze_init_drivers_function(
    uint32_t *count, ze_driver_handle_t *drivers, ze_newer_init_driver_type_desc_t *desc);

// X(name, major, minor, parameters): the specification that has it; 0.0: only drivers have it, by name.
#define MEZ_ZE_NEWER_FUNCTIONS(X)                                                                      \
    /* Waits for everything in an immediate list. */                                                   \
    X(zeCommandListHostSynchronize, 1, 6, (ze_command_list_handle_t list, uint64_t timeout))           \
    /* The driver calls it from a thread of its own. */                                                \
    X(zeCommandListAppendHostFunction, 1, 17,                                                          \
        (ze_command_list_handle_t list, ze_newer_host_function_t * function, void *data,               \
            const void *next, ze_event_handle_t signal, uint32_t wait_count,                           \
            ze_event_handle_t *wait))                                                                  \
    /* A single counter-based event, for lists of the device. */                                       \
    X(zexCounterBasedEventCreate2, 0, 0,                                                               \
        (ze_context_handle_t context, ze_device_handle_t device,                                       \
            const ze_newer_event_counter_based_desc_t *desc, ze_event_handle_t *event))                \
    /* Why this thread's last call failed; the text is the driver's, "" where the code says it all. */ \
    X(zeDriverGetLastErrorDescription, 1, 6, (ze_driver_handle_t driver, const char **text))           \
    /* Runs closed regular lists in the middle of an immediate one. */                                 \
    X(zeCommandListImmediateAppendCommandListsExp, 1, 9,                                               \
        (ze_command_list_handle_t list, uint32_t count, ze_command_list_handle_t * lists,              \
            ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t * wait))

typedef struct mez_ze_newer_functions {
#define MEZ_ZE_MEMBER(name, major, minor, parameters) ze_result_t(*name) parameters;
    MEZ_ZE_NEWER_FUNCTIONS(MEZ_ZE_MEMBER)
#undef MEZ_ZE_MEMBER
} mez_ze_newer_functions;

// --- Tools
//
// They are notified of Level Zero calls, all but zeInitDrivers. Where a dispatcher is loaded the tables of functions lead to wrappers,
// which scripts/ze_wrappers.py writes; elsewhere they lead to the loader, and no call pays for anything.

// The table is complete, and nobody else knows it yet. Not thread-safe.
void mez_ze_trace_functions(mez_ze_functions *table);

// Those that are missing stay missing. Thread-safe.
void mez_ze_trace_newer(mez_ze_newer_functions *newer);

// --- Calls
//
// The one way to call Level Zero.
//
//     MEZ_TRY(ZE(zeFenceReset, fence));
//
// ZE checks the result and turns a failure into an error whose story holds the call's text, its place here and its code.
// ZE_RESULT returns the bare ze_result_t, for calls whose failure is an answer (a wait that is not over). Both show the
// call when the log's topic `ze` is at level trace; otherwise that costs one predicted branch.

#define ZE_RESULT(function, ...) \
    mez_ze_traced(mez_ze.function(__VA_ARGS__), #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__)

// The same for a function that is newer than Level Zero 1.4, found in `newer`.
#define ZE_NEWER_RESULT(newer, function, ...) \
    mez_ze_traced(                            \
        (newer)->function(__VA_ARGS__), #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__)

#define ZE(function, ...) \
    mez_ze_checked(       \
        ZE_RESULT(function, __VA_ARGS__), #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__)

#define ZE_NEWER(newer, function, ...)                                                            \
    mez_ze_checked(ZE_NEWER_RESULT(newer, function, __VA_ARGS__), #function "(" #__VA_ARGS__ ")", \
        __FILE__, __LINE__)

// For calls in clean-up paths: a failure is logged, because an earlier error or none at all goes to the user.
#define ZE_LOGGED(function, ...) mez_log_error(MEZ_TOPIC_ZE, ZE(function, __VA_ARGS__))

__attribute__((cold)) void mez_ze_trace(
    ze_result_t result, const char *call, const char *file, int line);
__attribute__((cold)) mez_error mez_ze_failure(
    ze_result_t result, const char *call, const char *file, int line);

static inline ze_result_t mez_ze_traced(
    ze_result_t result, const char *call, const char *file, int line)
{
    if (mez_log_shows(MEZ_TOPIC_ZE, MEZ_LOG_TRACE))
        mez_ze_trace(result, call, file, line);
    return result;
}

static inline mez_error mez_ze_checked(
    ze_result_t result, const char *call, const char *file, int line)
{
    if (__builtin_expect(result == ZE_RESULT_SUCCESS, 1))
        return mez_ok();
    return mez_ze_failure(result, call, file, line);
}

#endif
