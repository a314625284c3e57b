// SPDX-License-Identifier: MIT
//
// What of a device's memory is free, by whatever source knows it.

#include <level_zero/zes_api.h>

#include "base/alloc.h"
#include "base/process.h"
#include "device/platform.h"
#include "ze/loader.h"

static void set_free(mez_memory_state *state, uint64_t bytes)
{
    state->free = bytes;
    state->free_is_known = true;
    state->why_unknown = NULL;
}

// --- The driver

// Drivers that list the extension for all their devices leave the field alone where they do not know.
static mez_error ask_driver(const mez_device *device, mez_memory_state *state)
{
    ze_newer_device_usablemem_size_ext_properties_t usable = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES};
    ze_device_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES, .pNext = &usable};
    MEZ_TRY(ZE(zeDeviceGetProperties, device->ze, &properties));
    if (usable.currUsableMemSize > 0)
        set_free(state, usable.currUsableMemSize);
    else
        state->why_unknown = "the driver lists " ZE_NEWER_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME
                             ", but reports nothing for this device";
    return mez_ok();
}

// --- Sysman

typedef struct sysman {
    __typeof__(&zesDeviceEnumMemoryModules) zesDeviceEnumMemoryModules;
    __typeof__(&zesMemoryGetProperties) zesMemoryGetProperties;
    __typeof__(&zesMemoryGetState) zesMemoryGetState;
} sysman;

static bool find_sysman(sysman *found)
{
    *(void **)&found->zesDeviceEnumMemoryModules =
        mez_ze_find_function("zesDeviceEnumMemoryModules");
    *(void **)&found->zesMemoryGetProperties = mez_ze_find_function("zesMemoryGetProperties");
    *(void **)&found->zesMemoryGetState = mez_ze_find_function("zesMemoryGetState");
    return found->zesDeviceEnumMemoryModules && found->zesMemoryGetProperties &&
           found->zesMemoryGetState;
}

// Does this answer mean that it is not known? NULL: no, success or a failure.
static const char *why_not(ze_result_t result)
{
    switch (result) {
    case ZE_RESULT_ERROR_UNINITIALIZED:
    case ZE_RESULT_ERROR_UNSUPPORTED_FEATURE:
    case ZE_RESULT_ERROR_NOT_AVAILABLE:
    case ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE:
        return "Sysman is there, but does not report this device";
    case ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS:
        return "Sysman is there, but reports only to users with more permissions";
    default:
        return NULL;
    }
}

// Like ZE, but a result that is an answer goes to the state.
#define ASK(found, state, function, ...)                                                         \
    answer(state, ZE_NEWER_RESULT(found, function, __VA_ARGS__), #function "(" #__VA_ARGS__ ")", \
        __FILE__, __LINE__)
static mez_error answer(
    mez_memory_state *state, ze_result_t result, const char *call, const char *file, int line)
{
    state->why_unknown = why_not(result);
    return state->why_unknown ? mez_ok() : mez_ze_checked(result, call, file, line);
}

typedef struct sum {
    uint64_t free, size;
    uint32_t modules;
} sum;

// Sysman knows no parts: it takes a sub-device for the whole, and says of each module which part it belongs to.
static bool belongs_to(const zes_mem_properties_t *module, const mez_device_info *info)
{
    return !info->is_sub_device || !module->onSubdevice ||
           module->subdeviceId == info->sub_device_number;
}

static mez_error add_module(const sysman *found, const mez_device *device, zes_mem_handle_t module,
    mez_memory_state *state, sum *sum)
{
    zes_mem_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES};
    zes_mem_state_t now = {.stype = ZES_STRUCTURE_TYPE_MEM_STATE};
    MEZ_TRY(ASK(found, state, zesMemoryGetProperties, module, &properties));
    if (state->why_unknown || !belongs_to(&properties, &device->info))
        return mez_ok();
    MEZ_TRY(ASK(found, state, zesMemoryGetState, module, &now));
    if (state->why_unknown)
        return mez_ok();
    sum->modules++;
    sum->free += now.free;
    sum->size += now.size;
    return mez_ok();
}

static mez_error add_modules(const sysman *found, const mez_device *device,
    zes_mem_handle_t *modules, uint32_t count, mez_memory_state *state, sum *sum)
{
    // A Sysman handle is the device's own, where ZES_ENABLE_SYSMAN is set.
    const zes_device_handle_t ze = (zes_device_handle_t)device->ze;
    MEZ_TRY(ASK(found, state, zesDeviceEnumMemoryModules, ze, &count, modules));
    for (uint32_t i = 0; i < count && !state->why_unknown; i++)
        MEZ_TRY(add_module(found, device, modules[i], state, sum));
    return mez_ok();
}

// With ZE_FLAT_DEVICE_HIERARCHY=FLAT a part is a device of its own, and Sysman reports the whole card nevertheless.
static const char *why_sum_is_useless(const sum *sum, const mez_device_info *info)
{
    if (sum->modules == 0)
        return "Sysman is available, but reports no memory of this device";
    if (info->memory_size > 0 && sum->size / 2 >= info->memory_size)
        return "Sysman reports a whole card, of which this device is a part";
    return NULL;
}

static mez_error ask_modules(
    const sysman *found, const mez_device *device, uint32_t count, mez_memory_state *state)
{
    sum sum = {0};
    zes_mem_handle_t *modules = mez_alloc_array(count, sizeof *modules);
    if (!modules)
        return mez_error_no_memory("a device's memory modules");
    const mez_error error = add_modules(found, device, modules, count, state, &sum);
    mez_free_memory(modules);
    if (mez_failed(error) || state->why_unknown)
        return error;
    state->why_unknown = why_sum_is_useless(&sum, &device->info);
    if (state->why_unknown)
        return mez_ok();
    state->total = sum.size;
    set_free(state, sum.free);
    return mez_ok();
}

static mez_error ask_sysman(const mez_device *device, mez_memory_state *state)
{
    sysman found;
    uint32_t count = 0;
    const zes_device_handle_t ze = (zes_device_handle_t)device->ze;
    if (!find_sysman(&found)) {
        state->why_unknown = "the Level Zero loader has no Sysman";
        return mez_ok();
    }
    MEZ_TRY(ASK(&found, state, zesDeviceEnumMemoryModules, ze, &count, NULL));
    if (state->why_unknown)
        return mez_ok();
    if (count > 0)
        return ask_modules(&found, device, count, state);
    state->why_unknown = "Sysman is available, but reports no memory of this device";
    return mez_ok();
}

// --- The host

static void ask_host(const mez_device *device, mez_memory_state *state)
{
    uint64_t available;
    const bool shares = device->info.integrated || device->info.type == MEZ_DEVICE_CPU;
    if (shares && mez_host_memory_available(&available))
        set_free(state, available < state->total ? available : state->total);
}

// --- All of them

static mez_error ask(const mez_device *device, mez_memory_state *state)
{
    state->why_unknown =
        "the driver does not report it; with ZES_ENABLE_SYSMAN=1 in the environment Sysman may";
    if (device->platform->caps.usable_memory)
        MEZ_TRY(ask_driver(device, state));
    if (!state->free_is_known && mez_ze_has_sysman())
        MEZ_TRY(ask_sysman(device, state));
    if (!state->free_is_known)
        ask_host(device, state);
    return mez_ok();
}

mez_error mez_device_get_memory_state_at(
    const mez_location *where, const mez_device *device, mez_memory_state *state)
{
    MEZ_REQUIRE(state, where);
    *state = (mez_memory_state){.why_unknown = "the driver failed to report it"};
    MEZ_REQUIRE(device, where);
    MEZ_REFUSE_CLOSED(__func__, where);
    state->total = device->info.memory_size;
    const mez_error error = ask(device, state);
    if (mez_failed(error))
        state->why_unknown = "the driver failed to report it";
    return mez_error_add_place(error, where);
}
