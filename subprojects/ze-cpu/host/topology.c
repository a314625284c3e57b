// SPDX-License-Identifier: MIT
//
// The tree of devices.
#include "topology.h"

#include "affinity.h"
#include "settings.h"

#include <stdlib.h>

// Each sub-device is an equal part of the root.
static void divide_root(struct zc_topology *topology)
{
    const uint32_t count = zc_settings.sub_devices;
    for (uint32_t i = 0; i < count; i++) {
        ze_device_handle_t part = &topology->sub_devices[i];
        *part = topology->root;
        part->parent = &topology->root;
        part->part = i + 1;
        part->total_memory /= count;
        if (part->max_allocation > part->total_memory)
            part->max_allocation = part->total_memory;
        part->thread_count = part->thread_count < count ? 1 : part->thread_count / count;
    }
}

// What the mask selects.
struct selection {
    bool root; // as a whole
    bool sub_devices[ZC_MAX_SUB_DEVICES];
};

static void select_all(struct selection *selection)
{
    selection->root = true;
    for (uint32_t i = 0; i < ZC_MAX_SUB_DEVICES; i++)
        selection->sub_devices[i] = true;
}

// In the flat models the mask counts sub-devices, else devices, of which there is one.
static void select_element(struct selection *selection, const struct zc_affinity *affinity)
{
    const bool flat = zc_settings.hierarchy != ZC_COMPOSITE && zc_settings.sub_devices > 1;
    const bool whole = affinity->sub_device == ZC_WHOLE_DEVICE;
    if (flat && whole && affinity->device < zc_settings.sub_devices)
        selection->sub_devices[affinity->device] = true;
    else if (!flat && affinity->device == 0 && whole)
        select_all(selection);
    else if (!flat && affinity->device == 0 && affinity->sub_device < ZC_MAX_SUB_DEVICES)
        selection->sub_devices[affinity->sub_device] = true;
}

static struct selection read_selection(void)
{
    struct selection selection = {.root = false};
    const char *mask = getenv("ZE_AFFINITY_MASK");
    struct zc_affinity affinity;
    if (!mask || !*mask)
        select_all(&selection);
    else
        while (zc_affinity_next(&mask, &affinity))
            select_element(&selection, &affinity);
    return selection;
}

static void show(struct zc_topology *topology, ze_device_handle_t device)
{
    topology->visible[topology->visible_count++] = device;
}

// One part of a device that is the only one selected is shown as if it were a device.
static void show_composite(struct zc_topology *topology, const struct selection *selection)
{
    const uint32_t count = topology->root.sub_device_count;
    if (count == 1 && !selection->root) {
        topology->selected[0]->parent = NULL;
        show(topology, topology->selected[0]);
    } else if (count) {
        show(topology, &topology->root);
    }
}

// Combined is flat with a way to the root.
static void show_flat(struct zc_topology *topology)
{
    for (uint32_t i = 0; i < topology->root.sub_device_count; i++) {
        if (zc_settings.hierarchy == ZC_FLAT)
            topology->selected[i]->parent = NULL;
        show(topology, topology->selected[i]);
    }
}

static void show_parts(struct zc_topology *topology, const struct selection *selection)
{
    divide_root(topology);
    topology->root.sub_devices = topology->selected;
    for (uint32_t i = 0; i < zc_settings.sub_devices; i++)
        if (selection->sub_devices[i])
            topology->selected[topology->root.sub_device_count++] = &topology->sub_devices[i];
    if (zc_settings.hierarchy == ZC_COMPOSITE)
        show_composite(topology, selection);
    else
        show_flat(topology);
}

ze_result_t zc_topology_init(struct zc_topology *topology)
{
    const ze_result_t result = zc_device_init(&topology->root);
    if (result)
        return result;
    const struct selection selection = read_selection();
    if (zc_settings.sub_devices > 1)
        show_parts(topology, &selection);
    else if (selection.sub_devices[0]) // "0" or "0.0"
        show(topology, &topology->root);
    return ZE_RESULT_SUCCESS;
}
