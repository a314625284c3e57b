// SPDX-License-Identifier: MIT
//
// The fabric between devices and their parts.
#include "devices.h"

#include <string.h>

static ze_fabric_vertex_handle_t vertex_of(ze_device_handle_t device)
{
    ze_fabric_vertex_handle_t vertex = NULL;
    assert_ok(zeDeviceGetFabricVertexExp(device, &vertex));
    assert_non_null(vertex);
    return vertex;
}

static void expect_vertex(
    ze_fabric_vertex_handle_t vertex, ze_device_handle_t device, ze_fabric_vertex_exp_type_t type)
{
    ze_fabric_vertex_exp_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_FABRIC_VERTEX_EXP_PROPERTIES, .remote = true};
    const ze_device_properties_t expected = properties_of(device);
    ze_device_handle_t found = NULL;
    assert_ok(zeFabricVertexGetPropertiesExp(vertex, &properties));
    assert_ok(zeFabricVertexGetDeviceExp(vertex, &found));
    assert_ptr_equal(found, device);
    assert_int_equal(properties.type, type);
    assert_memory_equal(&properties.uuid, &expected.uuid, sizeof properties.uuid);
    assert_false(properties.remote);
}

static void expect_parts(ze_fabric_vertex_handle_t vertex, ze_device_handle_t device)
{
    ze_fabric_vertex_handle_t vertices[MAX_DEVICES];
    ze_device_handle_t parts[MAX_DEVICES];
    uint32_t count = MAX_DEVICES, part_count = MAX_DEVICES;
    assert_ok(zeFabricVertexGetSubVerticesExp(vertex, &count, vertices));
    assert_ok(zeDeviceGetSubDevices(device, &part_count, parts));
    assert_int_equal(count, part_count);
    for (uint32_t i = 0; i < count; i++)
        expect_vertex(vertices[i], parts[i], ZE_FABRIC_VERTEX_EXP_TYPE_SUBEVICE);
}

static void test_vertices(void **state)
{
    (void)state;
    ze_fabric_vertex_handle_t vertices[MAX_DEVICES];
    uint32_t count = 0;
    assert_ok(zeFabricVertexGetExp(fx.driver, &count, NULL));
    assert_int_equal(count, all.count);
    count = MAX_DEVICES;
    assert_ok(zeFabricVertexGetExp(fx.driver, &count, vertices));
    assert_int_equal(count, all.count);
    for (uint32_t i = 0; i < count; i++) {
        assert_ptr_equal(vertices[i], vertex_of(all.devices[i]));
        expect_vertex(vertices[i], all.devices[i], ZE_FABRIC_VERTEX_EXP_TYPE_DEVICE);
        expect_parts(vertices[i], all.devices[i]);
    }
}

static ze_fabric_edge_handle_t edge_between(
    ze_fabric_vertex_handle_t one, ze_fabric_vertex_handle_t other)
{
    ze_fabric_edge_handle_t edge = NULL;
    uint32_t count = 0;
    assert_ok(zeFabricEdgeGetExp(one, other, &count, NULL));
    assert_int_equal(count, 1);
    count = 7;
    assert_ok(zeFabricEdgeGetExp(one, other, &count, &edge));
    assert_int_equal(count, 1);
    return edge;
}

static ze_fabric_edge_exp_properties_t properties_of_edge(ze_fabric_edge_handle_t edge)
{
    ze_fabric_edge_exp_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_FABRIC_EDGE_EXP_PROPERTIES, .bandwidth = 77};
    assert_ok(zeFabricEdgeGetPropertiesExp(edge, &properties));
    return properties;
}

static void expect_ends(
    ze_fabric_edge_handle_t edge, ze_fabric_vertex_handle_t one, ze_fabric_vertex_handle_t other)
{
    ze_fabric_vertex_handle_t first = NULL, second = NULL;
    assert_ok(zeFabricEdgeGetVerticesExp(edge, &first, &second));
    assert_true((first == one && second == other) || (first == other && second == one));
}

// Each pair has one of its own, in both directions.
static void test_edges(void **state)
{
    (void)state;
    second_device();
    const ze_fabric_vertex_handle_t last = vertex_of(all.devices[all.count - 1]);
    ze_uuid_t before = {{0}};
    for (uint32_t i = 0; i + 1 < all.count; i++) {
        const ze_fabric_vertex_handle_t vertex = vertex_of(all.devices[i]);
        const ze_fabric_edge_handle_t edge = edge_between(vertex, last);
        const ze_fabric_edge_exp_properties_t properties = properties_of_edge(edge);
        assert_ptr_equal(edge_between(last, vertex), edge);
        assert_ptr_equal(edge_between(vertex, last), edge);
        expect_ends(edge, vertex, last);
        assert_string_equal(properties.model, "memory of the machine");
        assert_int_equal(properties.bandwidth, 0);
        assert_int_equal(properties.bandwidthUnit, ZE_BANDWIDTH_UNIT_UNKNOWN);
        assert_memory_not_equal(&properties.uuid, &before, sizeof before);
        before = properties.uuid;
    }
}

static void test_refusals(void **state)
{
    (void)state;
    ze_fabric_vertex_handle_t vertex = vertex_of(fx.device);
    uint32_t count = 0;
    ze_fabric_edge_handle_t edge = NULL;
    assert_ok(zeFabricEdgeGetExp(vertex, vertex, &count, NULL)); // nothing leads to itself
    assert_int_equal(count, 0);
    count = 1;
    assert_ok(zeFabricEdgeGetExp(vertex, vertex, &count, &edge));
    assert_int_equal(count, 0);
    assert_null(edge);
    assert_result(
        zeFabricVertexGetExp(fx.driver, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(
        zeFabricEdgeGetExp(vertex, NULL, &count, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_result(zeFabricEdgeGetPropertiesExp(NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_result(
        zeFabricVertexGetPropertiesExp(vertex, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(zeDeviceGetFabricVertexExp(NULL, &vertex), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down);
}
