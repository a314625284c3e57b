// SPDX-License-Identifier: MIT
//
// What a code means; stories are written in error.c.

#include "base/error.h"

// --- The tables

// Codes of the categories runtime and device are their own conditions.
#define OWN(name, message)                                           \
    {                                                                \
        MEZ_ERRC_##name, MEZ_ERRC_##name, "MEZ_ERRC_" #name, message \
    }
#define ZE(value, name, condition, message)           \
    {                                                 \
        value, condition, "ZE_RESULT_" #name, message \
    }

// clang-format off
static const mez_code_info runtime_codes[] = {
    {0, MEZ_SUCCESS, "MEZ_SUCCESS", "success"},
    OWN(KERNEL, "no such kernel, or it cannot be created"),
    OWN(ACCESSOR, "an accessor does not fit the use of its buffer"),
    OWN(ND_RANGE, "a range that the kernel or the device cannot run"),
    OWN(EVENT, "an event that cannot be used here"),
    OWN(INVALID_PARAMETER, "an argument of the call is wrong"),
    OWN(KERNEL_ARGUMENT, "the kernel's arguments do not fit its declaration, or the device can't reach one of them"),
    OWN(KERNEL_NOT_SUPPORTED, "the kernel needs what the device does not have"),
    OWN(INVALID_IMAGE, "not a device image, or a damaged one"),
    OWN(FILE, "a file cannot be read or written"),
    OWN(OUT_OF_HOST_MEMORY, "the host has no memory left"),
    OWN(TIMEOUT, "the time limit passed before the wait was over"),
    OWN(WRONG_STATE, "the call cannot be made now"),
    OWN(STRAY_WRITE, "memory was written where nothing is allocated"),
};

static const mez_code_info device_codes[] = {
    OWN(COMPILE_PROGRAM, "a compiler refused the code"),
    OWN(LINK_PROGRAM, "symbols are missing or defined twice"),
    OWN(INVALID_OBJECT, "the driver does not accept an object or argument"),
    OWN(MEMORY_ALLOCATION, "the device has no memory for it"),
    OWN(PLATFORM, "no usable driver or device"),
    OWN(PROFILING, "times are not available"),
    OWN(FEATURE_NOT_SUPPORTED, "the driver does not implement it"),
    OWN(DEVICE_LOST, "the device hung, was reset or was removed"),
    OWN(ASSERT, "a device-side assert failed"),
    OWN(NOT_READY, "not finished yet"),
    OWN(UNKNOWN, "a code that this version of Mezzanine does not know"),
};

// Numbers and names: Level Zero specification, ze_result_t, up to version 1.17.
static const mez_code_info level_zero_codes[] = {
    ZE(0x00000000, SUCCESS, MEZ_SUCCESS,
        "success"),
    ZE(0x00000001, NOT_READY, MEZ_ERRC_NOT_READY,
        "a synchronization primitive is not signalled yet"),
    ZE(0x70000001, ERROR_DEVICE_LOST, MEZ_ERRC_DEVICE_LOST,
        "the device hung, was reset or removed, or its driver was updated"),
    ZE(0x70000002, ERROR_OUT_OF_HOST_MEMORY, MEZ_ERRC_OUT_OF_HOST_MEMORY,
        "the driver found no host memory for the call"),
    ZE(0x70000003, ERROR_OUT_OF_DEVICE_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION,
        "the device has no memory for the call"),
    ZE(0x70000004, ERROR_MODULE_BUILD_FAILURE, MEZ_ERRC_COMPILE_PROGRAM,
        "the driver's compiler could not build the module"),
    ZE(0x70000005, ERROR_MODULE_LINK_FAILURE, MEZ_ERRC_LINK_PROGRAM,
        "the driver could not link the modules"),
    ZE(0x70000006, ERROR_DEVICE_REQUIRES_RESET, MEZ_ERRC_DEVICE_LOST,
        "the device needs a reset before it works again"),
    ZE(0x70000007, ERROR_DEVICE_IN_LOW_POWER_STATE, MEZ_ERRC_PLATFORM,
        "the device is in a low power state"),
    ZE(0x7ff00001, EXP_ERROR_DEVICE_IS_NOT_VERTEX, MEZ_ERRC_INVALID_OBJECT,
        "the device is not a vertex of the fabric"),
    ZE(0x7ff00002, EXP_ERROR_VERTEX_IS_NOT_DEVICE, MEZ_ERRC_INVALID_OBJECT,
        "the fabric vertex is not a device"),
    ZE(0x7ff00003, EXP_ERROR_REMOTE_DEVICE, MEZ_ERRC_INVALID_OBJECT,
        "the fabric vertex is a device of another node or subdevice"),
    ZE(0x7ff00004, EXP_ERROR_OPERANDS_INCOMPATIBLE, MEZ_ERRC_INVALID_OBJECT,
        "the operands of a comparison do not fit each other"),
    ZE(0x7ff00005, EXP_RTAS_BUILD_RETRY, MEZ_ERRC_NOT_READY,
        "the ray tracing structure did not fit its buffer: build again with a larger one"),
    ZE(0x7ff00006, EXP_RTAS_BUILD_DEFERRED, MEZ_ERRC_NOT_READY,
        "building the ray tracing structure goes on in a parallel operation"),
    ZE(0x70010000, ERROR_INSUFFICIENT_PERMISSIONS, MEZ_ERRC_PLATFORM,
        "access was denied for lack of permissions"),
    ZE(0x70010001, ERROR_NOT_AVAILABLE, MEZ_ERRC_PLATFORM,
        "the resource is in use by somebody else"),
    ZE(0x70020000, ERROR_DEPENDENCY_UNAVAILABLE, MEZ_ERRC_PLATFORM,
        "something that the driver depends on is missing"),
    ZE(0x70020001, WARNING_DROPPED_DATA, MEZ_ERRC_PROFILING,
        "data may have been dropped"),
    ZE(0x78000001, ERROR_UNINITIALIZED, MEZ_ERRC_PLATFORM,
        "the driver is not initialized"),
    ZE(0x78000002, ERROR_UNSUPPORTED_VERSION, MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "the driver does not support this version"),
    ZE(0x78000003, ERROR_UNSUPPORTED_FEATURE, MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "the driver does not support this feature"),
    ZE(0x78000004, ERROR_INVALID_ARGUMENT, MEZ_ERRC_INVALID_OBJECT,
        "the driver found an argument invalid"),
    ZE(0x78000005, ERROR_INVALID_NULL_HANDLE, MEZ_ERRC_INVALID_OBJECT,
        "a handle is NULL"),
    ZE(0x78000006, ERROR_HANDLE_OBJECT_IN_USE, MEZ_ERRC_INVALID_OBJECT,
        "the object is still in use by the device"),
    ZE(0x78000007, ERROR_INVALID_NULL_POINTER, MEZ_ERRC_INVALID_OBJECT,
        "a pointer is NULL"),
    ZE(0x78000008, ERROR_INVALID_SIZE, MEZ_ERRC_INVALID_OBJECT,
        "a size is invalid"),
    ZE(0x78000009, ERROR_UNSUPPORTED_SIZE, MEZ_ERRC_MEMORY_ALLOCATION,
        "a size is more than the device supports"),
    ZE(0x7800000a, ERROR_UNSUPPORTED_ALIGNMENT, MEZ_ERRC_INVALID_OBJECT,
        "an alignment is not supported by the device"),
    ZE(0x7800000b, ERROR_INVALID_SYNCHRONIZATION_OBJECT, MEZ_ERRC_EVENT,
        "a synchronization object is in the wrong state"),
    ZE(0x7800000c, ERROR_INVALID_ENUMERATION, MEZ_ERRC_INVALID_OBJECT,
        "an enumerator is invalid"),
    ZE(0x7800000d, ERROR_UNSUPPORTED_ENUMERATION, MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "an enumerator is not supported by the device"),
    ZE(0x7800000e, ERROR_UNSUPPORTED_IMAGE_FORMAT, MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "the image format is not supported by the device"),
    ZE(0x7800000f, ERROR_INVALID_NATIVE_BINARY, MEZ_ERRC_COMPILE_PROGRAM,
        "the native binary does not fit the device"),
    ZE(0x78000010, ERROR_INVALID_GLOBAL_NAME, MEZ_ERRC_INVALID_OBJECT,
        "the module has no global variable of that name"),
    ZE(0x78000011, ERROR_INVALID_KERNEL_NAME, MEZ_ERRC_KERNEL,
        "the module has no kernel of that name"),
    ZE(0x78000012, ERROR_INVALID_FUNCTION_NAME, MEZ_ERRC_INVALID_OBJECT,
        "the module has no function of that name"),
    ZE(0x78000013, ERROR_INVALID_GROUP_SIZE_DIMENSION, MEZ_ERRC_ND_RANGE,
        "the work-group size is not valid for the kernel or device"),
    ZE(0x78000014, ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, MEZ_ERRC_ND_RANGE,
        "the global width is not valid for the kernel or device"),
    ZE(0x78000015, ERROR_INVALID_KERNEL_ARGUMENT_INDEX, MEZ_ERRC_KERNEL_ARGUMENT,
        "the kernel has no argument of that index"),
    ZE(0x78000016, ERROR_INVALID_KERNEL_ARGUMENT_SIZE, MEZ_ERRC_KERNEL_ARGUMENT,
        "the size is not the one of the kernel's argument"),
    ZE(0x78000017, ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE, MEZ_ERRC_KERNEL,
        "the value of a kernel attribute is not valid"),
    ZE(0x78000018, ERROR_INVALID_MODULE_UNLINKED, MEZ_ERRC_LINK_PROGRAM,
        "the module imports symbols and has not been linked"),
    ZE(0x78000019, ERROR_INVALID_COMMAND_LIST_TYPE, MEZ_ERRC_INVALID_OBJECT,
        "the command list does not fit the command queue"),
    ZE(0x7800001a, ERROR_OVERLAPPING_REGIONS, MEZ_ERRC_INVALID_OBJECT,
        "source and destination of a copy overlap"),
    ZE(0x7800001b, WARNING_ACTION_REQUIRED, MEZ_ERRC_PLATFORM,
        "an action is required to complete the operation"),
    ZE(0x7800001c, ERROR_INVALID_KERNEL_HANDLE, MEZ_ERRC_INVALID_OBJECT,
        "the kernel handle is invalid for the operation"),
    ZE(0x7800001d, EXT_RTAS_BUILD_RETRY, MEZ_ERRC_NOT_READY,
        "the ray tracing structure did not fit its buffer: build again with a larger one"),
    ZE(0x7800001e, EXT_RTAS_BUILD_DEFERRED, MEZ_ERRC_NOT_READY,
        "building the ray tracing structure goes on in a parallel operation"),
    ZE(0x7800001f, EXT_ERROR_OPERANDS_INCOMPATIBLE, MEZ_ERRC_INVALID_OBJECT,
        "the operands of a comparison do not fit each other"),
    ZE(0x78000020, ERROR_SURVIVABILITY_MODE_DETECTED, MEZ_ERRC_PLATFORM,
        "the device is in survivability mode: its firmware must be updated"),
    ZE(0x78000021, ERROR_ADDRESS_NOT_FOUND, MEZ_ERRC_INVALID_OBJECT,
        "the address was not found"),
    ZE(0x78000022, QUERY_TRUE, MEZ_ERRC_UNKNOWN,
        "the answer to a query is yes"),
    ZE(0x78000023, QUERY_FALSE, MEZ_ERRC_UNKNOWN,
        "the answer to a query is no"),
    ZE(0x78000024, ERROR_INVALID_GRAPH, MEZ_ERRC_INVALID_OBJECT,
        "the graph is invalid"),
    ZE(0x78000025, ERROR_GRAPH_CAPTURE_UNSUPPORTED, MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "the operation can't be captured in a graph"),
    ZE(0x78000026, ERROR_GRAPH_CAPTURE_INVALIDATED, MEZ_ERRC_INVALID_OBJECT,
        "an earlier failure has made the capture of the graph invalid"),
    ZE(0x78000027, ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT, MEZ_ERRC_INVALID_OBJECT,
        "the operation would join two graphs that are being captured"),
    ZE(0x78000028, ERROR_COMMAND_LIST_NOT_CAPTURING, MEZ_ERRC_INVALID_OBJECT,
        "the command list captures no graph"),
    ZE(0x78000029, ERROR_GRAPH_UNJOINED_FORKS, MEZ_ERRC_INVALID_OBJECT,
        "the graph has forks that were not joined"),
    ZE(0x7800002a, ERROR_GRAPH_INTERNAL_EVENT, MEZ_ERRC_EVENT,
        "the event is inside a graph and can't be used outside it"),
    ZE(0x7ffffffe, ERROR_UNKNOWN, MEZ_ERRC_UNKNOWN,
        "an unknown error inside the driver"),
};
// clang-format on

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

const mez_code_info *mez_code_table(mez_category category, size_t *count)
{
    switch (category) {
    case MEZ_CATEGORY_SUCCESS:
        *count = 1;
        return runtime_codes;
    case MEZ_CATEGORY_RUNTIME:
        *count = COUNT(runtime_codes) - 1; // success has a category of its own
        return runtime_codes + 1;
    case MEZ_CATEGORY_DEVICE:
        *count = COUNT(device_codes);
        return device_codes;
    case MEZ_CATEGORY_LEVEL_ZERO:
        *count = COUNT(level_zero_codes);
        return level_zero_codes;
    }
    *count = 0;
    return NULL;
}

const mez_code_info *mez_code_find(mez_category category, int32_t value)
{
    size_t count;
    const mez_code_info *table = mez_code_table(category, &count);
    for (size_t i = 0; i < count; i++)
        if (table[i].value == value)
            return &table[i];
    return NULL;
}

const char *mez_code_level_zero_name(int32_t result)
{
    const mez_error code = {.value = result, .origin = MEZ_CATEGORY_LEVEL_ZERO};
    return result == 0 ? "ZE_RESULT_SUCCESS" : mez_error_get_name(code);
}

// --- What programs ask

mez_condition mez_error_get_condition(mez_error error)
{
    if (!mez_failed(error))
        return MEZ_SUCCESS;
    const mez_code_info *info = mez_code_find(mez_error_get_category(error), error.value);
    return info ? info->condition : MEZ_ERRC_UNKNOWN;
}

bool mez_error_is(mez_error error, mez_condition condition)
{
    return mez_error_get_condition(error) == condition;
}

bool mez_error_is_in(mez_error error, mez_category category)
{
    return mez_failed(error)
               ? mez_error_get_category(error) == category ||
                     mez_condition_get_category(mez_error_get_condition(error)) == category
               : category == MEZ_CATEGORY_SUCCESS;
}

const char *mez_error_get_name(mez_error error)
{
    if (!mez_failed(error))
        return "MEZ_SUCCESS";
    const mez_code_info *info = mez_code_find(mez_error_get_category(error), error.value);
    return info ? info->name : "MEZ_ERRC_UNKNOWN";
}

const char *mez_error_get_message(mez_error error)
{
    if (!mez_failed(error))
        return "success";
    const mez_code_info *info = mez_code_find(mez_error_get_category(error), error.value);
    return info ? info->message : "a code that this version of Mezzanine does not know";
}

const char *mez_condition_get_name(mez_condition condition)
{
    return mez_error_get_name(
        mez_error_of(mez_condition_get_category(condition), (int32_t)condition));
}

const char *mez_condition_get_message(mez_condition condition)
{
    return mez_error_get_message(
        mez_error_of(mez_condition_get_category(condition), (int32_t)condition));
}

const char *mez_category_get_name(mez_category category)
{
    switch (category) {
    case MEZ_CATEGORY_SUCCESS:
        return "success";
    case MEZ_CATEGORY_RUNTIME:
        return "mezzanine runtime";
    case MEZ_CATEGORY_DEVICE:
        return "mezzanine device";
    case MEZ_CATEGORY_LEVEL_ZERO:
        return "level_zero";
    }
    return "unknown";
}
