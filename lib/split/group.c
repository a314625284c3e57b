// SPDX-License-Identifier: MIT
//
// Which roots share an image: sorted by all that tells them apart, equal ones are neighbours.

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "split/parts.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_modes(const struct mez_spirv_modes *a, const struct mez_spirv_modes *b)
{
    int order = compare_numbers(a->has_local_size, b->has_local_size);
    for (uint32_t i = 0; i < 3 && !order && a->has_local_size; i++)
        order = compare_numbers(a->local_size[i], b->local_size[i]);
    return order ? order : compare_numbers(a->sub_group_size, b->sub_group_size);
}

// 0: they share an image.
static int compare_keys(const mez_split_root *a, const mez_split_root *b)
{
    int order = compare_numbers(a->fixed_number, b->fixed_number);
    if (!order)
        order = compare_numbers(a->bundle, b->bundle);
    if (order || a->fixed_number)
        return order;
    order = memcmp(&a->aspects, &b->aspects, sizeof a->aspects);
    if (!order)
        order = compare_numbers(a->internal, b->internal);
    return order ? order : compare_modes(a->modes, b->modes);
}

static int compare_roots(const void *a, const void *b)
{
    const mez_split_root *left = *(mez_split_root *const *)a, *right = *(mez_split_root *const *)b;
    const int order = compare_keys(left, right);
    return order ? order : compare_numbers(left->place, right->place);
}

// Gives equal roots, which are neighbours in `sorted`, the place of their first one as a number.
static void mark_equal(mez_split_root **sorted, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const bool same = i && compare_keys(sorted[i - 1], sorted[i]) == 0;
        sorted[i]->image = same ? sorted[i - 1]->image : sorted[i]->place;
    }
}

// Images in the order of their first roots.
static uint32_t number_images(mez_split *split)
{
    uint32_t images = 0;
    for (uint32_t i = 0; i < split->root_count; i++) {
        mez_split_root *root = &split->roots[i];
        root->image = root->image == i ? images++ : split->roots[root->image].image;
    }
    return images;
}

static void fill_images(mez_split *split)
{
    for (uint32_t i = 0; i < split->root_count; i++)
        split->images[split->roots[i].image].count++;
    for (uint32_t i = 1; i < split->image_count; i++)
        split->images[i].first = split->images[i - 1].first + split->images[i - 1].count;
    for (uint32_t i = 0; i < split->image_count; i++)
        split->images[i].count = 0;
    for (uint32_t i = 0; i < split->root_count; i++) {
        mez_split_group *image = &split->images[split->roots[i].image];
        split->order[image->first + image->count++] = i;
    }
}

mez_error mez_split_group_roots(mez_split *split)
{
    const uint32_t count = split->root_count;
    mez_split_root **sorted = mez_alloc_array(count + 1, sizeof *sorted);
    split->order = mez_alloc_array(count + 1, sizeof *split->order);
    if (sorted && split->order) {
        for (uint32_t i = 0; i < count; i++)
            sorted[i] = &split->roots[i];
        qsort(sorted, count, sizeof *sorted, compare_roots);
        mark_equal(sorted, count);
        const uint32_t images = number_images(split);
        split->images = mez_alloc_array(images + 1, sizeof *split->images);
        split->image_count = split->images ? images : 0;
    }
    mez_free_memory(sorted);
    if (!split->images)
        return mez_error_no_memory("splitting device code");
    fill_images(split);
    return mez_ok();
}
