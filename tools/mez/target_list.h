// SPDX-License-Identifier: MIT
//
// Targets by their names, as on a command line: "intel_gpu_tgllp,intel_gpu_pvc".

#ifndef TARGET_LIST_H
#define TARGET_LIST_H

#include <mezzanine/target.h>

// Zeroed memory is an empty list. Targets live as long as their table.
struct target_list {
    const mez_target **items; // a vector of ours, with the two below
    uint32_t count;
    size_t capacity;
};

// The target of that name. MEZ_ERRC_INVALID_PARAMETER: there is none; the story has the nearest name.
mez_error target_find(const mez_targets *table, const char *name, const mez_target **target);

// Those of a list, in its order; empty names are ignored. To be given to target_list_finish in any case. MEZ_ERRC_INVALID_PARAMETER:
// as target_find. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error target_list_read(const char *names, const mez_targets *table, struct target_list *list);

// The same of names that stand by themselves or are lists.
mez_error target_list_read_each(
    const char *const *names, unsigned count, const mez_targets *table, struct target_list *list);

// Leaves each target once, whatever the names were.
void target_list_unite(struct target_list *list);

void target_list_finish(struct target_list *list);

#endif
