// SPDX-License-Identifier: MIT
//
// Filling and asking tables of targets.

#include "target/table.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "target/target.h"

// What the names of Intel's devices begin with, and users leave out.
#define INTEL_PREFIX "intel_gpu_"

mez_error mez_targets_create(mez_targets **targets)
{
    *targets = mez_new(mez_targets);
    return *targets ? mez_ok() : mez_error_no_memory("a table of targets");
}

void mez_targets_destroy(mez_targets **targets)
{
    if (!targets)
        return;
    mez_targets *table = *targets;
    *targets = NULL;
    if (!table)
        return;
    for (size_t i = 0; i < table->strings.count; i++)
        mez_free_memory(table->strings.items[i]);
    mez_vector_finish(&table->strings);
    mez_vector_finish(&table->list);
    mez_free_memory(table);
}

// --- Filling

mez_error mez_targets_keep(mez_targets *targets, const char *text, const char **kept)
{
    char *copy = mez_vector_reserve(&targets->strings) ? mez_copy_string(text) : NULL;
    if (!copy)
        return mez_error_no_memory("a target's name");
    targets->strings.items[targets->strings.count++] = copy;
    *kept = copy;
    return mez_ok();
}

mez_error mez_targets_add(mez_targets *targets, const char *name, mez_target **target)
{
    if (targets->list.count == MEZ_MOST_TARGETS)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a table has at most %d targets, so there is no room for \"%s\"", MEZ_MOST_TARGETS,
            name);
    if (!mez_vector_reserve(&targets->list))
        return mez_error_no_memory("a target");
    const char *kept = NULL;
    MEZ_TRY(mez_targets_keep(targets, name, &kept));
    *target = &targets->list.items[targets->list.count++];
    **target = (mez_target){.name = kept, .aot_toolchain = "", .aot_options = ""};
    return mez_ok();
}

mez_target *mez_targets_named(const mez_targets *targets, const char *name)
{
    for (uint32_t i = 0; i < targets->list.count; i++)
        if (strcmp(targets->list.items[i].name, name) == 0)
            return &targets->list.items[i];
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
    for (uint32_t i = 0; i < targets->list.count; i++) {
        const mez_target *same = mez_targets_find(builtin, targets->list.items[i].name, NULL);
        if (same)
            complete(&targets->list.items[i], same);
    }
}

// --- Asking

uint32_t mez_targets_get_count(const mez_targets *targets)
{
    return targets ? targets->list.count : 0;
}

const mez_target *mez_targets_get_target(const mez_targets *targets, uint32_t index)
{
    return index < mez_targets_get_count(targets) ? &targets->list.items[index] : NULL;
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
    for (uint32_t i = 0; i < targets->list.count; i++)
        for (uint32_t j = 0; j < targets->list.items[i].alias_count; j++)
            if (is_named(targets->list.items[i].aliases[j], alias))
                return &targets->list.items[i];
    return NULL;
}

static const mez_target *find_name(const mez_targets *targets, const char *name)
{
    for (uint32_t i = 0; i < targets->list.count; i++)
        if (is_named(targets->list.items[i].name, name))
            return &targets->list.items[i];
    return NULL;
}

// Both with and without the prefix, which a misspelt name may lack, too. What is suggested has it.
static void offer(mez_spelling *spelling, const char *full)
{
    const size_t prefix = strlen(INTEL_PREFIX);
    mez_spelling_offer(spelling, full);
    if (strncmp(full, INTEL_PREFIX, prefix) != 0)
        return;
    mez_spelling_offer(spelling, full + prefix);
    if (spelling->nearest == full + prefix)
        spelling->nearest = full;
}

// In small letters, as all names are that anybody means.
static const char *suggest(const mez_targets *targets, const char *name)
{
    char wanted[64];
    const size_t length = strlen(name);
    if (length > sizeof wanted)
        return NULL;
    for (size_t i = 0; i < length; i++)
        wanted[i] = (char)tolower((unsigned char)plain(name[i]));
    mez_spelling spelling = mez_spelling_of(wanted, length);
    for (uint32_t i = 0; i < targets->list.count; i++) {
        offer(&spelling, targets->list.items[i].name);
        for (uint32_t j = 0; j < targets->list.items[i].alias_count; j++)
            offer(&spelling, targets->list.items[i].aliases[j]);
    }
    return spelling.nearest;
}

const mez_target *mez_targets_find(
    const mez_targets *targets, const char *name, const char **nearest)
{
    if (nearest)
        *nearest = NULL;
    if (!targets || !name)
        return NULL;
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
    for (uint32_t i = 0; ip_version != 0 && i < targets->list.count; i++)
        if (mez_target_has_ip(&targets->list.items[i], ip_version))
            return &targets->list.items[i];
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
    for (uint32_t i = 0; vendor_id == MEZ_PCI_VENDOR_INTEL && i < targets->list.count; i++)
        if (has_pci_id(&targets->list.items[i], device_id))
            return &targets->list.items[i];
    return NULL;
}
