// SPDX-License-Identifier: MIT
//
// Fuzz target of device configuration files: whatever the bytes, an error with words or a table that can be asked everything.
// Linked with replay.c instead of libFuzzer it replays the files it is given.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "target/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void pass_over(void *user, const char *warning)
{
    require(strlen(warning) > 0);
    ++*(unsigned *)user;
}

static void ask(const mez_targets *targets, const mez_target *target)
{
    require(mez_targets_find(targets, target->name, NULL) == target);
    require(strlen(target->aot_toolchain) + strlen(target->aot_options) < SIZE_MAX);
    for (uint32_t i = 0; i < target->alias_count; i++)
        require(mez_targets_find(targets, target->aliases[i], NULL) != NULL);
    for (uint32_t i = 0; i < target->ip_version_count; i++)
        require(mez_target_has_ip(target, target->ip_versions[i]));
    for (uint32_t i = 0; i < target->pci_id_count; i++)
        require(
            mez_targets_find_pci(targets, MEZ_PCI_VENDOR_INTEL, target->pci_ids[i].first) != NULL);
    for (uint32_t i = 0; i < target->sub_group_size_count; i++)
        require(mez_target_has_sub_group_size(target, target->sub_group_sizes[i]));
    for (uint32_t i = 0; i < target->unnamed_aspect_count; i++)
        require(mez_target_has_number(target, MEZ_ASPECTS_CLASSIC, target->unnamed_aspects[i]));
    require(target->aspects_known ||
            mez_aspects_next(&target->aspects, (mez_aspect)0) == MEZ_ASPECT_COUNT);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    unsigned reported = 0;
    const mez_targets_params warnings = {.warn = pass_over, .user = &reported};
    mez_targets *targets;
    const mez_error error = mez_targets_read("fuzz", bytes, size, &warnings, &targets);
    require(mez_failed(error) == !targets);
    for (uint32_t i = 0; targets && i < mez_targets_get_count(targets) && i < 64; i++)
        ask(targets, mez_targets_get_target(targets, i));
    const char *nearest;
    if (targets)
        mez_targets_find(targets, "intel_gpu_tglp", &nearest);
    mez_targets_destroy(&targets);
    return 0;
}
