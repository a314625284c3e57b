// SPDX-License-Identifier: MIT
//
// The Level Zero functions that the library calls, looked up in the loader by name.

#ifndef MEZ_ZE_FUNCTIONS_H
#define MEZ_ZE_FUNCTIONS_H

#include <level_zero/ze_api.h>

#include "base/hidden.h"

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

#endif
