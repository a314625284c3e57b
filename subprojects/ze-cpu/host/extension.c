// SPDX-License-Identifier: MIT
//
// The extensions. Entry points that came after the loader of Debian 12 are found by name, too.
#include "check.h"
#include "driver.h"
#include "own.h"

#include <ddi.h>
#include <stdbool.h>
#include <string.h>
#include <ze_newer.h>

// Only their addresses are wanted here; their parameters stand where they are defined.
void zc_found_error(void) ZC_ENTRY_POINT(zeDriverGetLastErrorDescription);

typedef void (*zc_extension_function)(void);

void zc_found_lose(void) ZC_ENTRY_POINT(zeCpuLoseDevice);
void zc_found_lose_one(void) ZC_ENTRY_POINT(zeCpuLoseOneDevice);
void zc_found_assert_record(void) ZC_ENTRY_POINT(zeCpuGetAssertRecord);

struct extension_function {
    const char *name;
    zc_extension_function function;
};

static zc_extension_function find(
    const struct extension_function *functions, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(functions[i].name, name))
            return functions[i].function;
    return NULL;
}

// In every mode.
static const struct extension_function own_functions[] = {
    {"zeDriverGetLastErrorDescription",
        zc_found_error}, // no driver of this age has it, but why a device is lost is worth it
    {"zeCpuLoseDevice", zc_found_lose},
    {"zeCpuLoseOneDevice", zc_found_lose_one},
};

static const struct extension_function assert_functions[] = {
    {"zeCpuGetAssertRecord", zc_found_assert_record},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct extension {
    ze_driver_extension_properties_t properties;
    bool (*is_there)(ze_driver_handle_t driver); // NULL: in every mode
};

static bool is_newer(ze_driver_handle_t driver)
{
    (void)driver;
    return zc_settings.newer;
}

// Of any device that is seen.
static bool has(ze_driver_handle_t driver, uint32_t (*what)(const struct zc_persona *persona))
{
    const struct zc_topology *topology = &driver->topology;
    bool any = false;
    for (uint32_t i = 0; i < topology->visible_count; i++)
        any |= what(topology->visible[i]->persona) != 0;
    return any;
}

static uint32_t ip_version_of(const struct zc_persona *persona)
{
    return persona->ip_version;
}

static uint32_t image_size_of(const struct zc_persona *persona)
{
    return persona->image_size;
}

static bool has_ip_version(ze_driver_handle_t driver)
{
    return zc_settings.newer && has(driver, ip_version_of);
}

static bool has_images(ze_driver_handle_t driver)
{
    return has(driver, image_size_of);
}

static bool has_newer_images(ze_driver_handle_t driver)
{
    return zc_settings.newer && has_images(driver);
}

static bool asserts_have_a_code(ze_driver_handle_t driver)
{
    (void)driver;
    return zc_settings.asserts == ZC_ASSERTS_CODE;
}

static const struct extension extensions[] = {
    {{ZE_MODULE_PROGRAM_EXP_NAME, ZE_MODULE_PROGRAM_EXP_VERSION_1_0}, NULL},
    {{ZE_LINKAGE_INSPECTION_EXT_NAME, ZE_LINKAGE_INSPECTION_EXT_VERSION_1_0}, NULL},
    {{ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME, ZE_RELAXED_ALLOCATION_LIMITS_EXP_VERSION_1_0}, NULL},
    {{ZE_GLOBAL_OFFSET_EXP_NAME, ZE_GLOBAL_OFFSET_EXP_VERSION_1_0}, NULL},
    {{ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, ZE_EVENT_QUERY_TIMESTAMPS_EXP_VERSION_1_0}, NULL},
    {{ZE_KERNEL_SCHEDULING_HINTS_EXP_NAME, ZE_SCHEDULING_HINTS_EXP_VERSION_1_0}, NULL},
    {{ZE_CACHE_RESERVATION_EXT_NAME, ZE_CACHE_RESERVATION_EXT_VERSION_1_0}, NULL},
    {{ZE_MEMORY_FREE_POLICIES_EXT_NAME, ZE_MEMORY_FREE_POLICIES_EXT_VERSION_1_0}, NULL},
    {{ZE_IMAGE_COPY_EXT_NAME, ZE_IMAGE_COPY_EXT_VERSION_1_0}, has_images},
    {{ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME, ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_VERSION_1_0},
        has_images},
    {{ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME, ZE_IMAGE_MEMORY_PROPERTIES_EXP_VERSION_1_0}, has_images},
    {{ZE_IMAGE_VIEW_EXP_NAME, ZE_IMAGE_VIEW_EXP_VERSION_1_0}, has_images},
    {{ZE_NEWER_IMAGE_VIEW_EXT_NAME, ZE_MAKE_VERSION(1, 0)}, has_newer_images},
    {{ZE_NEWER_IMAGE_FORMAT_SUPPORT_EXT_NAME, ZE_MAKE_VERSION(1, 0)}, has_newer_images},
    {{ZE_FLOAT_ATOMICS_EXT_NAME, ZE_FLOAT_ATOMICS_EXT_VERSION_1_0}, NULL},
    {{ZE_FABRIC_EXP_NAME, ZE_MAKE_VERSION(1, 0)}, NULL},
    {{ZE_NEWER_EVENT_POOL_COUNTER_BASED_EXP_NAME, ZE_MAKE_VERSION(1, 0)}, is_newer},
    {{ZE_NEWER_INTEL_COUNTER_BASED_EVENT_NAME, ZE_MAKE_VERSION(1, 0)}, is_newer},
    {{ZE_NEWER_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME, ZE_MAKE_VERSION(1, 0)}, is_newer},
    {{ZE_NEWER_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME, ZE_MAKE_VERSION(1, 0)}, is_newer},
    {{ZE_NEWER_DEVICE_IP_VERSION_EXT_NAME, ZE_MAKE_VERSION(1, 0)}, has_ip_version},
    {{ZE_NEWER_INTEL_ASSERT_RETURN_CODE_NAME, ZE_MAKE_VERSION(1, 0)}, asserts_have_a_code},
    {{ZE_NEWER_INTEL_DEVICELIB_ASSERT_NAME, ZE_MAKE_VERSION(1, 0)}, asserts_have_a_code},
};

// Those of this mode; returns how many.
static uint32_t list_extensions(ze_driver_handle_t driver, ze_driver_extension_properties_t *list)
{
    uint32_t count = 0;
    for (size_t i = 0; i < COUNT(extensions); i++)
        if (!extensions[i].is_there || extensions[i].is_there(driver))
            list[count++] = extensions[i].properties;
    return count;
}

ze_result_t zeDriverGetExtensionProperties(
    ze_driver_handle_t driver, uint32_t *count, ze_driver_extension_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(driver);
    ZC_REQUIRE_POINTER(count);
    ze_driver_extension_properties_t list[COUNT(extensions)];
    if (zc_clamp_count(count, list_extensions(driver, list)) && properties)
        memcpy(properties, list, *count * sizeof *list);
    return ZE_RESULT_SUCCESS;
}

// Intel's drivers had one of them before the specification did.
static zc_extension_function find_newer(const char *name)
{
    const bool alias = !strcmp(name, "zexCounterBasedEventCreate2");
    return (zc_extension_function)zc_find_entry(alias ? "zeEventCounterBasedCreate" : name);
}

static zc_extension_function find_in_this_mode(ze_driver_handle_t driver, const char *name)
{
    zc_extension_function function = find(own_functions, COUNT(own_functions), name);
    if (!function && zc_settings.newer)
        function = find_newer(name);
    if (!function && asserts_have_a_code(driver))
        function = find(assert_functions, COUNT(assert_functions), name);
    return function;
}

// Intel's driver answers an unknown name in the same way.
ze_result_t zeDriverGetExtensionFunctionAddress(
    ze_driver_handle_t driver, const char *name, void **address)
{
    ZC_REQUIRE_HANDLE(driver);
    ZC_REQUIRE_POINTER(name);
    ZC_REQUIRE_POINTER(address);
    const zc_extension_function function = find_in_this_mode(driver, name);
    ZC_REQUIRE(function, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    memcpy(address, &function, sizeof function);
    return ZE_RESULT_SUCCESS;
}
