// SPDX-License-Identifier: MIT
//
// The devices of ZE_CPU_DEVICES.
#include "devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct devices all;

static void add_persona(const char *name)
{
    assert_true(all.count < MAX_DEVICES);
    snprintf(all.personas[all.count++], sizeof all.personas[0], "%s", name);
}

void read_expected(void)
{
    const char *setting = getenv("ZE_CPU_DEVICES");
    const long equal = setting ? strtol(setting, NULL, 10) : 1;
    char list[1024];
    for (long i = 0; i < equal; i++)
        add_persona("host");
    if (equal)
        return;
    snprintf(list, sizeof list, "%s", setting);
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ","))
        add_persona(name);
}

ze_device_properties_t properties_of(ze_device_handle_t device)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    assert_ok(zeDeviceGetProperties(device, &properties));
    return properties;
}

int set_up_all(void **state)
{
    uint32_t count = 0;
    if (set_up(state))
        return -1;
    read_expected();
    assert_ok(zeDeviceGet(fx.driver, &count, NULL));
    assert_int_equal(count, all.count);
    assert_ok(zeDeviceGet(fx.driver, &count, all.devices));
    for (uint32_t i = 0; i < all.count; i++)
        all.properties[i] = properties_of(all.devices[i]);
    return 0;
}

ze_device_handle_t second_device(void)
{
    if (all.count < 2)
        skip();
    return all.devices[1];
}

uint32_t after(uint32_t index)
{
    return (index + 1) % all.count;
}

void *alloc_on(uint32_t index, size_t size)
{
    fx.device = all.devices[index];
    return alloc_device(size);
}
