// SPDX-License-Identifier: MIT
//
// Every allocation fails once: each function says so, and works the next time.

#include "test.h"

#include "memory.h"

static void callback(uint16_t type, mez_xpti_event *parent, mez_xpti_event *event,
    uint64_t instance, const void *user_data)
{
    (void)type, (void)parent, (void)event, (void)instance, (void)user_data;
}

// A step returns whether it has got what it wanted.
typedef bool step(void);

static bool intern_string(void)
{
    char *kept;
    const mez_xpti_string string = xptiRegisterString("a", &kept);
    assert_true((string == MEZ_XPTI_NO_STRING) == !kept);
    return kept;
}

static bool intern_object(void)
{
    return xptiRegisterObject("a", 1, MEZ_XPTI_STRING) != MEZ_XPTI_NO_OBJECT;
}

static bool intern_type(void)
{
    return xptiRegisterUserDefinedTracePoint("solver", 1) != 0;
}

static bool intern_stream(void)
{
    return xptiRegisterStream("solver") != MEZ_XPTI_NO_STREAM;
}

static bool begin_stream(void)
{
    const mez_xpti_result result = xptiInitialize("solver", 1, 0, "1");
    assert_true(result == MEZ_XPTI_SUCCESS || result == MEZ_XPTI_FAIL);
    return result == MEZ_XPTI_SUCCESS;
}

static bool listen_to_common(void)
{
    return xptiRegisterCallback(2, MEZ_XPTI_SIGNAL, callback) == MEZ_XPTI_SUCCESS;
}

static bool listen_to_own(void)
{
    return xptiRegisterCallback(2, 0x181, callback) == MEZ_XPTI_SUCCESS;
}

static bool make_event(void)
{
    return visit("saxpy", "main.c", 7);
}

static bool make_payload(void)
{
    mez_xpti_payload place = {.name = "saxpy", .flags = MEZ_XPTI_HAS_NAME};
    return xptiRegisterPayload(&place) != 0;
}

static bool make_tracepoint(void)
{
    return xptiCreateTracepoint("saxpy", "main.c", 7, 5, NULL);
}

// The event is there before; failing metadata leaves what there is as it was.
static mez_xpti_event *event;
static int keys;

static bool add_metadata(void)
{
    char key[32];
    snprintf(key, sizeof key, "key %d", keys);
    const size_t before = event->metadata.count;
    const mez_xpti_result result = xptiAddMetadata(event, key, keys);
    assert_true(result == MEZ_XPTI_SUCCESS || result == MEZ_XPTI_FAIL);
    assert_int_equal(event->metadata.count, before + (result == MEZ_XPTI_SUCCESS));
    return result == MEZ_XPTI_SUCCESS;
}

// Returns how many allocations the step makes.
static uint64_t fail_each(step *wanted, int start(void **))
{
    uint64_t failed = 0;
    for (;; failed++) {
        if (start)
            start(NULL);
        xf_alloc_fail_at(failed + 1);
        const bool done = wanted();
        const uint64_t tried = xf_alloc_fail_at(0);
        if (done && tried <= failed)
            return failed;
        assert_false(done);
        assert_true(wanted());
    }
}

static int start_loaded(void **state)
{
    start_anew(state);
    xptiTraceEnabled();
    return 0;
}

static void every_function_survives_every_failure(void **state)
{
    (void)state;
    step *const steps[] = {intern_string, intern_object, intern_type, intern_stream, begin_stream,
        listen_to_common, listen_to_own, make_payload};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        assert_true(fail_each(steps[i], start_loaded) > 0);
}

// Trace points are kept for ever, so only the first ones ask for memory: of the tables once, of the slabs here.
static void events_survive_every_failure(void **state)
{
    (void)state;
    assert_true(fail_each(make_event, start_loaded) > 0);
    assert_true(fail_each(make_tracepoint, start_loaded) > 0);
    uint64_t fullest = 0;
    for (int i = 0; i < 500; i++) {
        const uint64_t failed = fail_each(make_event, NULL);
        fullest = failed > fullest ? failed : fullest;
    }
    assert_true(fullest > 0);
}

static void metadata_survives_every_failure(void **state)
{
    (void)state;
    start_loaded(state);
    event = visit("saxpy", "main.c", 7);
    for (keys = 0; keys < 100;) {
        xf_alloc_fail_at(1);
        assert_false(add_metadata());
        xf_alloc_fail_at(2);
        const bool added = add_metadata();
        xf_alloc_fail_at(0);
        assert_true(added || add_metadata());
        keys++;
    }
    for (int i = 0; i < keys; i++) {
        char key[32];
        snprintf(key, sizeof key, "key %d", i);
        assert_int_equal(value_of(event, key), i);
    }
}

int main(void)
{
    unsetenv("XPTI_SUBSCRIBERS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_survive_every_failure),
        cmocka_unit_test(every_function_survives_every_failure),
        cmocka_unit_test(metadata_survives_every_failure),
    };
    return cmocka_run_group_tests_name("failures", tests, NULL, NULL);
}
