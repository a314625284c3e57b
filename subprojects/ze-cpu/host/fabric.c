// SPDX-License-Identifier: MIT
//
// The fabric: devices and their parts are its vertices, and between any two of them there is an edge, the memory of the machine.
// Nobody knows how fast that is.
#include "check.h"
#include "device.h"
#include "driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL "memory of the machine"

struct _ze_fabric_edge_handle_t {
    ze_fabric_edge_handle_t next; // of the same first vertex
    ze_device_handle_t first, second;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the edges of all devices

// A vertex is its device.
static ze_fabric_vertex_handle_t vertex_of(ze_device_handle_t device)
{
    return (ze_fabric_vertex_handle_t)(void *)device;
}

static ze_device_handle_t device_of(ze_fabric_vertex_handle_t vertex)
{
    return (ze_device_handle_t)(void *)vertex;
}

// ---- vertices ----

static void list_vertices(
    const ze_device_handle_t *devices, uint32_t count, ze_fabric_vertex_handle_t *vertices)
{
    for (uint32_t i = 0; i < count; i++)
        vertices[i] = vertex_of(devices[i]);
}

ze_result_t zeFabricVertexGetExp(
    ze_driver_handle_t driver, uint32_t *count, ze_fabric_vertex_handle_t *vertices)
{
    ZC_REQUIRE_HANDLE(driver);
    ZC_REQUIRE_POINTER(count);
    if (zc_clamp_count(count, driver->topology.visible_count) && vertices)
        list_vertices(driver->topology.visible, *count, vertices);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeFabricVertexGetSubVerticesExp(
    ze_fabric_vertex_handle_t vertex, uint32_t *count, ze_fabric_vertex_handle_t *vertices)
{
    ZC_REQUIRE_HANDLE(vertex);
    ZC_REQUIRE_POINTER(count);
    const ze_device_handle_t device = device_of(vertex);
    if (zc_clamp_count(count, device->sub_device_count) && vertices)
        list_vertices(device->sub_devices, *count, vertices);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeFabricVertexGetPropertiesExp(
    ze_fabric_vertex_handle_t vertex, ze_fabric_vertex_exp_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(vertex);
    ZC_REQUIRE_POINTER(properties);
    const ze_device_handle_t device = device_of(vertex);
    ze_device_uuid_t uuid;
    zc_device_uuid(device, &uuid);
    memcpy(&properties->uuid, &uuid, sizeof uuid);
    properties->type =
        device->parent ? ZE_FABRIC_VERTEX_EXP_TYPE_SUBEVICE : ZE_FABRIC_VERTEX_EXP_TYPE_DEVICE;
    properties->remote = false;
    memset(&properties->address, 0, sizeof properties->address); // a processor has none
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeFabricVertexGetDeviceExp(ze_fabric_vertex_handle_t vertex, ze_device_handle_t *device)
{
    ZC_REQUIRE_HANDLE(vertex);
    ZC_REQUIRE_POINTER(device);
    *device = device_of(vertex);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetFabricVertexExp(ze_device_handle_t device, ze_fabric_vertex_handle_t *vertex)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(vertex);
    *vertex = vertex_of(device);
    return ZE_RESULT_SUCCESS;
}

// ---- edges ----

// Edges are made when they are asked for, and stay. NULL: memory is short.
static ze_fabric_edge_handle_t find_edge(ze_device_handle_t first, ze_device_handle_t second)
{
    ze_fabric_edge_handle_t edge = first->edges;
    while (edge && edge->second != second)
        edge = edge->next;
    if (edge || !(edge = malloc(sizeof *edge)))
        return edge;
    *edge = (struct _ze_fabric_edge_handle_t){first->edges, first, second};
    first->edges = edge;
    return edge;
}

// The same in both directions.
static ze_fabric_edge_handle_t get_edge(ze_device_handle_t one, ze_device_handle_t other)
{
    const bool in_order = (uintptr_t)one < (uintptr_t)other;
    pthread_mutex_lock(&lock);
    ze_fabric_edge_handle_t edge = in_order ? find_edge(one, other) : find_edge(other, one);
    pthread_mutex_unlock(&lock);
    return edge;
}

ze_result_t zeFabricEdgeGetExp(ze_fabric_vertex_handle_t one, ze_fabric_vertex_handle_t other,
    uint32_t *count, ze_fabric_edge_handle_t *edges)
{
    ZC_REQUIRE_HANDLE(one);
    ZC_REQUIRE_HANDLE(other);
    ZC_REQUIRE_POINTER(count);
    if (!zc_clamp_count(count, one != other) || !edges || *count == 0)
        return ZE_RESULT_SUCCESS;
    *edges = get_edge(device_of(one), device_of(other));
    ZC_REQUIRE(*edges, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeFabricEdgeGetVerticesExp(
    ze_fabric_edge_handle_t edge, ze_fabric_vertex_handle_t *one, ze_fabric_vertex_handle_t *other)
{
    ZC_REQUIRE_HANDLE(edge);
    ZC_REQUIRE_POINTER(one);
    ZC_REQUIRE_POINTER(other);
    *one = vertex_of(edge->first);
    *other = vertex_of(edge->second);
    return ZE_RESULT_SUCCESS;
}

// Of the devices at both ends.
static void fill_uuid(ze_fabric_edge_handle_t edge, ze_uuid_t *uuid)
{
    memset(uuid, 0, sizeof *uuid);
    snprintf((char *)uuid->id, sizeof uuid->id, "ze-cpu edge");
    uuid->id[sizeof uuid->id - 4] = (uint8_t)edge->first->index;
    uuid->id[sizeof uuid->id - 3] = (uint8_t)edge->first->part;
    uuid->id[sizeof uuid->id - 2] = (uint8_t)edge->second->index;
    uuid->id[sizeof uuid->id - 1] = (uint8_t)edge->second->part;
}

ze_result_t zeFabricEdgeGetPropertiesExp(
    ze_fabric_edge_handle_t edge, ze_fabric_edge_exp_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(edge);
    ZC_REQUIRE_POINTER(properties);
    *properties = (ze_fabric_edge_exp_properties_t){
        .stype = properties->stype,
        .pNext = properties->pNext,
        .model = MODEL,
        .bandwidthUnit = ZE_BANDWIDTH_UNIT_UNKNOWN,
        .latencyUnit = ZE_LATENCY_UNIT_UNKNOWN,
        .duplexity = ZE_FABRIC_EDGE_EXP_DUPLEXITY_UNKNOWN,
    };
    fill_uuid(edge, &properties->uuid);
    return ZE_RESULT_SUCCESS;
}
