// SPDX-License-Identifier: MIT
//
// The trees of devices.
#include "topology.h"

#include "affinity.h"
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>

// Of each device; 0: it is not divided.
static uint32_t part_count(void)
{
    return zc_settings.sub_devices > 1 ? zc_settings.sub_devices : 0;
}

// ---- what the mask selects ----

static void select_whole(struct zc_device_tree *tree)
{
    tree->is_selected = true;
    for (uint32_t i = 0; i < ZC_MAX_SUB_DEVICES; i++)
        tree->selected_parts[i] = true;
}

// In the flat models the mask counts the sub-devices of all devices, else devices.
static void select_element(struct zc_topology *topology, const struct zc_affinity *affinity)
{
    const bool flat = zc_settings.hierarchy != ZC_COMPOSITE && part_count();
    const bool whole = affinity->sub_device == ZC_WHOLE_DEVICE;
    const uint32_t index = flat ? affinity->device / part_count() : affinity->device;
    if (index >= topology->list.count || (flat && !whole))
        return;
    struct zc_device_tree *tree = &topology->trees[index];
    if (flat)
        tree->selected_parts[affinity->device % part_count()] = true;
    else if (whole)
        select_whole(tree);
    else if (affinity->sub_device < ZC_MAX_SUB_DEVICES)
        tree->selected_parts[affinity->sub_device] = true;
}

static void select_all(struct zc_topology *topology)
{
    for (uint32_t i = 0; i < topology->list.count; i++)
        select_whole(&topology->trees[i]);
}

static void read_mask(struct zc_topology *topology)
{
    const char *mask = getenv("ZE_AFFINITY_MASK");
    struct zc_affinity affinity;
    if (!mask || !*mask)
        select_all(topology);
    else
        while (zc_affinity_next(&mask, &affinity))
            select_element(topology, &affinity);
}

// ---- what is shown of it ----

static void show(struct zc_topology *topology, ze_device_handle_t device)
{
    topology->visible[topology->visible_count++] = device;
    topology->devices |= zc_device_bit(device);
}

// One part of a device that is the only one selected is shown as if it were a device.
static void show_composite(struct zc_topology *topology, struct zc_device_tree *tree)
{
    const uint32_t count = tree->root.sub_device_count;
    if (count == 1 && !tree->is_selected) {
        tree->shown[0]->parent = NULL;
        show(topology, tree->shown[0]);
    } else if (count) {
        show(topology, &tree->root);
    }
}

// Combined is flat with a way to the root.
static void show_flat(struct zc_topology *topology, struct zc_device_tree *tree)
{
    for (uint32_t i = 0; i < tree->root.sub_device_count; i++) {
        if (zc_settings.hierarchy == ZC_FLAT)
            tree->shown[i]->parent = NULL;
        show(topology, tree->shown[i]);
    }
}

static void show_parts(struct zc_topology *topology, struct zc_device_tree *tree)
{
    tree->root.sub_devices = tree->shown;
    for (uint32_t i = 0; i < part_count(); i++)
        if (tree->selected_parts[i])
            tree->shown[tree->root.sub_device_count++] = &tree->sub_devices[i];
    if (zc_settings.hierarchy == ZC_COMPOSITE)
        show_composite(topology, tree);
    else
        show_flat(topology, tree);
}

static void show_tree(struct zc_topology *topology, struct zc_device_tree *tree)
{
    if (part_count())
        show_parts(topology, tree);
    else if (tree->selected_parts[0]) // "0" or "0.0"
        show(topology, &tree->root);
}

// ---- devices and their parts ----

// Each sub-device is an equal part of the root.
static void init_part(ze_device_handle_t part, ze_device_handle_t root, uint32_t index)
{
    const uint32_t count = part_count();
    *part = *root;
    part->parent = root;
    part->whole = root;
    part->part = index + 1;
    part->total_memory /= count;
    if (part->max_allocation > part->total_memory)
        part->max_allocation = part->total_memory;
    part->thread_count = part->thread_count < count ? 1 : part->thread_count / count;
}

static ze_result_t divide_root(struct zc_device_tree *tree)
{
    const uint32_t count = part_count();
    if (!count)
        return ZE_RESULT_SUCCESS;
    tree->sub_devices = calloc(count, sizeof *tree->sub_devices);
    tree->shown = calloc(count, sizeof *tree->shown);
    if (!tree->sub_devices || !tree->shown)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        init_part(&tree->sub_devices[i], &tree->root, i);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t init_trees(struct zc_topology *topology)
{
    const uint32_t count = topology->list.count;
    ze_result_t result = ZE_RESULT_SUCCESS;
    topology->trees = calloc(count, sizeof *topology->trees);
    topology->visible =
        calloc((size_t)count * (part_count() ? part_count() : 1), sizeof *topology->visible);
    if (!topology->trees || !topology->visible)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count && !result; i++) {
        result = zc_device_init(&topology->trees[i].root, &topology->list, i);
        if (!result)
            result = divide_root(&topology->trees[i]);
    }
    return result;
}

// A device that is not visible runs no commands.
static ze_result_t read_loss(const struct zc_topology *topology)
{
    const uint64_t index = zc_settings.lost_device;
    if (!zc_settings.loses_device)
        return ZE_RESULT_SUCCESS;
    if (index >= topology->list.count) {
        fprintf(stderr,
            "ze-cpu: ZE_CPU_LOSE_DEVICE=%s names a device that is not there: there are %u "
            "(ZE_CPU_DEVICES), and the first is 0\n",
            getenv("ZE_CPU_LOSE_DEVICE"), topology->list.count);
        return ZE_RESULT_ERROR_UNINITIALIZED;
    }
    zc_lose_after(zc_device_bit(&topology->trees[index].root), zc_settings.lost_after);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_topology_init(struct zc_topology *topology)
{
    ze_result_t result;
    if ((result = zc_device_list_read(&topology->list)) || (result = init_trees(topology)))
        return result;
    read_mask(topology);
    for (uint32_t i = 0; i < topology->list.count; i++)
        show_tree(topology, &topology->trees[i]);
    zc_loss_init(topology->devices);
    return read_loss(topology);
}
