// SPDX-License-Identifier: MIT
//
// An application that uses Level Zero by itself, linked with the loader, and takes Mezzanine in: its context, memory, events
// and commands beside ours.

#include <mezzanine/level_zero.h>

#include "harness.h"
#include "select.h"

enum { WIDTH = 256, BYTES = WIDTH * sizeof(uint32_t) };

#define ze_ok(call) assert_int_equal(call, ZE_RESULT_SUCCESS)

// What the application has made, and what it has of Mezzanine's.
typedef struct application {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t ze;
    ze_command_list_handle_t list; // immediate
    ze_event_pool_handle_t pool;
    ze_event_handle_t event;
    uint32_t *values, *others; // WIDTH each, shared

    mez_context *context; // adopted
    mez_queue *queue;
    mez_kernel *step, *slow;
} application;

static ze_context_handle_t make_ze_context(ze_driver_handle_t driver)
{
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t ze;
    ze_ok(zeContextCreate(driver, &description, &ze));
    return ze;
}

static void make_event(application *app)
{
    const ze_event_pool_desc_t pool = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = 1,
    };
    const ze_event_desc_t event = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
        .signal = ZE_EVENT_SCOPE_FLAG_HOST,
        .wait = ZE_EVENT_SCOPE_FLAG_HOST,
    };
    ze_ok(zeEventPoolCreate(app->ze, &pool, 1, &app->device, &app->pool));
    ze_ok(zeEventCreate(app->pool, &event, &app->event));
}

static void make_list(application *app)
{
    const ze_command_queue_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
    };
    ze_ok(zeCommandListCreateImmediate(app->ze, app->device, &description, &app->list));
}

static uint32_t *allocate(const application *app)
{
    const ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory;
    ze_ok(zeMemAllocShared(app->ze, &on_device, &on_host, BYTES, 64, app->device, &memory));
    memset(memory, 0, BYTES);
    return memory;
}

static mez_context *adopt(const application *app, ze_context_handle_t ze, bool owns)
{
    const mez_context_adopt_params params = {
        .ze_driver = app->driver,
        .ze_context = ze,
        .ze_devices = &app->device,
        .ze_device_count = 1,
        .owns = owns,
        .debug_name = "adopted",
    };
    mez_context *context;
    mez_test_ok(mez_context_adopt(&params, &context));
    return context;
}

static mez_kernel *load(mez_context *context, const char *name)
{
    mez_kernel *kernel;
    mez_test_ok(mez_kernel_load(context, mez_test_kernel_path("order"), name, &kernel));
    return kernel;
}

static void find_device(application *app)
{
    uint32_t one = 1;
    ze_ok(zeDriverGet(&one, &app->driver));
    one = 1;
    ze_ok(zeDeviceGet(app->driver, &one, &app->device));
}

static void open_application(application *app)
{
    *app = (application){0};
    find_device(app);
    app->ze = make_ze_context(app->driver);
    make_event(app);
    make_list(app);
    app->values = allocate(app);
    app->others = allocate(app);
    app->context = adopt(app, app->ze, false);
    app->step = load(app->context, "step_once");
    app->slow = load(app->context, "slow_step");
}

// False: the driver does not have this kind.
static bool open_queue(application *app, mez_queue_kind kind, mez_queue_order order)
{
    const mez_queue_params params = {.kind = kind, .order = order};
    const mez_error error = mez_queue_create(app->context, &params, &app->queue);
    if (!mez_error_is(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED))
        mez_test_ok(error);
    return !mez_failed(error);
}

static void close_application(application *app)
{
    mez_queue_destroy(&app->queue);
    mez_kernel_destroy(&app->step);
    mez_kernel_destroy(&app->slow);
    mez_context_destroy(&app->context);
    ze_ok(zeMemFree(app->ze, app->values));
    ze_ok(zeMemFree(app->ze, app->others));
    ze_ok(zeCommandListDestroy(app->list));
    ze_ok(zeEventDestroy(app->event));
    ze_ok(zeEventPoolDestroy(app->pool));
    ze_ok(zeContextDestroy(app->ze));
}

static void make_as_new(application *app)
{
    memset(app->values, 0, BYTES);
    memset(app->others, 0, BYTES);
    ze_ok(zeEventHostReset(app->event));
}

// Runs a test body once for each kind of queue that the driver has.
static void on_every_kind_in(mez_queue_order order, void (*body)(application *app))
{
    static const mez_queue_kind kinds[] = {
        MEZ_QUEUE_BATCHED, MEZ_QUEUE_BASIC, MEZ_QUEUE_ADAPTIVE, MEZ_QUEUE_IMMEDIATE};
    application app;
    open_application(&app);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        make_as_new(&app);
        if (open_queue(&app, kinds[i], order))
            body(&app);
        mez_queue_destroy(&app.queue);
    }
    close_application(&app);
}

static void on_every_kind(void (*body)(application *app))
{
    on_every_kind_in(MEZ_IN_ORDER, body);
}

static void submit_step(application *app, uint32_t *values, uint32_t k, const mez_task_params *task)
{
    mez_test_ok(mez_submit(
        app->queue, app->step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)), task));
}

// Long enough that a command that does not wait for it comes first.
static void submit_slow(application *app, uint32_t *values, uint32_t turns)
{
    mez_test_ok(mez_submit(
        app->queue, app->slow, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(turns)), NULL));
}

static uint32_t slow_result(uint32_t value, uint32_t turns)
{
    for (uint32_t turn = 0; turn < turns; turn++)
        value = value * 1664525u + 1013904223u;
    return value;
}

static void check_all(const uint32_t *values, uint32_t expected)
{
    for (int i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(values[i], expected);
}

static void use_memory(application *app)
{
    const uint32_t seven = 7;
    mez_test_ok(mez_fill(app->queue, app->values, &seven, sizeof seven, BYTES, NULL));
    submit_step(app, app->values, 1, NULL);
    mez_test_ok(mez_copy(app->queue, app->others, app->values, BYTES, NULL));
    mez_test_ok(mez_queue_wait(app->queue));
    check_all(app->others, 22);
    mez_memory_info info;
    mez_test_ok(mez_memory_get_info(app->context, app->values + 2, &info));
    assert_int_equal(info.origin, MEZ_POINTER_FOREIGN);
    assert_int_equal(info.offset, 2 * sizeof(uint32_t));
    assert_ptr_equal(info.device, mez_context_get_device(app->context, 0));
}

static void the_applications_memory(void **state)
{
    (void)state;
    on_every_kind(use_memory);
}

// Freed and allocated again, mostly at the same address.
static void change_memory(application *app)
{
    for (uint32_t k = 0; k < 10; k++) {
        submit_step(app, app->values, k, NULL);
        mez_test_ok(mez_queue_wait(app->queue));
        check_all(app->values, k);
        ze_ok(zeMemFree(app->ze, app->values));
        app->values = allocate(app);
    }
}

static void memory_that_changes_unseen(void **state)
{
    (void)state;
    on_every_kind(change_memory);
}

// The native tasks of a chain: `others` = values, then values = 5, in this order.
static ze_result_t save_and_fill(void *user, ze_command_list_handle_t list)
{
    const application *app = user;
    const uint32_t five = 5;
    ze_result_t result =
        zeCommandListAppendMemoryCopy(list, app->others, app->values, BYTES, NULL, 0, NULL);
    if (result == ZE_RESULT_SUCCESS)
        result = zeCommandListAppendBarrier(list, NULL, 0, NULL);
    if (result == ZE_RESULT_SUCCESS)
        result = zeCommandListAppendMemoryFill(
            list, app->values, &five, sizeof five, BYTES, NULL, 0, NULL);
    return result;
}

static void chain(application *app)
{
    enum { TURNS = 20000 };
    for (uint32_t k = 0; k < 10; k++) {
        submit_step(app, app->values, k, NULL);
        submit_slow(app, app->values, TURNS);
        mez_test_ok(mez_submit_native(app->queue, save_and_fill, app, NULL));
        submit_step(app, app->values, k, NULL);
        submit_step(app, app->others, k, NULL);
    }
    mez_test_ok(mez_queue_wait(app->queue));
    uint32_t value = 0, other = 0;
    for (uint32_t k = 0; k < 10; k++) {
        other = slow_result(value * 3 + k, TURNS) * 3 + k;
        value = 5 * 3 + k;
    }
    check_all(app->values, value);
    check_all(app->others, other);
}

static void native_commands_in_a_chain(void **state)
{
    (void)state;
    on_every_kind(chain);
}

// A native task has an event, and waits for events, as any other.
static void native_events(application *app)
{
    mez_queue *other;
    mez_test_ok(mez_queue_create(app->context, NULL, &other));
    mez_event *slow, *native;
    const uint32_t turns = 200000;
    mez_test_ok(mez_submit(other, app->slow, MEZ_RANGE(WIDTH),
        MEZ_ARGS(MEZ_PTR(app->values), MEZ_VAL(turns)), MEZ_TASK(.event = &slow)));
    mez_test_ok(mez_submit_native(app->queue, save_and_fill, app,
        MEZ_TASK(.wait_for = &slow, .wait_count = 1, .event = &native)));
    mez_test_ok(mez_event_wait(native));
    check_all(app->others, slow_result(0, turns));
    check_all(app->values, 5);
    mez_event_destroy(&slow);
    mez_event_destroy(&native);
    mez_queue_destroy(&other);
}

static void native_tasks_and_events(void **state)
{
    (void)state;
    on_every_kind(native_events);
}

// Out of order, too, a native task has its place, also behind and before tasks that the library holds.
static void native_among_held(application *app)
{
    mez_event *go, *native;
    mez_test_ok(mez_user_event_create(app->context, NULL, &go));
    submit_step(app, app->values, 3, MEZ_TASK(.wait_for = &go, .wait_count = 1));
    mez_test_ok(mez_submit_native(app->queue, save_and_fill, app, MEZ_TASK(.event = &native)));
    submit_step(app, app->values, 2, NULL);
    mez_test_fails(mez_event_wait_for(native, 5000000), MEZ_ERRC_TIMEOUT);
    mez_test_ok(mez_user_event_signal(go, mez_ok()));
    mez_test_ok(mez_queue_wait(app->queue));
    check_all(app->others, 3);
    check_all(app->values, 5 * 3 + 2);
    mez_event_destroy(&go);
    mez_event_destroy(&native);
}

static void native_tasks_among_held_ones(void **state)
{
    (void)state;
    on_every_kind_in(MEZ_IN_ORDER, native_among_held);
    on_every_kind_in(MEZ_OUT_OF_ORDER, native_among_held);
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static ze_module_handle_t build_module(const application *app)
{
    ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .format = ZE_MODULE_FORMAT_IL_SPIRV};
    void *bytes = read_file(mez_test_kernel_path("order"), &description.inputSize);
    description.pInputModule = bytes;
    ze_module_handle_t module;
    ze_ok(zeModuleCreate(app->ze, app->device, &description, &module, NULL));
    free(bytes);
    return module;
}

static ze_result_t launch(void *user, ze_command_list_handle_t list)
{
    const ze_group_count_t groups = {WIDTH / 8, 1, 1};
    return zeCommandListAppendLaunchKernel(list, user, &groups, NULL, 0, NULL);
}

// A kernel of the application's own, between two of ours.
static void launch_native_kernel(application *app)
{
    const ze_kernel_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "transfer"};
    ze_module_handle_t module = build_module(app);
    ze_kernel_handle_t transfer;
    ze_ok(zeKernelCreate(module, &description, &transfer));
    ze_ok(zeKernelSetGroupSize(transfer, 8, 1, 1));
    ze_ok(zeKernelSetArgumentValue(transfer, 0, sizeof(void *), &app->values));
    ze_ok(zeKernelSetArgumentValue(transfer, 1, sizeof(void *), &app->others));
    submit_slow(app, app->values, 20000);
    mez_test_ok(mez_submit_native(app->queue, launch, transfer, NULL));
    submit_step(app, app->others, 4, NULL);
    mez_test_ok(mez_queue_wait(app->queue));
    check_all(app->others, (slow_result(0, 20000) + 1) * 3 + 4);
    ze_ok(zeKernelDestroy(transfer));
    ze_ok(zeModuleDestroy(module));
}

static void a_kernel_of_the_applications(void **state)
{
    (void)state;
    on_every_kind(launch_native_kernel);
}

// Our task waits for a command of the application's, which comes when our task is with the device already.
static void wait_for_application(application *app)
{
    const uint32_t nine = 9;
    mez_event *filled;
    mez_test_ok(mez_event_adopt(app->context, app->event, &filled));
    submit_step(app, app->values, 1, MEZ_TASK(.wait_for = &filled, .wait_count = 1));
    mez_test_ok(mez_queue_flush(app->queue));
    ze_ok(zeCommandListAppendMemoryFill(
        app->list, app->values, &nine, sizeof nine, BYTES, app->event, 0, NULL));
    mez_test_ok(mez_event_wait(filled));
    mez_test_ok(mez_queue_wait(app->queue));
    check_all(app->values, 28);
    mez_event_destroy(&filled);
}

static void tasks_wait_for_the_application(void **state)
{
    (void)state;
    on_every_kind(wait_for_application);
}

// The same, signalled by the host.
static void wait_for_host(application *app)
{
    mez_event *said;
    mez_test_ok(mez_event_adopt(app->context, app->event, &said));
    submit_step(app, app->values, 3, MEZ_TASK(.wait_for = &said, .wait_count = 1));
    mez_test_ok(mez_queue_flush(app->queue));
    if (mez_test_has("results")) {
        mez_test_fails(mez_event_wait_for(said, 1000000), MEZ_ERRC_TIMEOUT);
        mez_test_fails(mez_queue_wait_for(app->queue, 1000000), MEZ_ERRC_TIMEOUT);
        check_all(app->values, 0);
    }
    ze_ok(zeEventHostSignal(app->event));
    mez_test_ok(mez_event_wait(said));
    mez_test_ok(mez_queue_wait(app->queue));
    check_all(app->values, 3);
    mez_event_destroy(&said);
}

static void tasks_wait_for_the_host(void **state)
{
    (void)state;
    on_every_kind(wait_for_host);
}

// A command of the application's waits for our task, which may have been in an open batch.
static void application_waits(application *app)
{
    mez_event *stepped;
    ze_event_handle_t ze;
    submit_slow(app, app->values, 200000);
    submit_step(app, app->values, 6, MEZ_TASK(.event = &stepped));
    mez_test_ok(mez_event_get_ze(stepped, &ze));
    ze_ok(zeCommandListAppendMemoryCopy(
        app->list, app->others, app->values, BYTES, app->event, 1, &ze));
    ze_ok(zeEventHostSynchronize(app->event, UINT64_MAX));
    check_all(app->others, slow_result(0, 200000) * 3 + 6);
    mez_event_destroy(&stepped); // only now: nothing waits for it any more
}

static void the_application_waits_for_tasks(void **state)
{
    (void)state;
    on_every_kind(application_waits);
}

// --- Ends in every order

enum { END_QUEUE, END_KERNEL, END_EVENT, END_ADOPTED, END_CONTEXT, ENDS };

static void end(application *app, mez_event *events[2], int what)
{
    switch (what) {
    case END_QUEUE:
        mez_queue_destroy(&app->queue);
        break;
    case END_KERNEL:
        mez_kernel_destroy(&app->step);
        break;
    case END_EVENT:
        mez_event_destroy(&events[0]);
        break;
    case END_ADOPTED:
        mez_event_destroy(&events[1]);
        break;
    default:
        mez_context_destroy(&app->context);
    }
}

// A queue that has run a native task for which there is an event, and an adopted event; ended as the digits of `order` say.
static void live_and_end(application *app, const int order[ENDS])
{
    mez_event *events[2];
    app->context = adopt(app, app->ze, false);
    app->step = load(app->context, "step_once");
    assert_true(open_queue(app, MEZ_QUEUE_ANY, MEZ_IN_ORDER));
    mez_test_ok(mez_event_adopt(app->context, app->event, &events[1]));
    mez_test_ok(mez_submit_native(app->queue, save_and_fill, app, MEZ_TASK(.event = &events[0])));
    for (int i = 0; i < ENDS; i++)
        end(app, events, order[i]);
}

// Writes the number-th order of ENDS things.
static void order_of_number(int number, int order[ENDS])
{
    int left[ENDS];
    for (int i = 0; i < ENDS; i++)
        left[i] = i;
    for (int count = ENDS; count > 0; count--) {
        const int at = number % count;
        number /= count;
        order[ENDS - count] = left[at];
        left[at] = left[count - 1];
    }
}

static void ends_in_every_order(void **state)
{
    (void)state;
    application app;
    open_application(&app);
    mez_kernel_destroy(&app.step);
    mez_context_destroy(&app.context);
    for (int number = 0; number < 1 * 2 * 3 * 4 * 5; number++) {
        int order[ENDS];
        order_of_number(number, order);
        live_and_end(&app, order);
        check_all(app.values, 5);
        memset(app.values, 0, BYTES);
    }
    close_application(&app);
}

static void owning_the_context(void **state)
{
    (void)state;
    application app;
    open_application(&app);
    mez_context *owner = adopt(&app, make_ze_context(app.driver), true);
    mez_error error;
    uint32_t *memory = mez_alloc_shared(owner, BYTES, &error);
    mez_test_ok(error);
    memset(memory, 0, BYTES);
    mez_test_ok(mez_free(owner, memory));
    mez_context_destroy(&owner); // and the Level Zero context; a leak checker would report it
    close_application(&app);
}

// The application comes first: it chooses the driver, and opens Level Zero.
static void open_level_zero(void)
{
    const char *cpu_driver = getenv("MEZ_CPU_DRIVER");
    if (strncmp(mez_test_device_name(), "cpu", 3) == 0 && cpu_driver)
        setenv("ZE_ENABLE_ALT_DRIVERS", cpu_driver, 1);
    zeInit(0); // the harness reports a failure
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(the_applications_memory),
        MEZ_DEVICE_TEST(memory_that_changes_unseen),
        MEZ_DEVICE_TEST(native_commands_in_a_chain),
        MEZ_DEVICE_TEST(native_tasks_and_events),
        MEZ_DEVICE_TEST(native_tasks_among_held_ones),
        MEZ_DEVICE_TEST(a_kernel_of_the_applications),
        MEZ_DEVICE_TEST(tasks_wait_for_the_application),
        MEZ_DEVICE_TEST(tasks_wait_for_the_host),
        MEZ_DEVICE_TEST(the_application_waits_for_tasks),
        MEZ_DEVICE_TEST(ends_in_every_order),
        MEZ_DEVICE_TEST(owning_the_context),
    };
    if (!mez_test_select_device())
        return EXIT_FAILURE;
    open_level_zero();
    return MEZ_TEST_MAIN(argc, argv, tests);
}
