// SPDX-License-Identifier: MIT
//
// The list of all settings: each is read by those who read it for contexts and queues.

#include <mezzanine/settings.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/log.h"
#include "cache/cache.h"
#include "container/bundle.h"
#include "device/assert_policy.h"
#include "image/asserts.h"
#include "lists/batched.h"
#include "memory/memory.h"
#include "queue/queue.h"
#include "queue/stall.h"
#include "submit/ranges.h"
#include "target/target.h"
#include "ze/caps.h"
#include "ze/loader.h"

struct mez_settings {
    mez_setting_info items[MEZ_VARIABLE_COUNT];
    char *values[MEZ_VARIABLE_COUNT];
};

// --- Values

static mez_error read_assert(const char *value)
{
    mez_assert_policy policy;
    (void)value;
    return mez_assert_read_policy(&policy);
}

static mez_error read_assert_limit(const char *value)
{
    uint32_t limit;
    (void)value;
    return mez_assert_read_limit(&limit);
}

static mez_error read_assert_link(const char *value)
{
    (void)value;
    return mez_caps_check_link_setting();
}

static mez_error read_assert_record(const char *value)
{
    bool of_modules;
    (void)value;
    return mez_assert_read_record_setting(&of_modules);
}

static mez_error read_batch(const char *value)
{
    mez_batch_size size;
    (void)value;
    return mez_batch_size_init(&size);
}

static mez_error read_cache_params(const mez_cache_params *params)
{
    mez_cache_settings settings;
    MEZ_TRY(mez_cache_read_settings(params, &settings));
    mez_free_memory(settings.folder);
    return mez_ok();
}

// With a limit that is given the environment's counts for nothing, and with a folder likewise.
static mez_error read_cache(const char *value)
{
    (void)value;
    return read_cache_params(&(mez_cache_params){.limit = 1});
}

static mez_error read_cache_limit(const char *value)
{
    (void)value;
    return read_cache_params(&(mez_cache_params){.folder = "/"});
}

static void ignore_warning(void *user, const char *text)
{
    (void)user, (void)text;
}

static mez_error read_check(const char *value)
{
    uint64_t limit;
    (void)value;
    return mez_checked_read_setting(false, &limit);
}

// Not as the default table, which would be read for good.
static mez_error read_device_config(const char *value)
{
    mez_targets *targets;
    const mez_targets_params params = {.warn = ignore_warning};
    const mez_error error = mez_targets_load(value, &params, &targets);
    mez_targets_destroy(&targets);
    return error;
}

static mez_error read_drivers(const char *value)
{
    mez_driver_set wanted;
    (void)value;
    return mez_ze_read_drivers(&wanted);
}

static mez_error read_log(const char *value)
{
    const mez_error error = mez_log_check_levels(value);
    return mez_failed(error) ? mez_error_headline(error, "MEZ_LOG=%s", value) : error;
}

static mez_error read_queue(const char *value)
{
    mez_queue_kind kind;
    (void)value;
    return mez_queue_read_setting(&kind);
}

static mez_error read_copy_offload(const char *value)
{
    bool offloads;
    (void)value;
    return mez_queue_read_offload_setting(&offloads);
}

static mez_error read_stall(const char *value)
{
    uint64_t stall;
    (void)value;
    return mez_stall_read_setting(&stall);
}

static mez_error read_unpack_limit(const char *value)
{
    mez_bundle bundle;
    (void)value;
    return mez_bundle_limit(&bundle, 0);
}

static mez_error read_validate(const char *value)
{
    bool validates;
    (void)value;
    return mez_ranges_read_setting(&validates);
}

// NULL: any text is valid, or others than the library read it.
static mez_error (*const readers[MEZ_VARIABLE_COUNT])(const char *value) = {
#define READER(name, function) [MEZ_VARIABLE_##name] = function
    READER(ASSERT, read_assert),
    READER(ASSERT_LIMIT, read_assert_limit),
    READER(ASSERT_LINK, read_assert_link),
    READER(ASSERT_RECORD, read_assert_record),
    READER(BATCH, read_batch),
    READER(CACHE, read_cache),
    READER(CHECK, read_check),
    READER(COPY_OFFLOAD, read_copy_offload),
    READER(CACHE_LIMIT, read_cache_limit),
    READER(DEVICE_CONFIG, read_device_config),
    READER(DRIVERS, read_drivers),
    READER(LOG, read_log),
    READER(QUEUE, read_queue),
    READER(STALL, read_stall),
    READER(UNPACK_LIMIT, read_unpack_limit),
    READER(VALIDATE, read_validate),
#undef READER
};

// A program only loses messages.
static bool is_harmless(mez_variable variable)
{
    return readers[variable] == read_log;
}

// --- The list

static mez_error read_setting(mez_settings *settings, mez_variable variable)
{
    const mez_variable_info *info = mez_variable_get_info(variable);
    const char *value = mez_setting(variable);
    mez_setting_info *item = &settings->items[variable];
    *item = (mez_setting_info){.name = info->name,
        .meaning = info->meaning,
        .values = info->values,
        .otherwise = info->otherwise,
        .effect = info->otherwise};
    if (!value)
        return mez_ok();
    item->value = settings->values[variable] = mez_copy_string(value);
    if (!item->value)
        return mez_error_no_memory("settings");
    const mez_error error = readers[variable] ? readers[variable](item->value) : mez_ok();
    if (mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY))
        return error;
    item->error = mez_error_retain(error);
    if (!mez_failed(error))
        item->effect = item->value;
    else if (!is_harmless(variable))
        item->effect = NULL;
    return mez_ok();
}

static mez_error read_all(mez_settings *settings)
{
    for (mez_variable variable = 0; variable < MEZ_VARIABLE_COUNT; variable++)
        MEZ_TRY(read_setting(settings, variable));
    return mez_ok();
}

mez_error mez_settings_create(mez_settings **settings)
{
    MEZ_REQUIRE(settings, NULL);
    *settings = mez_new(mez_settings);
    if (!*settings)
        return mez_error_no_memory("settings");
    const mez_error error = read_all(*settings);
    if (mez_failed(error))
        mez_settings_destroy(settings);
    return error;
}

uint32_t mez_settings_get_count(const mez_settings *settings)
{
    return settings ? MEZ_VARIABLE_COUNT : 0;
}

const mez_setting_info *mez_settings_get_setting(const mez_settings *settings, uint32_t index)
{
    return index < mez_settings_get_count(settings) ? &settings->items[index] : NULL;
}

void mez_settings_destroy(mez_settings **settings)
{
    if (!settings)
        return;
    mez_settings *old = *settings;
    *settings = NULL;
    for (mez_variable variable = 0; old && variable < MEZ_VARIABLE_COUNT; variable++) {
        mez_error_release(old->items[variable].error);
        mez_free_memory(old->values[variable]);
    }
    mez_free_memory(old);
}
