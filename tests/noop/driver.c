// SPDX-License-Identifier: MIT
// The driver and what it says about itself.
#include "internal.h"

#include <stdatomic.h>
#include <stdio.h>

static struct _ze_driver_handle_t the_driver;

NOOP_SUCCEED(zeInit)

ze_result_t noop_zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers)
{
    NOOP_ENTER(zeDriverGet);
    if (drivers != NULL && *count >= 1)
        drivers[0] = &the_driver;
    *count = 1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDriverGetApiVersion(ze_driver_handle_t driver, ze_api_version_t *version)
{
    NOOP_ENTER(zeDriverGetApiVersion);
    (void)driver;
    *version = noop_config_get().api_version;
    return ZE_RESULT_SUCCESS;
}

// Intel's driver has the time of its start in its UUID: who asks later has another one.
static atomic_uint starts;

ze_result_t noop_zeDriverGetProperties(
    ze_driver_handle_t driver, ze_driver_properties_t *properties)
{
    NOOP_ENTER(zeDriverGetProperties);
    (void)driver;
    properties->uuid = (ze_driver_uuid_t){.id = "noop"};
    properties->uuid.id[sizeof "noop"] = (uint8_t)atomic_fetch_add(&starts, 1);
    properties->driverVersion = noop_config_get().driver_version;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDriverGetIpcProperties(
    ze_driver_handle_t driver, ze_driver_ipc_properties_t *properties)
{
    NOOP_ENTER(zeDriverGetIpcProperties);
    (void)driver;
    properties->flags = 0;
    return ZE_RESULT_SUCCESS;
}

static uint32_t count_names(const char *const *names)
{
    uint32_t count = 0;
    while (names != NULL && names[count] != NULL)
        count++;
    return count;
}

ze_result_t noop_zeDriverGetExtensionProperties(
    ze_driver_handle_t driver, uint32_t *count, ze_driver_extension_properties_t *properties)
{
    NOOP_ENTER(zeDriverGetExtensionProperties);
    (void)driver;
    const char *const *names = noop_config_get().extensions;
    const uint32_t available = count_names(names);
    if (properties == NULL || *count > available)
        *count = available;
    for (uint32_t i = 0; properties != NULL && i < *count; i++) {
        snprintf(properties[i].name, sizeof properties[i].name, "%s", names[i]);
        properties[i].version = ZE_MAKE_VERSION(1, 0);
    }
    return ZE_RESULT_SUCCESS;
}

// Entry points past 1.4 that this driver has something to do for. Debian's loader doesn't know
// them, so this is how a library finds them there.
static const enum noop_entry newer_entries[] = {
    NOOP_zeCommandListHostSynchronize,
    NOOP_zeCommandListIsImmediate,
    NOOP_zeCommandListAppendLaunchKernelWithArguments,
    NOOP_zeCommandListAppendHostFunction,
    NOOP_zeCommandListImmediateAppendCommandListsExp,
    NOOP_zeDeviceGetRootDevice,
    NOOP_zeDriverGetLastErrorDescription,
    NOOP_zeEventCounterBasedCreate,
};

static bool contains(const char *const *names, const char *name)
{
    for (uint32_t i = 0; names != NULL && names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool noop_lists(const char *extension)
{
    return contains(noop_config_get().extensions, extension);
}

static const struct noop_slot *find_newer(const char *name, ze_api_version_t version)
{
    if (strcmp(name, "zexCounterBasedEventCreate2") == 0)
        return noop_lists(ZE_NEWER_INTEL_COUNTER_BASED_EVENT_NAME)
                   ? &noop_slots[NOOP_zexCounterBasedEventCreate2]
                   : NULL;
    for (size_t i = 0; i < sizeof newer_entries / sizeof *newer_entries; i++) {
        const struct noop_slot *slot = &noop_slots[newer_entries[i]];
        if (slot->since <= (uint32_t)version && strcmp(slot->function, name) == 0)
            return slot;
    }
    return NULL;
}

ze_result_t noop_zeDriverGetExtensionFunctionAddress(
    ze_driver_handle_t driver, const char *name, void **address)
{
    NOOP_ENTER(zeDriverGetExtensionFunctionAddress);
    (void)driver;
    const struct noop_config config = noop_config_get();
    const struct noop_slot *slot = find_newer(name, config.api_version);
    if (slot == NULL || contains(config.missing, name))
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    memcpy(address, &slot->address, sizeof *address);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDriverGetLastErrorDescription(ze_driver_handle_t driver, const char **text)
{
    NOOP_ENTER(zeDriverGetLastErrorDescription);
    (void)driver;
    *text = "the no-op driver fails as planned";
    return ZE_RESULT_SUCCESS;
}
