// SPDX-License-Identifier: MIT

#include "ze/loader.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/process.h"
#include "trace/trace.h"
#include "ze/call.h"
#include "ze/drivers.h"

#define ALT_DRIVERS "ZE_ENABLE_ALT_DRIVERS"
#define INTERCEPT "ZE_ENABLE_LOADER_INTERCEPT"
#define SYSMAN "ZES_ENABLE_SYSMAN"

mez_ze_functions mez_ze;

// Guards the seven below. Held while the loader initialises: nobody can do anything before it has.
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_open;
static mez_driver_set open_set;
static bool has_sysman;
static bool is_spent;                              // initialised, closed, and still there
static bool is_left;                               // there since a try of ours that has failed
static void *loader;                               // stays open for the life of the process
static mez_ze_init_drivers_function *init_drivers; // initialised the open loader; NULL: zeInit did

static mez_error look_up_functions(void)
{
#define LOOK_UP(function)                                  \
    *(void **)&mez_ze.function = dlsym(loader, #function); \
    if (!mez_ze.function)                                  \
        return mez_error_make(                             \
            MEZ_ERRC_PLATFORM, "the Level Zero loader has no function " #function);
    MEZ_ZE_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    if (mez_trace_on(MEZ_TRACE_ZE))
        mez_ze_trace_functions(&mez_ze);
    return mez_ok();
}

void *mez_ze_find_function(const char *name)
{
    return dlsym(loader, name);
}

// A library in this process, without opening it.
static bool is_loader_there(void)
{
    void *there = dlopen(MEZ_LOADER_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (there)
        dlclose(there);
    return there != NULL;
}

static void close_loader(void)
{
    dlclose(loader);
    is_spent = is_loader_there();
    loader = NULL;
    init_drivers = NULL;
    memset(&mez_ze, 0, sizeof mez_ze);
}

mez_error mez_ze_get_drivers(uint32_t *count, ze_driver_handle_t *drivers)
{
    if (!init_drivers)
        return ZE(zeDriverGet, count, drivers);
    ze_newer_init_driver_type_desc_t any = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, .flags = UINT32_MAX};
    const char *const call = MEZ_INIT_DRIVERS "(count, drivers, any)";
    const ze_result_t result =
        mez_ze_traced(init_drivers(count, drivers, &any), call, __FILE__, __LINE__);
    return mez_ze_checked(result, call, __FILE__, __LINE__);
}

mez_error mez_ze_get_older_drivers(uint32_t *count, ze_driver_handle_t *drivers)
{
    MEZ_TRY(ZE(zeInit, 0));
    return ZE(zeDriverGet, count, drivers);
}

bool mez_ze_uses_init_drivers(void)
{
    return init_drivers != NULL;
}

// Neither went well: both reasons matter.
static mez_error add_earlier(mez_error error, mez_error earlier)
{
    char story[1024];
    mez_error_get_story(earlier, story, sizeof story);
    return mez_error_add(error, "before that", "%-s", story);
}

static mez_error initialise_by_init_drivers(void)
{
    uint32_t count = 0;
    MEZ_TRY(mez_ze_get_drivers(&count, NULL));
    return count > 0 ? mez_ok()
                     : mez_error_make(MEZ_ERRC_PLATFORM, MEZ_INIT_DRIVERS " found no driver");
}

// Drivers before specification 1.10 have zeInit alone. Over one of them zeInitDrivers returns UNSUPPORTED_FEATURE, over several
// UNINITIALIZED, and the loader can still be initialised by zeInit.
static mez_error initialise_loader(bool by_init_drivers)
{
    if (by_init_drivers)
        *(void **)&init_drivers = dlsym(loader, MEZ_INIT_DRIVERS);
    if (!init_drivers)
        return ZE(zeInit, 0);
    const mez_error error = initialise_by_init_drivers();
    if (!mez_failed(error))
        return error;
    mez_log(ZE, DEBUG, MEZ_INIT_DRIVERS " gives no driver: zeInit is tried");
    init_drivers = NULL;
    const mez_error older = ZE(zeInit, 0);
    return mez_failed(older) ? add_earlier(older, error) : older;
}

static mez_error initialise(const char *alt_drivers, bool by_init_drivers)
{
    const char *sysman = getenv(SYSMAN);
    has_sysman = sysman && strcmp(sysman, "1") == 0;
    if (alt_drivers && setenv(ALT_DRIVERS, alt_drivers, 1) != 0)
        return mez_error_no_memory(ALT_DRIVERS);
    mez_process_note_driver();
    const mez_error error = initialise_loader(by_init_drivers);
    if (alt_drivers)
        unsetenv(ALT_DRIVERS);
    return error;
}

// One try with the drivers named, or those that the environment or the loader names for NULL. On failure the loader is closed
// again.
static mez_error try_open(const char *alt_drivers, bool by_init_drivers)
{
    loader = dlopen(MEZ_LOADER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!loader)
        return mez_error_make(MEZ_ERRC_PLATFORM, "no Level Zero loader: %s", dlerror());
    const bool was_spent = is_spent;
    mez_error error = look_up_functions();
    if (!mez_failed(error))
        error = initialise(alt_drivers, by_init_drivers);
    if (!mez_failed(error))
        return error;
    close_loader();
    return was_spent ? mez_error_add(error, "loader",
                           "this loader stays in the process after it is closed, with the drivers "
                           "of its first attempt: restart the program")
                     : error;
}

static uint32_t count_drivers(void)
{
    uint32_t count = 0;
    return mez_failed(mez_ze_get_drivers(&count, NULL)) ? 0 : count;
}

// `wanted`: how many drivers may be there. zeInitDrivers skips those that have only zeInit without a message, so where one is
// missing the loader is opened again for zeInit, which all drivers have.
static mez_error open_drivers(const char *alt_drivers, uint32_t wanted)
{
    MEZ_TRY(try_open(alt_drivers, true));
    const uint32_t count = init_drivers ? count_drivers() : wanted;
    if (count >= wanted)
        return mez_ok();
    mez_log(ZE, DEBUG, MEZ_INIT_DRIVERS " gives %u of %u drivers: zeInit is tried", count, wanted);
    close_loader();
    if (!mez_failed(try_open(alt_drivers, false))) {
        if (count_drivers() >= count)
            return mez_ok();
        close_loader();
    }
    return try_open(alt_drivers, true);
}

static bool driver_has_gpu(ze_driver_handle_t driver)
{
    ze_device_handle_t devices[64];
    uint32_t count = 64;
    if (ZE_RESULT(zeDeviceGet, driver, &count, devices) != ZE_RESULT_SUCCESS)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
        if (ZE_RESULT(zeDeviceGetProperties, devices[i], &properties) == ZE_RESULT_SUCCESS &&
            properties.type == ZE_DEVICE_TYPE_GPU)
            return true;
    }
    return false;
}

static bool any_gpu(void)
{
    ze_driver_handle_t drivers[16];
    uint32_t count = 16;
    if (mez_failed(mez_ze_get_drivers(&count, drivers)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (driver_has_gpu(drivers[i]))
            return true;
    return false;
}

// The loader's own list has drivers of other devices, too: where one of them knows zeInitDrivers and the GPU's does not, zeInit
// reports both.
static mez_error open_gpu(void)
{
    MEZ_TRY(mez_ze_find_gpu());
    MEZ_TRY(try_open(NULL, true));
    if (any_gpu())
        return mez_ok();
    const bool may_be_passed_over = init_drivers != NULL;
    close_loader();
    if (may_be_passed_over && !mez_failed(try_open(NULL, false))) {
        if (any_gpu())
            return mez_ok();
        close_loader();
    }
    return mez_error_make(MEZ_ERRC_PLATFORM, "the installed drivers report no GPU");
}

static uint32_t count_names(const char *names)
{
    uint32_t count = 0;
    for (size_t length; *names; names += length + (names[length] == ',')) {
        length = strcspn(names, ",");
        count += length > 0;
    }
    return count;
}

// The loader would not say what is wrong, and may have but one try.
static mez_error check_library(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return mez_error_make(MEZ_ERRC_PLATFORM, "the CPU driver can't be loaded: %s", dlerror());
    dlclose(library);
    return mez_ok();
}

// The CPU driver alone, or after the names in `before`.
static mez_error open_with_cpu(const char *before)
{
    char path[PATH_MAX];
    char names[PATH_MAX + 64];
    if (!mez_ze_cpu_driver_path(path, sizeof path))
        return mez_error_make(MEZ_ERRC_PLATFORM, "the CPU driver's path is too long");
    if (access(path, R_OK) != 0)
        return mez_error_make(MEZ_ERRC_PLATFORM, "no CPU driver at %s", path);
    MEZ_TRY(check_library(path));
    snprintf(names, sizeof names, "%s%s", before, path);
    return open_drivers(names, count_names(names));
}

static bool chosen_by_user(void)
{
    const char *alt_drivers = getenv(ALT_DRIVERS);
    if (alt_drivers && !*alt_drivers) { // the loader would open the program itself, for ever
        mez_log(ZE, WARN, ALT_DRIVERS " is empty, which crashes the loader: removed");
        unsetenv(ALT_DRIVERS);
        return false;
    }
    if (alt_drivers && !secure_getenv(ALT_DRIVERS)) { // the loader would read it nevertheless
        mez_log(ZE, WARN,
            ALT_DRIVERS " may not choose drivers of a program that has more rights "
                        "than its user: removed");
        unsetenv(ALT_DRIVERS);
        return false;
    }
    return alt_drivers != NULL;
}

static mez_error open_chosen_by_user(void)
{
    return open_drivers(NULL, count_names(getenv(ALT_DRIVERS)));
}

static mez_error open_gpu_else_cpu(mez_driver_set *got)
{
    const mez_error no_gpu = open_gpu();
    *got = MEZ_DRIVER_SET_GPU;
    if (!mez_failed(no_gpu))
        return no_gpu;
    *got = MEZ_DRIVER_SET_CPU;
    const mez_error no_cpu = open_with_cpu("");
    if (mez_failed(no_cpu))
        return add_earlier(no_cpu, no_gpu);
    if (mez_gpu_node_exists())
        mez_log(CONTEXT, WARN,
            "there is a GPU's device node, but no driver took it: running on the CPU driver "
            "(MEZ_DEVICE=gpu shows why)");
    else
        mez_log(CONTEXT, INFO, "no GPU found: running on the CPU driver");
    return mez_ok();
}

static mez_error open_set_of(mez_driver_set wanted, mez_driver_set *got)
{
    *got = wanted;
    switch (wanted) {
    case MEZ_DRIVER_SET_GPU:
        return open_gpu();
    case MEZ_DRIVER_SET_CPU:
        return open_with_cpu("");
    case MEZ_DRIVER_SET_BOTH:
        return open_with_cpu(MEZ_INTEL_DRIVER_LIBRARY ",");
    default:
        return open_gpu_else_cpu(got);
    }
}

mez_error mez_ze_read_drivers(mez_driver_set *wanted)
{
    const char *drivers = mez_setting(MEZ_VARIABLE_DRIVERS);
    if (!drivers)
        return mez_ok();
    if (strcmp(drivers, "gpu") == 0)
        *wanted = MEZ_DRIVER_SET_GPU;
    else if (strcmp(drivers, "cpu") == 0)
        *wanted = MEZ_DRIVER_SET_CPU;
    else if (strcmp(drivers, "gpu,cpu") == 0 || strcmp(drivers, "cpu,gpu") == 0)
        *wanted = MEZ_DRIVER_SET_BOTH;
    else
        return mez_setting_refused(MEZ_VARIABLE_DRIVERS);
    return mez_ok();
}

// The diagnosis opens the loader, too.
static mez_error give_up(mez_error error, mez_driver_set wanted, bool was_there)
{
    const mez_error diagnosis = mez_ze_diagnose(error, wanted);
    is_left = !was_there && is_loader_there();
    return diagnosis;
}

static mez_error open_first_time(mez_driver_set wanted)
{
    const bool there = !is_left && is_loader_there();
    const bool chosen = chosen_by_user();
    if (wanted == MEZ_DRIVER_SET_FOREIGN && !there)
        return mez_error_make(MEZ_ERRC_WRONG_STATE,
            "no Level Zero loader is open in this process, so the handles can't come from it");
    mez_driver_set got = MEZ_DRIVER_SET_FOREIGN;
    MEZ_TRY(mez_ze_read_drivers(&wanted));
    const mez_error error = there    ? try_open(NULL, true)
                            : chosen ? open_chosen_by_user()
                                     : open_set_of(wanted, &got);
    if (mez_failed(error))
        return give_up(error, wanted, there);
    is_open = true;
    open_set = got;
    return mez_ok();
}

bool mez_ze_wraps_handles(uint32_t driver_count)
{
    pthread_mutex_lock(&open_lock);
    const bool both = open_set == MEZ_DRIVER_SET_BOTH;
    pthread_mutex_unlock(&open_lock);
    const char *intercept = getenv(INTERCEPT);
    const bool asked = intercept && *intercept && strcmp(intercept, "0") != 0;
    return driver_count > 1 || both || asked;
}

bool mez_ze_has_sysman(void)
{
    pthread_mutex_lock(&open_lock);
    const bool has = has_sysman;
    pthread_mutex_unlock(&open_lock);
    return has;
}

static const char *set_name(mez_driver_set set)
{
    return set == MEZ_DRIVER_SET_CPU ? "cpu" : "gpu";
}

static mez_error check_open_set(mez_driver_set wanted)
{
    if (wanted == MEZ_DRIVER_SET_ANY || wanted == MEZ_DRIVER_SET_FOREIGN || wanted == open_set ||
        open_set == MEZ_DRIVER_SET_BOTH || open_set == MEZ_DRIVER_SET_FOREIGN)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_WRONG_STATE,
        "this process has loaded the %s driver only, by its first context; "
        "set MEZ_DRIVERS=gpu,cpu to use both",
        set_name(open_set));
}

mez_error mez_ze_open(mez_driver_set wanted)
{
    pthread_mutex_lock(&open_lock);
    const mez_error error = is_open ? check_open_set(wanted) : open_first_time(wanted);
    pthread_mutex_unlock(&open_lock);
    return error;
}
