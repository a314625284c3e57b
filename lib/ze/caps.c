// SPDX-License-Identifier: MIT

#include "ze/caps.h"

#include <string.h>

#include "base/alloc.h"

static void note_extension(mez_caps *caps, const ze_driver_extension_properties_t *extension)
{
    mez_log(ZE, DEBUG, "driver lists %s %u.%u", extension->name, extension->version >> 16,
        extension->version & 0xffff);
    if (strcmp(extension->name, ZE_MODULE_PROGRAM_EXP_NAME) == 0)
        caps->module_program = true;
    if (strcmp(extension->name, ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME) == 0)
        caps->relaxed_allocation_limits = true;
    if (strcmp(extension->name, "cl_intel_devicelib_assert") == 0)
        caps->native_assert = true;
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

mez_error mez_caps_read(ze_driver_handle_t driver, mez_caps *caps)
{
    *caps = (mez_caps){0};
    ze_api_version_t api_version;
    MEZ_TRY(ZE(zeDriverGetApiVersion, driver, &api_version));
    caps->api_version = (uint32_t)api_version;

    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    MEZ_TRY(ZE(zeDriverGetProperties, driver, &properties));
    caps->driver_version = properties.driverVersion;
    return read_extensions(driver, caps);
}
