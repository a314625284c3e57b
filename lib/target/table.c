// SPDX-License-Identifier: MIT

#include "target/table.h"

#include <string.h>

#include "base/alloc.h"
#include "base/spelling.h"
#include "target/values.h"

// What the names of Intel's devices begin with, and users leave out.
#define INTEL_PREFIX "intel_gpu_"

mez_error mez_targets_create(mez_targets **targets)
{
    *targets = mez_new(mez_targets);
    return *targets ? mez_ok() : mez_error_no_memory("a table of targets");
}

void mez_targets_destroy(mez_targets **targets)
{
    mez_targets *table = *targets;
    *targets = NULL;
    if (!table)
        return;
    for (size_t i = 0; i < table->string_count; i++)
        mez_free_memory(table->strings[i]);
    mez_free_memory(table->strings);
    mez_free_memory(table->items);
    mez_free_memory(table);
}

// --- Filling

mez_error mez_targets_keep(mez_targets *targets, const char *text, const char **kept)
{
    char *copy = mez_grow(&targets->strings, targets->string_count, &targets->string_capacity)
                     ? mez_copy_string(text)
                     : NULL;
    if (!copy)
        return mez_error_no_memory("a target's name");
    targets->strings[targets->string_count++] = copy;
    *kept = copy;
    return mez_ok();
}

mez_error mez_targets_add(mez_targets *targets, const char *name, mez_target **target)
{
    if (targets->count == MEZ_MOST_TARGETS)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a table has at most %d targets, and \"%s\" is one more", MEZ_MOST_TARGETS, name);
    if (!mez_grow(&targets->items, targets->count, &targets->capacity))
        return mez_error_no_memory("a target");
    const char *kept = NULL;
    MEZ_TRY(mez_targets_keep(targets, name, &kept));
    *target = &targets->items[targets->count++];
    **target = (mez_target){.name = kept, .aot_toolchain = "", .aot_options = ""};
    return mez_ok();
}

mez_target *mez_targets_named(const mez_targets *targets, const char *name)
{
    for (uint32_t i = 0; i < targets->count; i++)
        if (strcmp(targets->items[i].name, name) == 0)
            return &targets->items[i];
    return NULL;
}

static void add_alias(mez_target *target, const char *alias)
{
    if (target->alias_count < MEZ_TARGET_ALIASES && strcmp(target->name, alias) != 0)
        target->aliases[target->alias_count++] = alias;
}

// Both names of one thing: the target that is completed may have what is an alias there.
static void complete_names(mez_target *target, const mez_target *builtin)
{
    if (target->alias_count > 0)
        return;
    add_alias(target, builtin->name);
    for (uint32_t i = 0; i < builtin->alias_count; i++)
        add_alias(target, builtin->aliases[i]);
}

static void complete_limits(mez_target *target, const mez_target *builtin)
{
    if (target->max_group_size == 0) {
        target->max_group_size = builtin->max_group_size;
        memcpy(target->max_group_sizes, builtin->max_group_sizes, sizeof target->max_group_sizes);
    }
    if (target->max_local_memory == 0)
        target->max_local_memory = builtin->max_local_memory;
    if (target->max_argument_size == 0)
        target->max_argument_size = builtin->max_argument_size;
}

static void complete(mez_target *target, const mez_target *builtin)
{
    complete_names(target, builtin);
    complete_limits(target, builtin);
    if (target->ip_version_count == 0) {
        memcpy(target->ip_versions, builtin->ip_versions, sizeof target->ip_versions);
        target->ip_version_count = builtin->ip_version_count;
    }
    if (target->pci_id_count == 0) {
        memcpy(target->pci_ids, builtin->pci_ids, sizeof target->pci_ids);
        target->pci_id_count = builtin->pci_id_count;
    }
    if (!*target->aot_toolchain && !*target->aot_options) {
        target->aot_toolchain = builtin->aot_toolchain;
        target->aot_options = builtin->aot_options;
    }
}

void mez_targets_complete(mez_targets *targets, const mez_targets *builtin)
{
    for (uint32_t i = 0; i < targets->count; i++) {
        const mez_target *same = mez_targets_find(builtin, targets->items[i].name, NULL);
        if (same)
            complete(&targets->items[i], same);
    }
}

// --- Asking

uint32_t mez_targets_count(const mez_targets *targets)
{
    return targets->count;
}

const mez_target *mez_targets_at(const mez_targets *targets, uint32_t index)
{
    return index < targets->count ? &targets->items[index] : NULL;
}

static char plain(char character)
{
    return character == '-' ? '_' : character;
}

bool mez_same_name(const char *a, const char *b)
{
    for (; *a && plain(*a) == plain(*b); a++, b++)
        ;
    return !*a && !*b;
}

// `full` is the whole name; `name` may lack the prefix.
static bool is_named(const char *full, const char *name)
{
    const size_t prefix = strlen(INTEL_PREFIX);
    return mez_same_name(full, name) ||
           (strncmp(full, INTEL_PREFIX, prefix) == 0 && mez_same_name(full + prefix, name));
}

static const mez_target *find_alias(const mez_targets *targets, const char *alias)
{
    for (uint32_t i = 0; i < targets->count; i++)
        for (uint32_t j = 0; j < targets->items[i].alias_count; j++)
            if (is_named(targets->items[i].aliases[j], alias))
                return &targets->items[i];
    return NULL;
}

static const mez_target *find_name(const mez_targets *targets, const char *name)
{
    for (uint32_t i = 0; i < targets->count; i++)
        if (is_named(targets->items[i].name, name))
            return &targets->items[i];
    return NULL;
}

static const char *suggest(const mez_targets *targets, const char *name)
{
    mez_spelling spelling = mez_spelling_of(name, strlen(name));
    for (uint32_t i = 0; i < targets->count; i++) {
        mez_spelling_offer(&spelling, targets->items[i].name);
        for (uint32_t j = 0; j < targets->items[i].alias_count; j++)
            mez_spelling_offer(&spelling, targets->items[i].aliases[j]);
    }
    return spelling.nearest;
}

const mez_target *mez_targets_find(
    const mez_targets *targets, const char *name, const char **nearest)
{
    const mez_target *target = mez_targets_named(targets, name);
    if (!target)
        target = find_name(targets, name);
    if (!target)
        target = find_alias(targets, name);
    if (nearest)
        *nearest = target ? NULL : suggest(targets, name);
    return target;
}

const mez_target *mez_targets_find_ip(const mez_targets *targets, uint32_t ip_version)
{
    for (uint32_t i = 0; ip_version != 0 && i < targets->count; i++)
        if (mez_target_has_ip(&targets->items[i], ip_version))
            return &targets->items[i];
    return NULL;
}

static bool has_pci_id(const mez_target *target, uint32_t device_id)
{
    for (uint32_t i = 0; i < target->pci_id_count; i++)
        if (device_id >= target->pci_ids[i].first && device_id <= target->pci_ids[i].last)
            return true;
    return false;
}

const mez_target *mez_targets_find_pci(
    const mez_targets *targets, uint32_t vendor_id, uint32_t device_id)
{
    for (uint32_t i = 0; vendor_id == MEZ_PCI_VENDOR_INTEL && i < targets->count; i++)
        if (has_pci_id(&targets->items[i], device_id))
            return &targets->items[i];
    return NULL;
}
