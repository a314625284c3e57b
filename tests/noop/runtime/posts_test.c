// SPDX-License-Identifier: MIT
//
// Failed asserts that launches post to mailboxes in the host's memory: the tests write there what the device would write.

#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "devicelib/devicelib.h"
#include "walk.h"

#define WORDS "Assertion `y[i] < limit` failed"

// Of "checked", which declares one argument: the two behind it are hidden.
enum { MAILBOX = 1, LAUNCH = 2 };

static struct noop_config keeping_config(bool in_order)
{
    struct noop_config config = linking_config();
    if (in_order)
        config.api_version = ZE_MAKE_VERSION(1, 9);
    return config;
}

static const mez_queue_kind kinds[] = {
    MEZ_QUEUE_BATCHED, MEZ_QUEUE_BASIC, MEZ_QUEUE_IMMEDIATE, MEZ_QUEUE_ADAPTIVE};
enum { KINDS = 4 };

// Where a launch posts.
typedef struct place {
    mez_assert_mailbox *mailbox;
    uint32_t launch;
} place;

// Of the launch that was submitted last.
static place find_place(void)
{
    place p;
    memcpy(&p.mailbox, noop_argument(MAILBOX), sizeof p.mailbox);
    memcpy(&p.launch, noop_argument(LAUNCH), sizeof p.launch);
    assert_non_null(p.mailbox);
    assert_true(p.launch < MEZ_MAILBOX_LAUNCHES);
    return p;
}

static void fill(
    mez_assert_record *record, place p, const char *expression, int32_t line, uint64_t work_item)
{
    strcpy(record->expression, expression);
    strcpy(record->file, "saxpy.cl");
    strcpy(record->function, "saxpy");
    record->line = line;
    record->global_id[0] = work_item;
    record->serial = p.launch;
    __atomic_store_n(&record->flag, 2, __ATOMIC_RELEASE);
}

// What the device would write, in its order and by its means: the library may be looking.
static void post(place p, uint64_t work_item)
{
    if (__atomic_fetch_add(&p.mailbox->failures[p.launch], 1, __ATOMIC_RELAXED) > 0)
        return;
    const uint32_t taken = __atomic_fetch_add(&p.mailbox->taken, 1, __ATOMIC_RELAXED);
    fill(&p.mailbox->first[taken], p, "y[i] < limit", 7, work_item);
}

typedef struct lab {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *kernel;
    int *memory;
} lab;

static lab open_lab_with_limit(mez_queue_kind kind, uint32_t limit)
{
    lab l = {0};
    const struct noop_config config = keeping_config(true);
    noop_reset();
    noop_configure(&config);
    const mez_context_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR, .limit = limit}};
    assert_ok(mez_context_create(&params, &l.context));
    assert_ok(mez_queue_create(l.context, &(mez_queue_params){.kind = kind}, &l.queue));
    l.kernel = load_kernel(l.context, "asserts.spv", "checked");
    l.memory = mez_alloc_shared(l.context, COUNT * sizeof *l.memory, NULL);
    assert_non_null(l.memory);
    noop_log_start(); // so that arguments are kept
    return l;
}

static lab open_lab(mez_queue_kind kind)
{
    return open_lab_with_limit(kind, 0);
}

static void close_lab(lab *l)
{
    mez_queue_destroy(&l->queue);
    mez_kernel_destroy(&l->kernel);
    assert_ok(mez_free(l->context, l->memory));
    mez_context_destroy(&l->context);
    assert_int_equal(noop_live_total(), 0);
}

static void launch(lab *l, mez_event **event)
{
    assert_ok(mez_submit(l->queue, l->kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(l->memory)),
        MEZ_TASK(.event = event)));
}

// The device ends nothing before it has posted.
static void launch_failing(lab *l, uint64_t work_item)
{
    noop_hold(true);
    launch(l, NULL);
    post(find_place(), work_item);
    noop_hold(false);
}

// --- What a launch costs

static void test_launches_pay_for_no_copy(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        lab l = open_lab(kinds[kind]);
        launch(&l, NULL);
        assert_ok(mez_queue_wait(l.queue));
        launch(&l, NULL);
        assert_ok(mez_queue_wait(l.queue));
        assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), 0);
        assert_int_equal(noop_calls("zeMemAllocHost"), 1); // the mailbox, with the first launch
        close_lab(&l);
    }
}

// Its kernels share the module's record, which a copy brings.
static void test_images_that_enqueue_kernels_post_nothing(void **state)
{
    (void)state;
    enum { HEADER_WORDS = 5, LINKAGE = 5, DEVICE_ENQUEUE = 19 };
    size_t size;
    mez_image *image;
    lab l = open_lab(MEZ_QUEUE_IMMEDIATE);
    mez_kernel_destroy(&l.kernel);
    const void *code = bytes_of("asserts.spv", &size);
    uint32_t *words = malloc(size);
    assert_non_null(words);
    memcpy(words, code, size);
    uint32_t *capability = words + HEADER_WORDS;
    while (capability[1] != LINKAGE) // capabilities come first
        capability += 2;
    capability[1] = DEVICE_ENQUEUE;
    assert_ok(
        mez_image_create(l.context, &(mez_image_params){.code = words, .size = size}, &image));
    free(words);
    assert_ok(mez_kernel_create(image, "checked", &l.kernel));
    mez_image_destroy(&image);
    launch(&l, NULL);
    assert_ok(mez_queue_wait(l.queue));
    assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), 1);
    close_lab(&l);
}

// --- Which task it was

static void test_the_task_that_failed_reports_it(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        lab l = open_lab(kinds[kind]);
        mez_event *events[3];
        noop_hold(true);
        for (int i = 0; i < 3; i++) {
            launch(&l, &events[i]);
            if (i == 1)
                post(find_place(), 999);
        }
        noop_hold(false);
        assert_ok(mez_event_wait(events[2]));
        assert_story(mez_event_wait(events[1]), MEZ_ERRC_ASSERT, WORDS);
        assert_ok(mez_event_wait(events[0]));
        mez_error_ignore(mez_queue_wait(l.queue));
        assert_ok(mez_queue_wait(l.queue));
        for (int i = 0; i < 3; i++)
            mez_event_destroy(&events[i]);
        close_lab(&l);
    }
}

// Each failure once, whoever waits for what, and in the order of the tasks.
static void test_all_are_reported_once(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        lab l = open_lab(kinds[kind]);
        for (uint64_t i = 0; i < 5; i++) {
            launch_failing(&l, i);
        }
        for (uint64_t i = 0; i < 5; i++) {
            mez_assert_record record;
            const mez_error error = mez_queue_wait(l.queue);
            assert_condition(error, MEZ_ERRC_ASSERT);
            assert_true(mez_error_get_assert(error, &record));
            assert_int_equal(record.global_id[0], i);
        }
        assert_ok(mez_queue_wait(l.queue));
        close_lab(&l);
    }
}

// --- Mailboxes

// A mailbox has places for 1,024 tasks; one that is full and was looked at is used again.
static void test_mailboxes_are_used_again(void **state)
{
    (void)state;
    lab l = open_lab(MEZ_QUEUE_IMMEDIATE);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < MEZ_MAILBOX_LAUNCHES; i++)
            launch(&l, NULL);
        assert_ok(mez_queue_wait(l.queue));
    }
    assert_in_range(noop_calls("zeMemAllocHost"), 1, 2);
    launch_failing(&l, 3);
    assert_story(mez_queue_wait(l.queue), MEZ_ERRC_ASSERT, WORDS);
    assert_ok(mez_queue_wait(l.queue));
    close_lab(&l);
}

// Places that are used again know nothing of failures before.
static void test_a_place_forgets(void **state)
{
    (void)state;
    lab l = open_lab(MEZ_QUEUE_IMMEDIATE);
    for (int i = 0; i < 3 * MEZ_MAILBOX_LAUNCHES; i++) {
        const bool fails = i % 500 == 7;
        if (fails)
            launch_failing(&l, 1);
        else
            launch(&l, NULL);
        const mez_error error = mez_queue_wait(l.queue);
        if (fails)
            assert_condition(error, MEZ_ERRC_ASSERT);
        else
            assert_ok(error);
    }
    assert_in_range(noop_calls("zeMemAllocHost"), 1, 3);
    close_lab(&l);
}

// An adaptive queue changes to batches and back meanwhile.
static void test_posts_of_bursts(void **state)
{
    (void)state;
    lab l = open_lab(MEZ_QUEUE_ADAPTIVE);
    noop_count_exactly(true);
    uint64_t executed = 0;
    for (int i = 0; i < 24; i++) {
        noop_hold(true);
        for (int k = 0; k < (i / 6 % 2 ? 1 : 8); k++)
            launch(&l, NULL);
        post(find_place(), 100 + (uint64_t)i);
        noop_hold(false);
        assert_story(mez_queue_wait(l.queue), MEZ_ERRC_ASSERT, WORDS);
        assert_ok(mez_queue_wait(l.queue));
        const uint64_t executions = noop_calls("zeCommandQueueExecuteCommandLists");
        // Three bursts of a length come first.
        assert_int_equal(executions > executed, i % 12 >= 3 && i % 12 < 9);
        executed = executions;
    }
    close_lab(&l);
}

// --- Devices that do not come to the end

static void test_a_lost_device_has_posted(void **state)
{
    (void)state;
    static const char *const waits[] = {"zeFenceHostSynchronize", "zeFenceHostSynchronize",
        "zeCommandListHostSynchronize", "zeCommandListHostSynchronize"};
    for (int kind = 0; kind < KINDS; kind++) {
        lab l = open_lab(kinds[kind]);
        noop_hold(true);
        launch(&l, NULL);
        post(find_place(), 999);
        noop_fail_every(waits[kind], ZE_RESULT_ERROR_DEVICE_LOST);
        const mez_error error = mez_queue_wait(l.queue);
        assert_story(error, MEZ_ERRC_ASSERT, WORDS);
        assert_story(error, MEZ_ERRC_ASSERT, "device: ");
        assert_condition(mez_queue_wait(l.queue), MEZ_ERRC_DEVICE_LOST);
        noop_hold(false);
        mez_queue_destroy(&l.queue);
        mez_kernel_destroy(&l.kernel);
        mez_error_ignore(mez_free(l.context, l.memory));
        mez_context_destroy(&l.context);
    }
}

// --- Many of a launch

// Work-items 1 and 201 fail at one assert at once: one is the launch's first, the other the first of its assert.
static void test_asserts_that_differ_come_first(void **state)
{
    (void)state;
    lab l = open_lab_with_limit(MEZ_QUEUE_IMMEDIATE, 2);
    noop_hold(true);
    launch(&l, NULL);
    const place p = find_place();
    assert_int_equal(p.mailbox->collects, 1);
    fill(&p.mailbox->log.first[3], p, "y[i] < limit", 7, 201);
    fill(&p.mailbox->log.first[4], p, "y[i] > 0", 8, 6);
    fill(&p.mailbox->log.more[0], p, "y[i] < limit", 7, 1);
    p.mailbox->log.sites[3].count = 2;
    p.mailbox->log.sites[4].count = 1;
    post(p, 1);
    p.mailbox->failures[p.launch] = 3;
    noop_hold(false);
    mez_assert_record records[3];
    uint64_t total = 0;
    const mez_error error = mez_queue_wait(l.queue);
    assert_condition(error, MEZ_ERRC_ASSERT);
    assert_int_equal(mez_error_get_asserts(error, records, 3, &total), 2);
    assert_int_equal(total, 3);
    assert_int_equal(records[0].global_id[0], 1);
    assert_int_equal(records[1].global_id[0], 6);
    close_lab(&l);
}

// --- Whatever fails besides

static lab walked;
static mez_recording *recording;

static void prepare(void)
{
    const struct noop_config config = keeping_config(true);
    noop_configure(&config);
}

static bool create(void)
{
    const mez_context_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR, .limit = 8}};
    mez_error error;
    if (!walk_went_well(mez_context_create(&params, &walked.context)))
        return false;
    walked.memory = mez_alloc_shared(walked.context, COUNT * sizeof *walked.memory, &error);
    mez_image *image = NULL;
    const bool good =
        walk_went_well(error) &&
        walk_went_well(mez_image_load(walked.context, file_of("asserts.spv"), &image)) &&
        walk_went_well(mez_kernel_create(image, "checked", &walked.kernel)) &&
        walk_went_well(mez_queue_create(walked.context, NULL, &walked.queue)) &&
        walk_went_well(mez_recording_create(walked.context, NULL, &recording));
    mez_image_destroy(&image);
    return good;
}

static void play(void)
{
    walked = (lab){0};
    recording = NULL;
    if (create() &&
        walk_went_well(mez_submit(walked.queue, walked.kernel, MEZ_RANGE(COUNT),
            MEZ_ARGS(MEZ_PTR(walked.memory)), NULL)) &&
        walk_went_well(mez_queue_wait(walked.queue)) &&
        walk_went_well(mez_record_submit(recording, walked.kernel, MEZ_RANGE(COUNT),
            MEZ_ARGS(MEZ_PTR(walked.memory)), NULL, NULL)) &&
        walk_went_well(mez_replay(walked.queue, recording, NULL)))
        walk_went_well(mez_queue_wait(walked.queue));
    mez_recording_destroy(&recording);
    mez_queue_destroy(&walked.queue);
    mez_kernel_destroy(&walked.kernel);
    if (walked.context)
        walk_went_well(mez_free(walked.context, walked.memory));
    mez_context_destroy(&walked.context);
}

// The thread that watches asserting tasks looks by this call, too: whether they have ended. A look that fails is made again.
static bool is_excused(const char *call)
{
    return walk_is_answer(call) || strcmp(call, "zeCommandListHostSynchronize") == 0;
}

static const walk the_walk = {.prepare = prepare, .play = play, .is_excused = is_excused};

static void test_survives_every_failed_call(void **state)
{
    (void)state;
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_UNKNOWN) > 20);
}

static void test_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(walk_allocations(&the_walk) > 20);
}

int main(void)
{
    walk_clean(&the_walk);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches_pay_for_no_copy),
        cmocka_unit_test(test_images_that_enqueue_kernels_post_nothing),
        cmocka_unit_test(test_the_task_that_failed_reports_it),
        cmocka_unit_test(test_all_are_reported_once),
        cmocka_unit_test(test_mailboxes_are_used_again),
        cmocka_unit_test(test_a_place_forgets),
        cmocka_unit_test(test_posts_of_bursts),
        cmocka_unit_test(test_a_lost_device_has_posted),
        cmocka_unit_test(test_asserts_that_differ_come_first),
        cmocka_unit_test(test_survives_every_failed_call),
        cmocka_unit_test(test_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
