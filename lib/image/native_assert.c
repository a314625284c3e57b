// SPDX-License-Identifier: MIT

#include "image/native_assert.h"

#include <stdlib.h>
#include <string.h>

#include "image/cached.h"

// Made at build time from devicelib/native_probe.cl.
extern const uint8_t mez_devicelib_spirv_native_probe[];
extern const size_t mez_devicelib_spirv_native_probe_size;

bool mez_native_assert_is_debugged(void)
{
    const char *debugging = getenv("ZET_ENABLE_PROGRAM_DEBUGGING");
    return debugging && strcmp(debugging, "1") == 0;
}

// Some drivers build a module with unresolved imports, others refuse it.
static mez_error build_probe(mez_device *device, ze_module_handle_t *module)
{
    const ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = mez_devicelib_spirv_native_probe_size,
        .pInputModule = mez_devicelib_spirv_native_probe,
    };
    const ze_result_t result =
        ZE_RESULT(zeModuleCreate, device->platform->ze, device->ze, &description, module, NULL);
    if (result == ZE_RESULT_SUCCESS)
        return mez_ok();
    *module = NULL;
    if (result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE ||
        result == ZE_RESULT_ERROR_MODULE_LINK_FAILURE)
        return mez_ok();
    return mez_ze_failure(result, "zeModuleCreate(probe for asserts)", __FILE__, __LINE__);
}

static mez_error ask_compiler(mez_device *device, mez_native_asserts *how)
{
    ze_module_handle_t module;
    bool lacks = true;
    MEZ_TRY(build_probe(device, &module));
    if (!module)
        return mez_ok();
    const mez_error error = mez_has_imports(module, &lacks);
    ZE_LOGGED(zeModuleDestroy, module);
    if (!lacks)
        *how = MEZ_NATIVE_ASSERTS_COMPILED;
    return error;
}

// The answer is kept as one byte: that a module of the cache lacks a symbol, drivers need not say.
static mez_error probe(mez_device *device, mez_native_asserts *how)
{
    const mez_code question = {
        .bytes = mez_devicelib_spirv_native_probe,
        .size = mez_devicelib_spirv_native_probe_size,
        .flags = "does the compiler bring asserts?",
    };
    const mez_cached cached = mez_cached_key(device, &question, 1);
    uint8_t answer;
    if (mez_cached_answer(device, &cached, &answer)) {
        *how = answer ? MEZ_NATIVE_ASSERTS_COMPILED : MEZ_NATIVE_ASSERTS_NONE;
        return mez_ok();
    }
    MEZ_TRY(ask_compiler(device, how));
    answer = *how == MEZ_NATIVE_ASSERTS_COMPILED;
    if (cached.is_on)
        mez_cache_put(device->platform->cache, &cached.key, &answer, sizeof answer);
    return mez_ok();
}

static void log_choice(const mez_device *device, mez_native_asserts how)
{
    if (how == MEZ_NATIVE_ASSERTS_NONE) {
        mez_log(
            IMAGE, DEBUG, "device \"%s\": the driver has no asserts of its own", device->info.name);
        return;
    }
    mez_log(IMAGE, INFO, "device \"%s\": the driver has asserts of its own (%s)", device->info.name,
        how == MEZ_NATIVE_ASSERTS_LISTED ? "it lists them" : "its compiler resolves them");
    if (mez_native_assert_is_debugged())
        mez_log(IMAGE, INFO,
            "ZET_ENABLE_PROGRAM_DEBUGGING=1: a debugger stops at failed asserts of device \"%s\", "
            "so the driver handles them",
            device->info.name);
}

static mez_error find_out(mez_device *device, mez_native_asserts *how)
{
    *how = MEZ_NATIVE_ASSERTS_NONE;
    if (device->platform->caps.devicelib_assert)
        *how = MEZ_NATIVE_ASSERTS_LISTED;
    else
        MEZ_TRY(probe(device, how));
    log_choice(device, *how);
    return mez_ok();
}

mez_error mez_native_assert(mez_device *device, mez_native_asserts *how)
{
    mez_platform *platform = device->platform;
    while (device->parent != device->index) // parts of a device are compiled for alike
        device = &platform->devices[device->parent];
    mez_error error = mez_ok();
    pthread_mutex_lock(&platform->native_assert_lock);
    if (device->native_assert_known) {
        *how = device->native_assert;
    } else if (!mez_failed(error = find_out(device, how))) {
        device->native_assert = *how;
        device->native_assert_known = true;
    }
    pthread_mutex_unlock(&platform->native_assert_lock);
    return error;
}

mez_error mez_device_get_native_asserts_at(
    const mez_location *where, mez_device *device, mez_native_asserts *how)
{
    MEZ_REQUIRE(how, where);
    *how = MEZ_NATIVE_ASSERTS_NONE;
    MEZ_REQUIRE(device, where);
    return mez_error_add_place(mez_native_assert(device, how), where);
}
