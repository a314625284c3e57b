// SPDX-License-Identifier: MIT

#include "image/compile.h"

#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <mezzanine/version.h>

#include "base/alloc.h"
#include "image/asserts.h"

// --- The compiler behind the driver
//
// No call names it, and a compiler that is replaced makes other binaries under the driver's old
// version: so the files themselves are looked at, and the variables of the compiler.

extern char **environ;

// Files beside a driver that compile for it.
static const char *const compilers[] = {"libigc.so.1", "libigc.so.2", "libze_cpu_engine.so"};

// Variables that change what compilers make.
static const char *const variables[] = {"IGC_", "OverrideDefaultFP64Settings=", "NEO_",
    "ZE_CPU_ENGINE=", "ZE_CPU_CHECK=", "ZE_CPU_STRICT=", "ZE_CPU_ENGINE_MODE="};

typedef struct description {
    mez_text *text;
    size_t wanted; // characters that the text has if none was dropped for lack of memory
} description;

static void say(description *description, const char *format, ...) MEZ_PRINTF(2, 3);

static void say(description *description, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    description->wanted += mez_output_length(format, arguments);
    mez_text_add_list(description->text, format, arguments);
    va_end(arguments);
}

static void add_file(description *description, const char *path)
{
    struct stat file;
    if (stat(path, &file) == 0)
        say(description, "%s %lld %lld.%09ld\n", path, (long long)file.st_size,
            (long long)file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

// A path that is too long is none that a loader has opened.
static void add_neighbours(description *description, const char *driver)
{
    char path[4096];
    const int folder = (int)(strrchr(driver, '/') - driver);
    for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++)
        if (snprintf(path, sizeof path, "%.*s/%s", folder, driver, compilers[i]) < (int)sizeof path)
            add_file(description, path);
}

// The loader and its layers compile nothing; compilers are loaded when they are first needed, which must change nothing.
static bool is_driver(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || strncmp(slash, "/libze_", 7) != 0)
        return false;
    for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++)
        if (strcmp(slash + 1, compilers[i]) == 0)
            return false;
    return !strstr(slash, "loader") && !strstr(slash, "layer");
}

static int look_at(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    if (object->dlpi_name && is_driver(object->dlpi_name)) {
        add_file(data, object->dlpi_name);
        add_neighbours(data, object->dlpi_name);
    }
    return 0;
}

static void add_variables(description *description)
{
    for (char **variable = environ; variable && *variable; variable++)
        for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
            if (strncmp(*variable, variables[i], strlen(variables[i])) == 0)
                say(description, "%s\n", *variable);
}

// Adds path, size and time of each driver that is loaded and of the compilers beside it, and the compiler's variables. The same
// text in the same state of the machine, whether the compiler is loaded yet or not. False: memory is short, and the text is
// incomplete.
static bool describe_compiler(mez_text *text)
{
    description description = {.text = text, .wanted = text->length};
    dl_iterate_phdr(look_at, &description);
    add_variables(&description);
    const char *engine = secure_getenv("ZE_CPU_ENGINE");
    if (engine)
        add_file(&description, engine);
    return text->length == description.wanted;
}

// --- Keys and entries

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

// Values of constants stand in the code itself: image.h.
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
    if (parts.items && describe_compiler(&compiler)) {
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
