// SPDX-License-Identifier: MIT

#include "target/config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "target/config_keys.h"

// A larger file is none that describes devices.
#define LARGEST_FILE ((size_t)4 << 20)

void mez_config_warn(const mez_config *config, const char *format, ...)
{
    mez_text text = {0};
    mez_yaml_add_place(&config->yaml, &text);
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&text, format, arguments);
    va_end(arguments);
    if (config->warnings)
        config->warnings->warn(config->warnings->user, mez_text_get(&text));
    else
        mez_log(DEVICE, WARN, "%s", mez_text_get(&text));
    mez_text_finish(&text);
}

static mez_error read_key(mez_config *config, mez_target *target, uint32_t *seen)
{
    if (config->yaml.event.type != YAML_SCALAR_EVENT)
        return mez_yaml_refuse(&config->yaml, "a key of %s is not a text", target->name);
    const mez_config_key *key = mez_config_find_key(mez_yaml_text(&config->yaml));
    if (!key) {
        mez_config_warn(config, "%s: the key \"%s\" is unknown and ignored", target->name,
            mez_yaml_text(&config->yaml));
        MEZ_TRY(mez_yaml_next(&config->yaml));
        return mez_yaml_skip(&config->yaml);
    }
    if (*seen & key->bit)
        mez_config_warn(
            config, "%s: \"%s\" is repeated here; the last one is used", target->name, key->name);
    *seen |= key->bit;
    MEZ_TRY(mez_yaml_next(&config->yaml));
    return key->read(config, target);
}

static mez_error read_keys(mez_config *config, mez_target *target)
{
    uint32_t seen = 0;
    if (mez_yaml_is_empty(&config->yaml)) // a name of which nothing is said
        return mez_ok();
    if (config->yaml.event.type != YAML_MAPPING_START_EVENT)
        return mez_yaml_refuse(
            &config->yaml, "%s needs keys, such as `aspects: [gpu, fp16]`", target->name);
    for (;;) {
        MEZ_TRY(mez_yaml_next(&config->yaml));
        if (config->yaml.event.type == YAML_MAPPING_END_EVENT)
            return mez_ok();
        MEZ_TRY(read_key(config, target, &seen));
    }
}

// An empty target of that name, in the place of an earlier one.
static mez_error start_target(mez_config *config, const char *name, mez_target **target)
{
    *target = mez_targets_named(config->targets, name);
    if (!*target)
        return mez_targets_add(config->targets, name, target);
    mez_config_warn(config, "%s is described again here; the last description is used", name);
    **target = (mez_target){.name = (*target)->name, .aot_toolchain = "", .aot_options = ""};
    return mez_ok();
}

static mez_error read_target(mez_config *config)
{
    const char *name = mez_yaml_text(&config->yaml);
    if (config->yaml.event.type != YAML_SCALAR_EVENT || !*name)
        return mez_yaml_refuse(&config->yaml, "the name of a target is expected here");
    mez_target *target;
    MEZ_TRY(start_target(config, name, &target));
    MEZ_TRY(mez_yaml_next(&config->yaml));
    return read_keys(config, target);
}

static mez_error read_targets(mez_config *config)
{
    for (;;) {
        MEZ_TRY(mez_yaml_next(&config->yaml));
        if (config->yaml.event.type == YAML_MAPPING_END_EVENT)
            return mez_ok();
        MEZ_TRY(read_target(config));
    }
}

static mez_error read_document(mez_config *config)
{
    MEZ_TRY(mez_yaml_next(&config->yaml)); // of the stream
    MEZ_TRY(mez_yaml_next(&config->yaml)); // of the document
    if (config->yaml.event.type != YAML_STREAM_END_EVENT)
        MEZ_TRY(mez_yaml_next(&config->yaml));
    if (config->yaml.event.type != YAML_MAPPING_START_EVENT)
        return mez_yaml_refuse(&config->yaml,
            "a device configuration file is a list of targets, such as `intel_gpu_tgllp:`");
    MEZ_TRY(read_targets(config));
    MEZ_TRY(mez_yaml_next(&config->yaml)); // the document's end
    MEZ_TRY(mez_yaml_next(&config->yaml));
    if (config->yaml.event.type != YAML_STREAM_END_EVENT)
        return mez_yaml_refuse(
            &config->yaml, "a second document begins here, but only one is allowed");
    return mez_ok();
}

mez_error mez_config_read(const char *origin, const void *bytes, size_t size,
    const mez_targets_params *warnings, mez_targets *targets)
{
    if (size > LARGEST_FILE)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "%s has %zu bytes: too many for a device configuration file", origin, size);
    mez_config *config = mez_new(mez_config);
    if (!config)
        return mez_error_no_memory(origin);
    config->warnings = warnings;
    config->targets = targets;
    mez_error error = mez_yaml_init(&config->yaml, origin, bytes, size);
    if (!mez_failed(error)) {
        error = read_document(config);
        mez_yaml_finish(&config->yaml);
    }
    mez_free_memory(config);
    return error;
}
