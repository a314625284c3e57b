// SPDX-License-Identifier: MIT

#include "ze/caps.h"

#include <string.h>

#include "base/alloc.h"
#include "ze/loader.h"

static void note_extension(mez_caps *caps, const ze_driver_extension_properties_t *extension)
{
    mez_log(ZE, DEBUG, "driver lists %s %u.%u", extension->name, extension->version >> 16,
        extension->version & 0xffff);
    if (strcmp(extension->name, ZE_MODULE_PROGRAM_EXP_NAME) == 0)
        caps->module_program = true;
    if (strcmp(extension->name, ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME) == 0)
        caps->relaxed_allocation_limits = true;
    if (strcmp(extension->name, MEZ_ZE_IMMEDIATE_APPEND_EXP_NAME) == 0)
        caps->immediate_append = true;
}

static mez_error read_extensions(ze_driver_handle_t driver, mez_caps *caps)
{
    uint32_t count = 0;
    MEZ_TRY(ZE(zeDriverGetExtensionProperties, driver, &count, NULL));
    if (count == 0)
        return mez_ok();
    ze_driver_extension_properties_t *list = mez_alloc_array(count, sizeof *list);
    if (!list)
        return mez_error_no_memory("the driver's list of extensions");
    const mez_error error = ZE(zeDriverGetExtensionProperties, driver, &count, list);
    for (uint32_t i = 0; !mez_failed(error) && i < count; i++)
        note_extension(caps, &list[i]);
    mez_free_memory(list);
    return error;
}

// A new loader over an old driver has the function and returns UNSUPPORTED_FEATURE from it, so the loader's symbol counts
// only where the driver's version promises it. The driver's own address takes the driver's own handles: not with wrapped
// ones.
static void *find_function(
    ze_driver_handle_t driver, const mez_caps *caps, const char *name, uint32_t since)
{
    void *function = caps->api_version >= since ? mez_ze_find_function(name) : NULL;
    if (!function && !caps->wrapped &&
        ZE_RESULT(zeDriverGetExtensionFunctionAddress, driver, name, &function) !=
            ZE_RESULT_SUCCESS)
        function = NULL;
    mez_log(ZE, DEBUG, "%s: %s", name, function ? "found" : "not there");
    return function;
}

// Intel's drivers report 1.6 and less up to build 32567, and their in-order lists are trusted from build 32149 on (facts:
// asserts-and-queues.md 2.2).
static bool has_in_order_lists(const mez_caps *caps)
{
    const bool trusted_build =
        caps->api_version >= ZE_MAKE_VERSION(1, 6) && (caps->driver_version & 0xffff) >= 32149;
    return caps->newer.zeCommandListHostSynchronize &&
           (caps->api_version >= ZE_MAKE_VERSION(1, 7) || trusted_build);
}

mez_error mez_caps_read(ze_driver_handle_t driver, bool wrapped, mez_caps *caps)
{
    *caps = (mez_caps){.wrapped = wrapped};
    ze_api_version_t api_version;
    MEZ_TRY(ZE(zeDriverGetApiVersion, driver, &api_version));
    caps->api_version = (uint32_t)api_version;

    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    MEZ_TRY(ZE(zeDriverGetProperties, driver, &properties));
    caps->driver_version = properties.driverVersion;
    MEZ_TRY(read_extensions(driver, caps));
    *(void **)&caps->newer.zeCommandListHostSynchronize =
        find_function(driver, caps, "zeCommandListHostSynchronize", ZE_MAKE_VERSION(1, 6));
    if (caps->immediate_append)
        *(void **)&caps->newer.zeCommandListImmediateAppendCommandListsExp = find_function(
            driver, caps, "zeCommandListImmediateAppendCommandListsExp", ZE_MAKE_VERSION(1, 9));
    caps->in_order_lists = has_in_order_lists(caps);
    return mez_ok();
}
