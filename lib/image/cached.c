// SPDX-License-Identifier: MIT

#include "image/cached.h"

#include <string.h>

#include <mezzanine/version.h>

#include "base/alloc.h"
#include "image/compiler.h"
#include "image/native_assert.h"

// --- The key

// What else than code decides what a compiler makes. Of one layout without holes: its bytes are part of the key. The driver's UUID
// is not among it: Intel's changes with each start (docs/internals/drivers.md, "Versions").
typedef struct identity {
    uint32_t ip_version, vendor_id, device_id, driver_version;
} identity;

static identity identity_of(const mez_device *device)
{
    return (identity){
        .ip_version = device->target.ip_version_count ? device->target.ip_versions[0] : 0,
        .vendor_id = device->info.vendor_id,
        .device_id = device->info.device_id,
        .driver_version = device->platform->caps.driver_version,
    };
}

typedef struct parts {
    mez_cache_part *items;
    size_t count;
} parts;

static void add(parts *parts, const void *bytes, size_t size)
{
    parts->items[parts->count++] = (mez_cache_part){bytes, size};
}

static void add_string(parts *parts, const char *string)
{
    add(parts, string, strlen(string));
}

// Values of constants stand in the code itself: constants.h.
enum { PARTS_OF_CODE = 2, OTHER_PARTS = 6 };

static void add_codes(parts *parts, const mez_code *codes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        add(parts, codes[i].bytes, codes[i].size);
        add_string(parts, codes[i].flags);
    }
}

static bool may_be_kept(const mez_device *device, const mez_code *codes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (codes[i].native || codes[i].fleeting)
            return false;
    return mez_cache_is_on(device->platform->cache) && !mez_native_assert_is_debugged();
}

mez_cached mez_cached_key(const mez_device *device, const mez_code *codes, uint32_t count)
{
    mez_cached cached = {.is_on = false};
    const identity identity = identity_of(device);
    mez_text compiler = {0};
    if (!may_be_kept(device, codes, count))
        return cached;
    parts parts = {
        .items = mez_alloc_array((size_t)count * PARTS_OF_CODE + OTHER_PARTS, sizeof *parts.items)};
    if (parts.items && mez_compiler_describe(&compiler)) {
        add_string(&parts, "module of Mezzanine " MEZ_VERSION);
        add(&parts, &identity, sizeof identity);
        add_string(&parts, device->info.name);
        add_string(&parts, mez_text_get(&compiler));
        add_codes(&parts, codes, count);
        cached.key = mez_cache_key_of(parts.items, parts.count);
        cached.is_on = true;
    }
    mez_text_finish(&compiler);
    mez_free_memory(parts.items);
    return cached;
}

// --- Entries

// False: *useless says whether that is the binary's fault.
static bool has_all(ze_module_handle_t module, const mez_wanted_kernels *wanted, bool *useless)
{
    const mez_error error = mez_kernel_names_check(module, wanted);
    *useless = mez_error_is(error, MEZ_ERRC_KERNEL);
    if (*useless)
        mez_log(IMAGE, INFO, "a binary of the cache lacks kernels that its code has");
    else
        mez_log_error(MEZ_TOPIC_IMAGE, error);
    return !mez_failed(error);
}

// The same of a binary, of which a module is made.
static bool load(const mez_device *device, const ze_module_desc_t *binary,
    const mez_wanted_kernels *wanted, ze_module_handle_t *module, bool *useless)
{
    const ze_result_t result =
        ZE_RESULT(zeModuleCreate, device->platform->ze, device->ze, binary, module, NULL);
    *useless = result != ZE_RESULT_SUCCESS;
    if (*useless)
        mez_log(IMAGE, INFO, "the driver refuses a binary of the cache (0x%x)", (unsigned)result);
    else if (has_all(*module, wanted, useless))
        return true;
    else
        ZE_LOGGED(zeModuleDestroy, *module);
    *module = NULL;
    return false;
}

bool mez_cached_find(const mez_device *device, const mez_cached *cached,
    const mez_wanted_kernels *wanted, ze_module_handle_t *module)
{
    mez_cache *cache = device->platform->cache;
    bool useless;
    void *bytes;
    size_t size;
    if (!cached->is_on || !mez_cache_get(cache, &cached->key, &bytes, &size))
        return false;
    const ze_module_desc_t binary = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_NATIVE,
        .inputSize = size,
        .pInputModule = bytes,
    };
    const bool loaded = load(device, &binary, wanted, module, &useless);
    mez_free_memory(bytes);
    if (useless)
        mez_cache_reject(cache, &cached->key);
    return loaded;
}

bool mez_cached_answer(const mez_device *device, const mez_cached *cached, uint8_t *answer)
{
    mez_cache *cache = device->platform->cache;
    void *bytes;
    size_t size;
    if (!cached->is_on || !mez_cache_get(cache, &cached->key, &bytes, &size))
        return false;
    const bool is_answer = size == sizeof *answer;
    if (is_answer)
        *answer = *(const uint8_t *)bytes;
    else
        mez_cache_reject(cache, &cached->key);
    mez_free_memory(bytes);
    return is_answer;
}

static mez_error get_binary(ze_module_handle_t module, uint8_t **bytes, size_t *size)
{
    *size = 0;
    *bytes = NULL;
    MEZ_TRY(ZE(zeModuleGetNativeBinary, module, size, NULL));
    *bytes = mez_alloc_array(*size + 1, 1);
    if (!*bytes)
        return mez_error_no_memory("a built binary");
    return ZE(zeModuleGetNativeBinary, module, size, *bytes);
}

// What a driver does not give out, as some do not for programs, is compiled each time.
void mez_cached_keep(const mez_device *device, const mez_cached *cached, ze_module_handle_t module)
{
    if (!cached->is_on)
        return;
    uint8_t *bytes;
    size_t size;
    const mez_error error = get_binary(module, &bytes, &size);
    if (!mez_failed(error))
        mez_cache_put(device->platform->cache, &cached->key, bytes, size);
    else if (!mez_error_is(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED))
        mez_log_error(MEZ_TOPIC_IMAGE, error);
    mez_free_memory(bytes);
}
