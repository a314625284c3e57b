// SPDX-License-Identifier: MIT

#include "ze/caps.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "trace/trace.h"
#include "ze/call.h"
#include "ze/loader.h"

// Intel numbers its drivers so in every release; the rest is the build.
#define INTEL_DRIVER 0x0103u

static bool lists(const mez_caps *caps, const char *name)
{
    for (uint32_t i = 0; i < caps->extension_count; i++)
        if (strcmp(caps->extensions[i].name, name) == 0)
            return true;
    return false;
}

static void note_extension(mez_caps *caps, uint32_t index)
{
    const ze_driver_extension_properties_t *listed = &caps->listed[index];
    caps->extensions[index] =
        (mez_driver_extension){.name = listed->name, .version = listed->version};
    mez_log(ZE, DEBUG, "driver lists %s %u.%u", listed->name, listed->version >> 16,
        listed->version & 0xffff);
}

static mez_error read_extensions(ze_driver_handle_t driver, mez_caps *caps)
{
    uint32_t count = 0;
    MEZ_TRY(ZE(zeDriverGetExtensionProperties, driver, &count, NULL));
    if (count == 0)
        return mez_ok();
    caps->listed = mez_alloc_array(count, sizeof *caps->listed);
    caps->extensions = mez_alloc_array(count, sizeof *caps->extensions);
    if (!caps->listed || !caps->extensions)
        return mez_error_no_memory("the driver's list of extensions");
    MEZ_TRY(ZE(zeDriverGetExtensionProperties, driver, &count, caps->listed));
    for (uint32_t i = 0; i < count; i++)
        note_extension(caps, i);
    caps->extension_count = count;
    return mez_ok();
}

static void *ask_driver(ze_driver_handle_t driver, const char *name)
{
    void *function = NULL;
    const ze_result_t result =
        ZE_RESULT(zeDriverGetExtensionFunctionAddress, driver, name, &function);
    return result == ZE_RESULT_SUCCESS ? function : NULL;
}

// A new loader over an old driver has the function and returns UNSUPPORTED_FEATURE from it, so the loader's symbol counts
// only where the driver's version promises it. The driver's own address takes the driver's own handles: not with wrapped
// ones.
static void *find_function(
    ze_driver_handle_t driver, const mez_caps *caps, mez_driver_function *wanted)
{
    const bool promised = wanted->since > 0 && caps->api_version >= wanted->since;
    void *function = promised ? mez_ze_find_function(wanted->name) : NULL;
    wanted->origin = function ? MEZ_FUNCTION_OF_LOADER : MEZ_FUNCTION_MISSING;
    if (!function && !caps->wrapped && (function = ask_driver(driver, wanted->name)))
        wanted->origin = MEZ_FUNCTION_OF_DRIVER;
    mez_log(ZE, DEBUG, "%s: %s", wanted->name, function ? "found" : "not there");
    return function;
}

static void find_functions(ze_driver_handle_t driver, mez_caps *caps)
{
    mez_driver_function *next = caps->functions;
#define FIND(function, major, minor, parameters)                              \
    *next = (mez_driver_function){                                            \
        .name = #function, .since = (uint32_t)ZE_MAKE_VERSION(major, minor)}; \
    *(void **)&caps->newer.function = find_function(driver, caps, next++);
    MEZ_ZE_NEWER_FUNCTIONS(FIND)
#undef FIND
    *next = (mez_driver_function){.name = MEZ_INIT_DRIVERS,
        .since = (uint32_t)ZE_MAKE_VERSION(1, 10),
        .origin = mez_ze_uses_init_drivers() ? MEZ_FUNCTION_OF_LOADER : MEZ_FUNCTION_MISSING};
    if (mez_trace_on(MEZ_TRACE_ZE))
        mez_ze_trace_newer(&caps->newer);
}

static bool is_on(const char *variable)
{
    const char *value = getenv(variable);
    return value && strcmp(value, "1") == 0;
}

bool mez_ze_loader_validates(void)
{
    return is_on("ZE_ENABLE_VALIDATION_LAYER") && is_on("ZE_ENABLE_PARAMETER_VALIDATION");
}

// A loader's validation layer refuses flags that are newer than itself. Those that have zeInitDrivers know all that we use.
static bool loader_refuses_newer_flags(void)
{
    return mez_ze_loader_validates() && !mez_ze_find_function(MEZ_INIT_DRIVERS);
}

static uint32_t build_of(const mez_caps *caps)
{
    return caps->driver_version & 0xffff;
}

// Intel's drivers report 1.6 and less up to build 32567, and their in-order lists are trusted from build 32149 on
// (docs/internals/drivers.md#find-features-do-not-try-them).
static bool has_in_order_lists(const mez_caps *caps)
{
    const bool trusted_build =
        caps->api_version >= ZE_MAKE_VERSION(1, 6) && build_of(caps) >= 32149;
    return caps->newer.zeCommandListHostSynchronize && !loader_refuses_newer_flags() &&
           (caps->api_version >= ZE_MAKE_VERSION(1, 7) || trusted_build);
}

// Specification 1.14 has the hint, but programs failed with early drivers that took it
// (docs/internals/performance.md#copies-on-another-engine). Loaders that are older than the hint may have zeInitDrivers all the same, and
// their validation layer refuses it.
static bool takes_offload_hint(const mez_caps *caps)
{
    return caps->in_order_lists && caps->api_version >= ZE_MAKE_VERSION(1, 15) &&
           !mez_ze_loader_validates();
}

// Intel's drivers since 26.18.38308 (docs/internals/drivers.md#events).
static bool events_keep_lists(const mez_caps *caps)
{
    return caps->driver_version >> 16 == INTEL_DRIVER && build_of(caps) >= 38308;
}

// Drivers that have single ones have pools, too; through a loader that wraps handles only pools are available.
static mez_counter_events counter_events_of(const mez_caps *caps)
{
    if (!caps->in_order_lists) // nothing could signal them
        return MEZ_COUNTER_EVENTS_NONE;
    if (caps->newer.zexCounterBasedEventCreate2)
        return MEZ_COUNTER_EVENTS_SINGLE;
    return lists(caps, ZE_NEWER_EVENT_POOL_COUNTER_BASED_EXP_NAME) ? MEZ_COUNTER_EVENTS_POOLED
                                                                   : MEZ_COUNTER_EVENTS_NONE;
}

mez_error mez_caps_check_link_setting(void)
{
    const char *wanted = mez_setting(MEZ_VARIABLE_ASSERT_LINK);
    if (!wanted || strcmp(wanted, "program") == 0 || strcmp(wanted, "dynamic") == 0)
        return mez_ok();
    return mez_setting_refused(MEZ_VARIABLE_ASSERT_LINK);
}

static bool links_dynamically(void)
{
    const char *wanted = mez_setting(MEZ_VARIABLE_ASSERT_LINK);
    return wanted && strcmp(wanted, "dynamic") == 0;
}

static void judge(mez_caps *caps)
{
    caps->module_program = lists(caps, ZE_MODULE_PROGRAM_EXP_NAME) && !links_dynamically();
    caps->devicelib_assert = lists(caps, ZE_NEWER_INTEL_DEVICELIB_ASSERT_NAME);
    caps->assert_code = lists(caps, ZE_NEWER_INTEL_ASSERT_RETURN_CODE_NAME);
    caps->relaxed_allocation_limits = lists(caps, ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME);
    caps->usable_memory = lists(caps, ZE_NEWER_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME);
    caps->ip_version = lists(caps, ZE_NEWER_DEVICE_IP_VERSION_EXT_NAME);
    caps->in_order_lists = has_in_order_lists(caps);
    caps->copy_offload = takes_offload_hint(caps);
    caps->events_keep_lists = events_keep_lists(caps);
    caps->immediate_append = lists(caps, ZE_NEWER_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME) &&
                             caps->newer.zeCommandListImmediateAppendCommandListsExp;
    caps->host_functions = caps->newer.zeCommandListAppendHostFunction != NULL;
    caps->counter_events = counter_events_of(caps);
}

static mez_error read_all(ze_driver_handle_t driver, mez_caps *caps)
{
    ze_api_version_t api_version;
    MEZ_TRY(ZE(zeDriverGetApiVersion, driver, &api_version));
    caps->api_version = (uint32_t)api_version;

    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    MEZ_TRY(ZE(zeDriverGetProperties, driver, &properties));
    caps->driver_version = properties.driverVersion;
    MEZ_TRY(mez_caps_check_link_setting());
    MEZ_TRY(read_extensions(driver, caps));
    find_functions(driver, caps);
    judge(caps);
    return mez_ok();
}

mez_error mez_caps_read(ze_driver_handle_t driver, bool wrapped, mez_caps *caps)
{
    mez_caps_finish(caps);
    caps->wrapped = wrapped;
    const mez_error error = read_all(driver, caps);
    if (mez_failed(error))
        mez_caps_finish(caps);
    return error;
}

void mez_caps_finish(mez_caps *caps)
{
    mez_free_memory(caps->listed);
    mez_free_memory(caps->extensions);
    *caps = (mez_caps){0};
}
