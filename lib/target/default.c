// SPDX-License-Identifier: MIT
//
// The tables that a process uses: the one that is built in, and the one that MEZ_DEVICE_CONFIG names. And what they say of native code.

#include "target/table.h"

#include <pthread.h>
#include <string.h>

#include "base/environment.h"
#include "base/file.h"
#include "base/log.h"
#include "base/process.h"
#include "base/version.h"
#include "target/config.h"

// targets.yaml; see lib/target/meson.build.
extern const uint8_t mez_targets_yaml[];
extern const size_t mez_targets_yaml_size;

#define BUILTIN_ORIGIN "built-in targets"

// Guards the two below. Held while a table is read: whoever comes meanwhile needs it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mez_targets *builtin_targets; // never freed, as targets of live devices point into them
static mez_targets *chosen_targets;  // likewise

MEZ_FREE_AT_FORK(lock, MEZ_FORK_OUTER)

static mez_error read_builtin(mez_targets **targets)
{
    MEZ_TRY(mez_targets_create(targets));
    const mez_error error =
        mez_config_read(BUILTIN_ORIGIN, mez_targets_yaml, mez_targets_yaml_size, NULL, *targets);
    if (mez_failed(error))
        mez_targets_destroy(targets);
    return error;
}

mez_error mez_targets_builtin(const mez_targets **targets)
{
    pthread_mutex_lock(&lock);
    const mez_error error = builtin_targets ? mez_ok() : read_builtin(&builtin_targets);
    *targets = builtin_targets;
    pthread_mutex_unlock(&lock);
    return error;
}

mez_error mez_targets_read(const char *origin, const void *bytes, size_t size,
    const mez_targets_params *warnings, mez_targets **targets)
{
    *targets = NULL;
    const mez_targets *builtin;
    MEZ_TRY(mez_targets_builtin(&builtin));
    MEZ_TRY(mez_targets_create(targets));
    const mez_error error = mez_config_read(origin, bytes, size, warnings, *targets);
    if (mez_failed(error))
        mez_targets_destroy(targets);
    else
        mez_targets_complete(*targets, builtin);
    return error;
}

mez_error mez_targets_load(
    const char *path, const mez_targets_params *params, mez_targets **targets)
{
    MEZ_REQUIRE(targets, NULL);
    *targets = NULL;
    MEZ_REQUIRE(path, NULL);
    if (params)
        MEZ_TRY_RESERVED(mez_targets_params, params);
    mez_file file;
    MEZ_TRY(mez_file_read(path, &file));
    const mez_error error = mez_targets_read(path, file.bytes, file.size, params, targets);
    mez_file_finish(&file);
    return error;
}

static mez_error load_chosen(const char *path)
{
    mez_targets *loaded = NULL;
    const mez_error error = mez_targets_load(path, NULL, &loaded);
    if (mez_failed(error))
        return mez_error_add(error, "from", "MEZ_DEVICE_CONFIG=%s", path);
    pthread_mutex_lock(&lock);
    mez_targets *surplus = chosen_targets ? loaded : NULL; // another thread was faster
    if (!chosen_targets)
        chosen_targets = loaded;
    pthread_mutex_unlock(&lock);
    mez_targets_destroy(&surplus);
    return error;
}

mez_error mez_targets_get_default(const mez_targets **targets)
{
    MEZ_REQUIRE(targets, NULL);
    *targets = NULL;
    const char *path = mez_setting(MEZ_VARIABLE_DEVICE_CONFIG);
    if (!path)
        return mez_targets_builtin(targets);
    pthread_mutex_lock(&lock);
    *targets = chosen_targets;
    pthread_mutex_unlock(&lock);
    if (*targets)
        return mez_ok();
    MEZ_TRY(load_chosen(path));
    pthread_mutex_lock(&lock);
    *targets = chosen_targets;
    pthread_mutex_unlock(&lock);
    return mez_ok();
}

// --- Native code

// Devices that run code compiled for another one (docs/internals/containers.md#zebin-and-other-native-code).
static const struct {
    const char *code, *device;
} compatible[] = {
    {"intel_gpu_acm_g10", "intel_gpu_acm_g11"},
    {"intel_gpu_acm_g10", "intel_gpu_acm_g12"},
    {"intel_gpu_mtl_u", "intel_gpu_mtl_h"},
    {"intel_gpu_bmg_g21", "intel_gpu_bmg_g31"},
    {"intel_gpu_bmg_g21", "intel_gpu_lnl_m"},
    {"intel_gpu_ptl_h", "intel_gpu_ptl_u"},
    {"intel_gpu_ptl_h", "intel_gpu_wcl"},
    {"intel_gpu_ptl_h", "intel_gpu_nvl_s"},
    {"intel_gpu_ptl_h", "intel_gpu_nvl_u"},
};

mez_native_fit mez_native_compare(const char *code, const char *device)
{
    const mez_targets *targets;
    const mez_error unknown = mez_targets_get_default(&targets);
    if (mez_failed(unknown)) {
        mez_log_error(MEZ_TOPIC_IMAGE, unknown);
        return MEZ_NATIVE_MAY_FIT;
    }
    const mez_target *of_code = mez_targets_find(targets, code, NULL);
    const mez_target *of_device = mez_targets_find(targets, device, NULL);
    if (of_code && of_code == of_device)
        return MEZ_NATIVE_FITS;
    if (!of_code || !of_device || of_code->ip_version_count == 0)
        return MEZ_NATIVE_MAY_FIT;
    for (size_t i = 0; i < sizeof compatible / sizeof compatible[0]; i++)
        if (strcmp(compatible[i].code, of_code->name) == 0 &&
            strcmp(compatible[i].device, of_device->name) == 0)
            return MEZ_NATIVE_FITS;
    return MEZ_NATIVE_MISFIT;
}
