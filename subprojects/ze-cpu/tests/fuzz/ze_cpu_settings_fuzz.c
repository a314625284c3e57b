// SPDX-License-Identifier: MIT
//
// Fuzz target of what the environment says: all variables of numbers and words have the text, and so have the described persona, the list
// of devices and the affinity mask. What is accepted is within its bounds.

#include "affinity.h"
#include "custom.h"
#include "settings.h"
#include "topology.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void read_settings(const char *name, const char *text)
{
    setenv(name, text, 1);
    zc_settings = (struct zc_settings){0};
    if (zc_settings_read() == ZE_RESULT_SUCCESS) {
        require(zc_settings.sub_devices <= ZC_MAX_SUB_DEVICES);
        require(zc_settings.asserts <= ZC_ASSERTS_CODE && zc_settings.hierarchy <= ZC_COMBINED);
        require(!zc_settings.resets || (zc_settings.signals && zc_settings.reset_ms > 0));
        require(!zc_settings.checks || zc_settings.signals);
    }
    unsetenv(name);
}

static void read_persona(const char *text)
{
    struct zc_persona persona;
    setenv("ZE_CPU_FEATURES", text, 1);
    if (zc_custom_persona_read(&persona) == ZE_RESULT_SUCCESS) {
        require(persona.max_group_size >= 1 && persona.max_group_size <= 1u << 16);
        require(persona.sub_group_sizes >= 1 && persona.sub_group_sizes < 128);
        require(persona.shared_local_memory <= 1u << 30);
    }
    unsetenv("ZE_CPU_FEATURES");
}

static void read_devices(const char *text)
{
    static struct zc_device_list list;
    setenv("ZE_CPU_DEVICES", text, 1);
    if (zc_device_list_read(&list) == ZE_RESULT_SUCCESS) {
        require(list.count >= 1 && list.count <= ZC_MAX_DEVICES);
        for (uint32_t i = 0; i < list.count; i++)
            require(list.personas[i]->name && list.personas[i]->group_count >= 1);
    }
    unsetenv("ZE_CPU_DEVICES");
}

// Each element is behind the one before.
static void read_affinity(const char *text)
{
    struct zc_affinity affinity;
    for (const char *at = text, *before = text; zc_affinity_next(&at, &affinity); before = at) {
        require(at > before && at <= text + strlen(text));
        require(affinity.device < 1000000);
        require(affinity.sub_device < 1000000 || affinity.sub_device == ZC_WHOLE_DEVICE);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"ZE_CPU_NEWER", "ZE_CPU_OUT_OF_ORDER", "ZE_CPU_LOSE_DEVICE",
        "ZE_CPU_COPY_ENGINE", "ZE_CPU_SUB_DEVICES", "ZE_CPU_ASSERT", "ZE_CPU_SIGNALS",
        "ZE_CPU_SINGLE_ENGINE", "ZE_CPU_RESET_MS", "ZE_CPU_CHECK", "ZE_CPU_STRICT", "ZE_CPU_GUARD",
        "ZES_ENABLE_SYSMAN", "ZE_FLAT_DEVICE_HIERARCHY"};
    char *text = strndup((const char *)bytes, size);
    if (!text)
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        read_settings(names[i], text);
    read_persona(text);
    read_devices(text);
    read_affinity(text);
    free(text);
    return 0;
}
