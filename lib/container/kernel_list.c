// SPDX-License-Identifier: MIT
//
// The kernels that a container lists for a binary.

#include "container/bundle.h"

#include <string.h>

#include "base/alloc.h"
#include "container/name_index.h"

// The index asks for structs that begin with a name, and a name alone is one.
static mez_named_items named_kernels(const mez_binary *binary)
{
    return (mez_named_items){
        .items = binary->kernels,
        .count = binary->kernel_count,
        .size = sizeof *binary->kernels,
    };
}

// While it is made: what finds a name that comes again, and the items that there is room for.
typedef struct list {
    mez_name_index index;
    size_t capacity;
} list;

static mez_error add_kernel(mez_bundle *bundle, mez_binary *binary, list *list, const char *name)
{
    const mez_named_items before = named_kernels(binary);
    const char *copy;
    if (mez_name_index_find(&list->index, &before, name, strlen(name)) != MEZ_NAME_NOT_FOUND)
        return mez_ok();
    if (!mez_named_grow(&list->index, &binary->kernels, binary->kernel_count, &list->capacity))
        return mez_error_no_memory("a list of kernels");
    MEZ_TRY(mez_bundle_copy_string(bundle, name, strlen(name), &copy));
    binary->kernels[binary->kernel_count++] = copy;
    const mez_named_items kernels = named_kernels(binary);
    mez_name_index_add(&list->index, &kernels);
    return mez_ok();
}

mez_error mez_binary_set_kernels(
    mez_bundle *bundle, mez_binary *binary, const char *const *names, size_t count)
{
    mez_free_memory(binary->kernels);
    binary->kernels = NULL;
    binary->kernel_count = 0;
    binary->lists_kernels = true;
    list list = {0};
    mez_error error = mez_ok();
    for (size_t i = 0; i < count && !mez_failed(error); i++)
        error = add_kernel(bundle, binary, &list, names[i]);
    mez_name_index_finish(&list.index);
    return error;
}

mez_error mez_binary_take_kernel_names(mez_bundle *bundle, mez_binary *binary)
{
    const mez_property_set *set =
        mez_properties_find_set(&binary->properties, MEZ_SET_KERNEL_NAMES);
    if (!set)
        return mez_ok();
    const char **names = mez_alloc_array(set->count ? set->count : 1, sizeof *names);
    if (!names)
        return mez_error_no_memory("a list of kernels");
    for (size_t i = 0; i < set->count; i++)
        names[i] = set->properties[i].name;
    const mez_error error = mez_binary_set_kernels(bundle, binary, names, set->count);
    mez_free_memory(names);
    return error;
}

bool mez_binary_has_kernel(const mez_binary *binary, const char *name)
{
    for (size_t i = 0; i < binary->kernel_count; i++)
        if (strcmp(binary->kernels[i], name) == 0)
            return true;
    return false;
}
