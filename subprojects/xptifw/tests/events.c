// SPDX-License-Identifier: MIT
//
// Events, payloads, metadata and trace points.

#include "test.h"

static void each_visit_is_a_new_event_with_the_next_number(void **state)
{
    (void)state;
    mez_xpti_event *first = visit("saxpy", "main.c", 7);
    mez_xpti_event *second = visit("saxpy", "main.c", 7);
    mez_xpti_event *elsewhere = visit("saxpy", "main.c", 8);
    assert_ptr_not_equal(first, second);
    assert_int_not_equal(first->unique_id, second->unique_id);
    assert_int_equal(first->instance_id, 1);
    assert_int_equal(second->instance_id, 2);
    assert_int_equal(elsewhere->instance_id, 1);
    assert_int_equal(first->payload->uid.p1, second->payload->uid.p1);
    assert_int_not_equal(first->payload->uid.p1, elsewhere->payload->uid.p1);
    assert_int_equal(first->payload->uid.p2, elsewhere->payload->uid.p2);
}

static void an_event_says_what_it_is(void **state)
{
    (void)state;
    char name[] = "saxpy", file[] = "main.c";
    uint64_t instance = 0;
    mez_xpti_payload place = {.name = name,
        .file = file,
        .line = 7,
        .column = 5,
        .code = &place,
        .flags = MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_FILE | MEZ_XPTI_HAS_LINE | MEZ_XPTI_HAS_COLUMN |
                 MEZ_XPTI_HAS_CODE};
    mez_xpti_event *event = xptiMakeEvent(
        "is not used", &place, MEZ_XPTI_EVENT_ASYNC, MEZ_XPTI_ACTIVITY_BACKGROUND, &instance);
    name[0] = file[0] = '?';
    assert_int_equal(instance, 1);
    assert_int_equal(event->event_type, MEZ_XPTI_EVENT_ASYNC);
    assert_int_equal(event->activity_type, MEZ_XPTI_ACTIVITY_BACKGROUND);
    assert_int_equal(event->flags & (MEZ_XPTI_EVENT_HAS_ID | MEZ_XPTI_EVENT_HAS_PAYLOAD),
        MEZ_XPTI_EVENT_HAS_ID | MEZ_XPTI_EVENT_HAS_PAYLOAD);
    const mez_xpti_payload *payload = xptiQueryPayload(event);
    assert_string_equal(payload->name, "saxpy");
    assert_string_equal(payload->file, "main.c");
    assert_int_equal(payload->line, 7);
    assert_int_equal(payload->column, 5);
    assert_ptr_equal(payload->code, &place);
    assert_int_equal(payload->id, event->unique_id);
    assert_int_equal(payload->flags, place.flags | MEZ_XPTI_IS_REGISTERED | MEZ_XPTI_HAS_HASH);
    assert_null(payload->stack_trace);
}

static void what_the_flags_do_not_name_is_not_read(void **state)
{
    (void)state;
    uint64_t instance;
    mez_xpti_payload place = {.name = "saxpy",
        .file = (const char *)1,
        .stack_trace = (const char *)1,
        .line = 99,
        .flags = MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_STACK};
    const mez_xpti_event *event = xptiMakeEvent(NULL, &place, 1, 1, &instance);
    assert_string_equal(event->payload->file, "unknown-file");
    assert_int_equal(event->payload->line, 0);
    assert_false(event->payload->flags & MEZ_XPTI_HAS_FILE);
    assert_false(event->payload->flags & MEZ_XPTI_HAS_STACK);
    assert_null(event->payload->stack_trace);
}

static void a_place_without_name_and_file_has_no_event(void **state)
{
    (void)state;
    uint64_t instance;
    mez_xpti_payload nowhere = {.line = 7, .flags = MEZ_XPTI_HAS_LINE};
    mez_xpti_payload somewhere = {.name = "saxpy", .flags = MEZ_XPTI_HAS_NAME};
    assert_null(xptiMakeEvent(NULL, &nowhere, 1, 1, &instance));
    assert_null(xptiMakeEvent(NULL, NULL, 1, 1, &instance));
    assert_null(xptiMakeEvent(NULL, &somewhere, 1, 1, NULL));
    assert_int_equal(xptiRegisterPayload(&nowhere), 0);
    assert_int_equal(xptiRegisterPayload(NULL), 0);
    assert_null(xptiQueryPayload(NULL));
}

static void an_event_is_found_while_it_lives(void **state)
{
    (void)state;
    mez_xpti_event *event = visit("saxpy", "main.c", 7);
    const uint64_t id = event->unique_id;
    assert_ptr_equal(xptiFindEvent(id), event);
    assert_ptr_equal(xptiQueryPayloadByUID(id), event->payload);
    assert_non_null(xptiLookupEvent(id));
    assert_non_null(xptiLookupPayload(id));
    xptiReleaseEvent(event);
    assert_null(xptiFindEvent(id));
    assert_null(xptiQueryPayloadByUID(id));
    assert_null(xptiLookupEvent(id));
    assert_null(xptiLookupPayload(id));
}

static void what_was_no_event_is_not_found(void **state)
{
    (void)state;
    const uint64_t id = visit("saxpy", "main.c", 7)->unique_id;
    const uint64_t wrong[] = {0, 1, id + 1, id - 1, id + 64, id ^ UINT64_C(1) << 40, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_null(xptiFindEvent(wrong[i]));
    xptiReleaseEvent(NULL);
    xptiReleaseEvent(&(mez_xpti_event){.unique_id = id + 1});
    assert_non_null(xptiFindEvent(id));
}

static void an_event_is_released_once(void **state)
{
    (void)state;
    mez_xpti_event *event = visit("saxpy", "main.c", 7);
    xptiReleaseEvent(event);
    xptiReleaseEvent(event);
    mez_xpti_event *first = visit("saxpy", "main.c", 7);
    mez_xpti_event *second = visit("saxpy", "main.c", 7);
    assert_ptr_not_equal(first, second);
}

static void released_events_make_room_for_others(void **state)
{
    (void)state;
    enum { ALIVE = 1000, TURNS = 20 };
    static uint64_t seen[ALIVE * 2];
    static mez_xpti_event *events[ALIVE];
    size_t places = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        for (size_t i = 0; i < ALIVE; i++) {
            events[i] = visit("saxpy", "main.c", 7);
            size_t known = 0;
            while (known < places && seen[known] != events[i]->unique_id)
                known++;
            if (known == places) {
                assert_true(places < sizeof seen / sizeof seen[0]);
                seen[places++] = events[i]->unique_id;
            }
        }
        for (size_t i = 0; i < ALIVE; i++)
            xptiReleaseEvent(events[i]);
    }
    assert_true(places < ALIVE + 200);
}

static void a_payload_keeps_one_id(void **state)
{
    (void)state;
    mez_xpti_payload place = {.name = "saxpy", .flags = MEZ_XPTI_HAS_NAME};
    const uint64_t id = xptiRegisterPayload(&place);
    assert_int_not_equal(id, 0);
    assert_int_equal(place.id, id);
    assert_true(place.flags & MEZ_XPTI_IS_REGISTERED);
    assert_true(place.flags & MEZ_XPTI_HAS_HASH);
    assert_int_not_equal(place.uid.p2, 0);
    mez_xpti_payload same = {.name = "saxpy", .flags = MEZ_XPTI_HAS_NAME};
    assert_int_equal(xptiRegisterPayload(&same), id);
    assert_string_equal(xptiQueryPayloadByUID(id)->name, "saxpy");
    xptiReleaseEvent((mez_xpti_event *)(uintptr_t)xptiFindEvent(id));
    assert_non_null(xptiFindEvent(id));
    uint64_t instance;
    xptiMakeEvent(NULL, &same, 1, 1, &instance);
    assert_int_equal(instance, 1);
}

static void metadata_has_one_value_for_each_key(void **state)
{
    (void)state;
    mez_xpti_event *event = visit("saxpy", "main.c", 7);
    assert_ptr_equal(xptiQueryMetadata(event), &event->metadata);
    assert_int_equal(xptiQueryMetadata(event)->count, 0);
    assert_int_equal(xptiAddMetadata(event, "queue", 3), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiAddMetadata(event, "kernel", 4), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiAddMetadata(event, "queue", 5), MEZ_XPTI_DUPLICATE);
    assert_int_equal(event->metadata.count, 2);
    assert_int_equal(value_of(event, "queue"), 5);
    assert_int_equal(value_of(event, "kernel"), 4);
    assert_int_equal(value_of(event, "device"), MEZ_XPTI_NO_OBJECT);
}

static void metadata_grows(void **state)
{
    (void)state;
    enum { KEYS = 300 };
    char key[32];
    mez_xpti_event *event = visit("saxpy", "main.c", 7);
    for (int i = 0; i < KEYS; i++) {
        snprintf(key, sizeof key, "arg%d", i);
        assert_int_equal(xptiAddMetadata(event, key, i), MEZ_XPTI_SUCCESS);
    }
    for (int i = 0; i < KEYS; i++) {
        snprintf(key, sizeof key, "arg%d", i);
        assert_int_equal(value_of(event, key), i);
        assert_int_equal(xptiAddMetadata(event, key, -i), MEZ_XPTI_DUPLICATE);
    }
    assert_int_equal(event->metadata.count, KEYS);
}

static void metadata_goes_with_its_event(void **state)
{
    (void)state;
    mez_xpti_event *event = visit("saxpy", "main.c", 7);
    xptiAddMetadata(event, "queue", 3);
    xptiReleaseEvent(event);
    assert_int_equal(visit("saxpy", "main.c", 7)->metadata.count, 0);
}

static void metadata_needs_an_event_and_a_key(void **state)
{
    (void)state;
    mez_xpti_event *event = visit("saxpy", "main.c", 7);
    assert_int_equal(xptiAddMetadata(NULL, "queue", 3), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiAddMetadata(event, NULL, 3), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiAddMetadata(event, "", 3), MEZ_XPTI_INVALID_ARGUMENT);
    assert_null(xptiQueryMetadata(NULL));
}

static void a_trace_point_is_deleted_once(void **state)
{
    (void)state;
    void *tracepoint = xptiCreateTracepoint("saxpy", "main.c", 7, 5, NULL);
    const mez_xpti_event *event = xptiFindEvent((uintptr_t)tracepoint);
    assert_string_equal(event->payload->name, "saxpy");
    assert_int_equal(event->payload->column, 5);
    assert_int_equal(xptiDeleteTracepoint(tracepoint), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiDeleteTracepoint(tracepoint), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiDeleteTracepoint(NULL), MEZ_XPTI_INVALID_ARGUMENT);
}

static void a_trace_point_may_know_nothing(void **state)
{
    (void)state;
    void *tracepoint = xptiCreateTracepoint(NULL, NULL, 7, 5, NULL);
    const mez_xpti_payload *payload = xptiQueryPayloadByUID((uintptr_t)tracepoint);
    assert_string_equal(payload->name, "unknown");
    assert_string_equal(payload->file, "unknown-file");
    assert_int_equal(payload->line, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_visit_is_a_new_event_with_the_next_number, start_anew),
        cmocka_unit_test_setup(an_event_says_what_it_is, start_anew),
        cmocka_unit_test_setup(what_the_flags_do_not_name_is_not_read, start_anew),
        cmocka_unit_test_setup(a_place_without_name_and_file_has_no_event, start_anew),
        cmocka_unit_test_setup(an_event_is_found_while_it_lives, start_anew),
        cmocka_unit_test_setup(what_was_no_event_is_not_found, start_anew),
        cmocka_unit_test_setup(an_event_is_released_once, start_anew),
        cmocka_unit_test_setup(released_events_make_room_for_others, start_anew),
        cmocka_unit_test_setup(a_payload_keeps_one_id, start_anew),
        cmocka_unit_test_setup(metadata_has_one_value_for_each_key, start_anew),
        cmocka_unit_test_setup(metadata_grows, start_anew),
        cmocka_unit_test_setup(metadata_goes_with_its_event, start_anew),
        cmocka_unit_test_setup(metadata_needs_an_event_and_a_key, start_anew),
        cmocka_unit_test_setup(a_trace_point_is_deleted_once, start_anew),
        cmocka_unit_test_setup(a_trace_point_may_know_nothing, start_anew),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
