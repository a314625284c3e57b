// SPDX-License-Identifier: MIT
//
// A walk over the error paths of an application that has adopted its context and an event of its own, gives handles of ours out,
// appends commands by itself, and asks what its own memory is.

#include "application.h"
#include "walk.h"

static application app;
static ze_event_pool_handle_t pool;
static ze_event_handle_t signalled; // by the application, before all
static void *foreign;               // memory of the application's

static mez_queue_kind kind;

static void prepare(void)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 7); // has in-order lists
    noop_configure(&config);
}

static void open_all(void)
{
    const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = 1};
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    const ze_device_mem_alloc_desc_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    application_open(&app);
    assert_int_equal(zeEventPoolCreate(app.ze, &pool_desc, 0, NULL, &pool), ZE_RESULT_SUCCESS);
    assert_int_equal(zeEventCreate(pool, &desc, &signalled), ZE_RESULT_SUCCESS);
    assert_int_equal(zeEventHostSignal(signalled), ZE_RESULT_SUCCESS);
    assert_int_equal(
        zeMemAllocDevice(app.ze, &memory, 4096, 64, app.device, &foreign), ZE_RESULT_SUCCESS);
}

static void close_all(void)
{
    assert_int_equal(zeMemFree(app.ze, foreign), ZE_RESULT_SUCCESS);
    assert_int_equal(zeEventDestroy(signalled), ZE_RESULT_SUCCESS);
    assert_int_equal(zeEventPoolDestroy(pool), ZE_RESULT_SUCCESS);
    application_close(&app);
}

static ze_result_t append(void *memory, ze_command_list_handle_t list)
{
    return zeCommandListAppendMemoryCopy(list, memory, (char *)memory + 64, 64, NULL, 0, NULL);
}

typedef struct program {
    mez_context *context;
    mez_queue *queue;
    mez_event *adopted, *filled, *appended;
} program;

static void ask(program *p)
{
    mez_memory_info info;
    mez_memory_state state;
    if (walk_went_well(mez_memory_get_info(p->context, foreign, &info)))
        assert_int_equal(info.origin, MEZ_POINTER_FOREIGN);
    walk_went_well(mez_device_get_memory_state(mez_context_get_device(p->context, 0), &state));
}

static void run(program *p)
{
    const char zero = 0;
    ze_event_handle_t ze;
    walk_went_well(mez_event_adopt(p->context, signalled, &p->adopted));
    const mez_task_params first = {
        .wait_for = &p->adopted, .wait_count = p->adopted ? 1 : 0, .event = &p->filled};
    walk_went_well(mez_fill(p->queue, foreign, &zero, 1, 64, &first));
    if (p->filled)
        walk_went_well(mez_event_get_ze(p->filled, &ze));
    const mez_task_params second = {
        .wait_for = &p->filled, .wait_count = p->filled ? 1 : 0, .event = &p->appended};
    walk_went_well(mez_submit_native(p->queue, append, foreign, &second));
    if (p->appended)
        walk_went_well(mez_event_wait(p->appended));
    if (p->adopted)
        walk_went_well(mez_event_wait(p->adopted));
    walk_went_well(mez_queue_wait(p->queue));
}

static void play(void)
{
    program p = {0};
    const mez_context_adopt_params params = all_of(&app);
    if (!walk_went_well(mez_context_adopt(&params, &p.context)))
        return;
    ask(&p);
    if (walk_went_well(
            mez_queue_create(p.context, &(const mez_queue_params){.kind = kind}, &p.queue)))
        run(&p);
    mez_event_destroy(&p.adopted);
    mez_event_destroy(&p.filled);
    mez_event_destroy(&p.appended);
    mez_queue_destroy(&p.queue);
    mez_context_destroy(&p.context);
}

// A wait that only looks whether a batch has ended: the next one reports the failure. The copy is the application's, whose error we pass on
// without knowing where it comes from.
static bool is_excused(const char *call)
{
    return strcmp(call, "zeFenceHostSynchronize") == 0 ||
           strcmp(call, "zeCommandListAppendMemoryCopy") == 0;
}

static void walk_all(mez_queue_kind wanted)
{
    open_all();
    const walk walk = {.prepare = prepare,
        .play = play,
        .is_excused = is_excused,
        .objects = noop_live_total(),
        .allocations_unheard = 2}; // the completion thread's: without it, waits report
    kind = wanted;
    walk_clean(&walk);
    assert_true(walk_calls(&walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 20);
    assert_true(walk_calls(&walk, ZE_RESULT_ERROR_DEVICE_LOST) > 20);
    assert_true(walk_allocations(&walk) > 10);
    close_all();
}

static void test_immediate(void **state)
{
    (void)state;
    walk_all(MEZ_QUEUE_IMMEDIATE);
}

static void test_batched(void **state)
{
    (void)state;
    walk_all(MEZ_QUEUE_BATCHED);
}

static void test_basic(void **state)
{
    (void)state;
    walk_all(MEZ_QUEUE_BASIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_immediate, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(test_batched, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(test_basic, driver_setup, driver_teardown),
    };
    return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
