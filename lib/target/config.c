// SPDX-License-Identifier: MIT
//
// Reading a device configuration file, key by key.

#include "target/config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "target/target.h"

// --- Single values

static mez_error require_scalar(const mez_config *config, const char *key)
{
    if (config->yaml.event.type == YAML_SCALAR_EVENT && *mez_yaml_text(&config->yaml))
        return mez_ok();
    return mez_yaml_refuse(&config->yaml, "%s needs one value", key);
}

static mez_error read_may_support(mez_config *config, mez_target *target)
{
    MEZ_TRY(require_scalar(config, "may_support_other_aspects"));
    const char *text = mez_yaml_text(&config->yaml);
    if (mez_value_bool(text, &target->may_support_other_aspects))
        return mez_ok();
    return mez_yaml_refuse(
        &config->yaml, "may_support_other_aspects is true or false, not \"%s\"", text);
}

static mez_error read_limit(mez_config *config, const char *key, uint32_t *limit)
{
    MEZ_TRY(require_scalar(config, key));
    const char *text = mez_yaml_text(&config->yaml);
    if (mez_value_number(text, limit) && *limit > 0)
        return mez_ok();
    return mez_yaml_refuse(&config->yaml, "%s is a positive number, not \"%s\"", key, text);
}

static mez_error read_max_group_size(mez_config *config, mez_target *target)
{
    MEZ_TRY(read_limit(config, "max-work-group-size", &target->max_group_size));
    for (int i = 0; i < 3; i++)
        target->max_group_sizes[i] = target->max_group_size;
    return mez_ok();
}

static mez_error read_max_local_memory(mez_config *config, mez_target *target)
{
    return read_limit(config, "max-local-memory", &target->max_local_memory);
}

static mez_error read_max_argument_size(mez_config *config, mez_target *target)
{
    return read_limit(config, "max-argument-size", &target->max_argument_size);
}

static mez_error read_toolchain(mez_config *config, mez_target *target)
{
    MEZ_TRY(require_scalar(config, "aot-toolchain"));
    return mez_targets_keep(config->targets, mez_yaml_text(&config->yaml), &target->aot_toolchain);
}

static mez_error read_toolchain_options(mez_config *config, mez_target *target)
{
    MEZ_TRY(require_scalar(config, "aot-toolchain-options"));
    return mez_targets_keep(config->targets, mez_yaml_text(&config->yaml), &target->aot_options);
}

// An older form: the device alone, of ocloc.
static mez_error read_ocloc_device(mez_config *config, mez_target *target)
{
    MEZ_TRY(require_scalar(config, "ocloc-device"));
    char *options = mez_print_string("-device %s", mez_yaml_text(&config->yaml));
    if (!options)
        return mez_error_no_memory("the options of a compiler");
    target->aot_toolchain = "ocloc";
    const mez_error error = mez_targets_keep(config->targets, options, &target->aot_options);
    mez_free_memory(options);
    return error;
}

// --- Lists

// Takes one entry of a list.
typedef mez_error take_function(mez_config *config, mez_target *target, const char *text);

static mez_error read_list(
    mez_config *config, mez_target *target, const char *key, take_function *take)
{
    if (config->yaml.event.type != YAML_SEQUENCE_START_EVENT)
        return mez_yaml_refuse(&config->yaml, "%s needs a list, such as [a, b]", key);
    for (;;) {
        MEZ_TRY(mez_yaml_next(&config->yaml));
        if (config->yaml.event.type == YAML_SEQUENCE_END_EVENT)
            return mez_ok();
        MEZ_TRY(require_scalar(config, key));
        MEZ_TRY(take(config, target, mez_yaml_text(&config->yaml)));
    }
}

static mez_error too_many(const mez_config *config, const char *key, int most)
{
    return mez_yaml_refuse(&config->yaml, "%s has more than %d entries", key, most);
}

static mez_error take_alias(mez_config *config, mez_target *target, const char *text)
{
    if (target->alias_count == MEZ_TARGET_ALIASES)
        return too_many(config, "aliases", MEZ_TARGET_ALIASES);
    return mez_targets_keep(config->targets, text, &target->aliases[target->alias_count++]);
}

static mez_error read_aliases(mez_config *config, mez_target *target)
{
    target->alias_count = 0;
    return read_list(config, target, "aliases", take_alias);
}

static mez_error take_ip(mez_config *config, mez_target *target, const char *text)
{
    if (target->ip_version_count == MEZ_TARGET_IP_VERSIONS)
        return too_many(config, "ip-versions", MEZ_TARGET_IP_VERSIONS);
    if (mez_value_ip(text, &target->ip_versions[target->ip_version_count++]))
        return mez_ok();
    return mez_yaml_refuse(
        &config->yaml, "\"%s\" is not an IP version, such as 12.55.8 or 0x030dc008", text);
}

static mez_error read_ip_versions(mez_config *config, mez_target *target)
{
    target->ip_version_count = 0;
    return read_list(config, target, "ip-versions", take_ip);
}

static mez_error take_pci_id(mez_config *config, mez_target *target, const char *text)
{
    if (target->pci_id_count == MEZ_TARGET_PCI_IDS)
        return too_many(config, "pci-ids", MEZ_TARGET_PCI_IDS);
    if (mez_value_pci(text, &target->pci_ids[target->pci_id_count++]))
        return mez_ok();
    return mez_yaml_refuse(
        &config->yaml, "\"%s\" is not a PCI device id, such as 0x9a49 or 0x4f80-0x4f84", text);
}

static mez_error read_pci_ids(mez_config *config, mez_target *target)
{
    target->pci_id_count = 0;
    return read_list(config, target, "pci-ids", take_pci_id);
}

static mez_error take_sub_group_size(mez_config *config, mez_target *target, const char *text)
{
    if (target->sub_group_size_count == MEZ_TARGET_SUB_GROUP_SIZES)
        return too_many(config, "sub-group-sizes", MEZ_TARGET_SUB_GROUP_SIZES);
    uint32_t *size = &target->sub_group_sizes[target->sub_group_size_count++];
    if (mez_value_number(text, size) && *size > 0)
        return mez_ok();
    return mez_yaml_refuse(&config->yaml, "\"%s\" is not a sub-group size", text);
}

static mez_error read_sub_group_sizes(mez_config *config, mez_target *target)
{
    target->sub_group_size_count = 0;
    return read_list(config, target, "sub-group-sizes", take_sub_group_size);
}

// --- Aspects

static mez_error take_number(mez_config *config, mez_target *target, uint32_t number)
{
    const mez_aspect aspect = mez_aspect_from_number(MEZ_ASPECTS_CLASSIC, number);
    if (aspect != MEZ_ASPECT_NONE) {
        mez_aspects_add(&target->aspects, aspect);
        return mez_ok();
    }
    mez_config_warn(config, "aspect %u has no name that is known", number);
    if (target->unnamed_aspect_count == MEZ_TARGET_UNNAMED_ASPECTS)
        return too_many(config, "aspects without a name", MEZ_TARGET_UNNAMED_ASPECTS);
    target->unnamed_aspects[target->unnamed_aspect_count++] = number;
    return mez_ok();
}

static mez_error take_aspect(mez_config *config, mez_target *target, const char *text)
{
    const mez_aspect aspect = mez_aspect_find(text, strlen(text));
    uint32_t number;
    if (aspect != MEZ_ASPECT_NONE) {
        mez_aspects_add(&target->aspects, aspect);
        return mez_ok();
    }
    if (mez_value_number(text, &number))
        return take_number(config, target, number);
    const char *nearest = mez_aspect_suggest(text, strlen(text));
    mez_config_warn(config, "the aspect \"%s\" is unknown and ignored%s%s%s", text,
        nearest ? "; is it \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    return mez_ok();
}

static void copy_aspects(mez_target *to, const mez_target *from)
{
    to->aspects = from->aspects;
    memcpy(to->unnamed_aspects, from->unnamed_aspects, sizeof to->unnamed_aspects);
    to->unnamed_aspect_count = from->unnamed_aspect_count;
    to->aspects_known = true;
}

// The newest of that name, as YAML has it.
static const struct mez_config_anchor *find_anchor(const mez_config *config, const char *name)
{
    for (uint32_t i = config->anchor_count; i-- > 0;)
        if (strcmp(config->anchors[i].name, name) == 0)
            return &config->anchors[i];
    return NULL;
}

static mez_error repeat_aspects(const mez_config *config, mez_target *target)
{
    const char *name = mez_yaml_text(&config->yaml);
    const struct mez_config_anchor *anchor = find_anchor(config, name);
    if (!anchor)
        return mez_yaml_refuse(&config->yaml, "no earlier list of aspects is called &%s", name);
    copy_aspects(target, &anchor->holds);
    return mez_ok();
}

// Reserves an anchor for the list that begins here; NULL: it has no name.
static mez_error add_anchor(mez_config *config, struct mez_config_anchor **anchor)
{
    const yaml_event_t *event = &config->yaml.event;
    *anchor = NULL;
    if (event->type != YAML_SEQUENCE_START_EVENT || !event->data.sequence_start.anchor)
        return mez_ok();
    if (config->anchor_count == MEZ_MOST_ANCHORS)
        return too_many(config, "the file's set of named lists", MEZ_MOST_ANCHORS);
    struct mez_config_anchor *added = &config->anchors[config->anchor_count];
    MEZ_TRY(mez_targets_keep(
        config->targets, (const char *)event->data.sequence_start.anchor, &added->name));
    config->anchor_count++;
    *anchor = added;
    return mez_ok();
}

static mez_error read_aspects(mez_config *config, mez_target *target)
{
    if (config->yaml.event.type == YAML_ALIAS_EVENT)
        return repeat_aspects(config, target);
    struct mez_config_anchor *anchor;
    MEZ_TRY(add_anchor(config, &anchor));
    target->aspects = (mez_aspects){0};
    target->unnamed_aspect_count = 0;
    target->aspects_known = true;
    MEZ_TRY(read_list(config, target, "aspects", take_aspect));
    if (anchor)
        copy_aspects(&anchor->holds, target);
    return mez_ok();
}

// --- The table of them

static const mez_config_key keys[] = {
    // published
    {"aspects", 1u << 0, read_aspects},
    {"may_support_other_aspects", 1u << 1, read_may_support},
    {"sub-group-sizes", 1u << 2, read_sub_group_sizes},
    {"aot-toolchain", 1u << 3, read_toolchain},
    {"aot-toolchain-options", 1u << 4, read_toolchain_options},
    {"ocloc-device", 1u << 5, read_ocloc_device},
    // ours
    {"aliases", 1u << 6, read_aliases},
    {"ip-versions", 1u << 7, read_ip_versions},
    {"pci-ids", 1u << 8, read_pci_ids},
    {"max-work-group-size", 1u << 9, read_max_group_size},
    {"max-local-memory", 1u << 10, read_max_local_memory},
    {"max-argument-size", 1u << 11, read_max_argument_size},
};

const mez_config_key *mez_config_find_key(const char *name)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (mez_same_name(keys[i].name, name))
            return &keys[i];
    return NULL;
}

// --- Files

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
        mez_log(DEVICE, WARN, "%-s", mez_text_get(&text));
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
