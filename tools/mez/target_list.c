// SPDX-License-Identifier: MIT

#include "target_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vector.h"

static mez_error no_such_target(const char *name, const char *nearest)
{
    if (nearest)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "there is no target \"%s\"; did you mean \"%s\"?", name, nearest);
    return mez_error_add(
        mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "there is no target \"%s\"", name), "advice",
        "share/mezzanine/targets.yaml lists them, or the file of MEZ_DEVICE_CONFIG or "
        "--device-config-file in its place");
}

mez_error target_find(const mez_targets *table, const char *name, const mez_target **target)
{
    const char *nearest;
    *target = mez_targets_find(table, name, &nearest);
    return *target ? mez_ok() : no_such_target(name, nearest);
}

// Cuts `names` at its commas.
static mez_error add_names(char *names, const mez_targets *table, struct target_list *list)
{
    char *rest;
    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        const mez_target *target;
        MEZ_TRY(target_find(table, name, &target));
        if (!mez_vector_push(list, target))
            return mez_error_no_memory("targets");
    }
    return mez_ok();
}

static mez_error add_list(const char *names, const mez_targets *table, struct target_list *list)
{
    char *copy = strdup(names);
    const mez_error error = copy ? add_names(copy, table, list) : mez_error_no_memory("targets");
    free(copy);
    return error;
}

mez_error target_list_read_each(
    const char *const *names, unsigned count, const mez_targets *table, struct target_list *list)
{
    *list = (struct target_list){0};
    for (unsigned i = 0; i < count; i++)
        MEZ_TRY(add_list(names[i], table, list));
    return mez_ok();
}

mez_error target_list_read(const char *names, const mez_targets *table, struct target_list *list)
{
    return target_list_read_each(&names, 1, table, list);
}

void target_list_unite(struct target_list *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t same = 0;
        while (same < kept && list->items[same] != list->items[i])
            same++;
        list->items[same] = list->items[i];
        kept += same == kept;
    }
    list->count = kept;
}

void target_list_finish(struct target_list *list)
{
    mez_vector_finish(list);
}
