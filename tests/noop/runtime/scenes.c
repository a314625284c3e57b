// SPDX-License-Identifier: MIT
//
// What a child plays, by the name of the scene. Exit code 0: as expected; 1: the scene itself went wrong; 2: unknown scene.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mezzanine/level_zero.h>
#include <mezzanine/mezzanine.h>

#include "noop.h"
#include "ze/drivers.h"
#include "ze/loader.h"

#define RECORD "__SYCL_AssertHappenedMem"

static void must(mez_error error)
{
    if (!mez_failed(error))
        return;
    mez_error_print(stderr, error);
    exit(1);
}

// --- Failed asserts

typedef struct stage {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *checked;
    int *memory;
} stage;

static void submit(stage *s, mez_event **event)
{
    must(mez_submit(s->queue, s->checked, MEZ_RANGE(64), MEZ_ARGS(MEZ_PTR(s->memory)),
        MEZ_TASK(.event = event)));
}

// Once without a failure, so that the record exists.
static void set_stage(stage *s)
{
    static const char *const extensions[] = {"ZE_experimental_module_program", NULL};
    struct noop_config config = noop_config_default();
    config.extensions = extensions;
    config.execute_copies = true;
    noop_configure(&config);

    char path[4096];
    snprintf(path, sizeof path, "%s/asserts.spv", getenv("MEZ_TEST_FILES"));
    must(mez_context_create(NULL, &s->context));
    must(mez_queue_create(s->context, NULL, &s->queue));
    must(mez_kernel_load(s->context, path, "checked", &s->checked));
    s->memory = mez_alloc_shared(s->context, 64 * sizeof *s->memory, NULL);
    submit(s, NULL);
    must(mez_queue_wait(s->queue));
}

static void clear_stage(stage *s)
{
    mez_queue_destroy(&s->queue);
    mez_kernel_destroy(&s->checked);
    must(mez_free(s->context, s->memory));
    mez_context_destroy(&s->context);
    if (noop_live_total() != 0)
        exit(1);
}

// What the device would write.
static void fail_assert(int flag)
{
    mez_assert_record *record = noop_global(RECORD);
    strcpy(record->expression, "y[i] < limit");
    strcpy(record->file, "saxpy.cl");
    strcpy(record->function, "saxpy");
    record->line = 7;
    record->global_id[0] = 999;
    record->local_id[0] = 7;
    record->flag = flag;
}

static void no_failure(void)
{
    stage s;
    set_stage(&s);
    clear_stage(&s);
}

static void fail_and_wait(void)
{
    stage s;
    set_stage(&s);
    fail_assert(2);
    submit(&s, NULL);
    mez_error_ignore(mez_queue_wait(s.queue));
}

static void fail_and_wait_for_event(void)
{
    stage s;
    mez_event *event;
    set_stage(&s);
    fail_assert(2);
    submit(&s, &event);
    mez_error_ignore(mez_event_wait(event));
}

static void fail_and_destroy(void)
{
    stage s;
    set_stage(&s);
    fail_assert(2);
    submit(&s, NULL);
    mez_queue_destroy(&s.queue);
}

static void fail_and_do_nothing(void)
{
    stage s;
    set_stage(&s);
    fail_assert(2);
    submit(&s, NULL);
    sleep(30);
}

static void fail_late_and_do_nothing(void)
{
    stage s;
    set_stage(&s);
    fail_assert(2);
    noop_hold(true);
    submit(&s, NULL);
    usleep(50000); // the completion thread has many turns
    noop_hold(false);
    sleep(30);
}

// The second replay fails; its list was encoded before.
static void fail_in_a_replay(mez_queue_kind kind, bool waits)
{
    stage s;
    mez_recording *recording;
    set_stage(&s);
    mez_queue_destroy(&s.queue);
    must(mez_queue_create(s.context, &(mez_queue_params){.kind = kind}, &s.queue));
    must(mez_recording_create(s.context, &(mez_recording_params){0}, &recording));
    must(mez_record_submit(
        recording, s.checked, MEZ_RANGE(64), MEZ_ARGS(MEZ_PTR(s.memory)), NULL, NULL));
    must(mez_replay(s.queue, recording, NULL));
    must(mez_queue_wait(s.queue));
    fail_assert(2);
    must(mez_replay(s.queue, recording, NULL));
    if (waits)
        mez_error_ignore(mez_queue_wait(s.queue));
    else
        sleep(30);
}

static void fail_in_a_replay_and_wait(void)
{
    fail_in_a_replay(MEZ_QUEUE_BATCHED, true);
}

static void fail_in_a_replay_and_do_nothing(void)
{
    fail_in_a_replay(MEZ_QUEUE_BATCHED, false);
}

static void fail_in_a_replay_beside_a_list(void)
{
    fail_in_a_replay(MEZ_QUEUE_BASIC, true);
}

// Nobody else runs who could be writing it. The task itself has ended well.
static void leave_half_a_record(void)
{
    stage s;
    set_stage(&s);
    fail_assert(1);
    mez_event *event;
    submit(&s, &event);
    must(mez_event_wait(event));
    mez_event_destroy(&event);
    must(mez_queue_wait(s.queue));
    submit(&s, NULL); // the queue lives on
    must(mez_queue_wait(s.queue));
    clear_stage(&s);
    exit(0);
}

// --- Opening

static void report(mez_error error)
{
    printf("condition 0x%x\n", (unsigned)mez_error_get_condition(error));
    mez_error_print(stdout, error);
}

static void open_context(void)
{
    mez_context *context;
    report(mez_context_create(NULL, &context));
    if (context)
        printf("device %s\n", mez_device_get_info(mez_context_get_device(context, 0))->name);
    mez_context_destroy(&context);
}

static void open_twice(void)
{
    open_context();
    setenv("MEZ_CPU_DRIVER", getenv("MEZ_TEST_DRIVER"), 1);
    open_context();
}

static void open_another_set(void)
{
    mez_context *first, *second;
    must(mez_context_create(&(mez_context_params){.device = NULL}, &first));
    report(mez_context_create(&(mez_context_params){.device = "gpu"}, &second));
    mez_context_destroy(&first);
}

static const mez_driver_function *find_function(const mez_driver_info *info, const char *name)
{
    for (size_t i = 0; i < info->function_count; i++)
        if (strcmp(info->functions[i].name, name) == 0)
            return &info->functions[i];
    exit(1);
}

static void count_drivers(void)
{
    mez_context *context;
    mez_driver_info info;
    ze_driver_handle_t drivers[16];
    uint32_t count = 16;
    must(mez_context_create(NULL, &context));
    must(mez_ze_get_drivers(&count, drivers));
    mez_context_get_driver_info(context, &info);
    printf("drivers: %u, by %s\n", count,
        find_function(&info, MEZ_INIT_DRIVERS)->origin ? MEZ_INIT_DRIVERS : "zeInit");
    mez_context_destroy(&context);
}

// What an application calls that asks the loader by zeInit.
static struct {
    __typeof__(zeInit) *init;
    __typeof__(zeDriverGet) *get_drivers;
    __typeof__(zeContextCreate) *create_context;
} ze;

static void look_up_in_loader(void)
{
    void *loader = dlopen(MEZ_LOADER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    *(void **)&ze.init = dlsym(loader, "zeInit");
    *(void **)&ze.get_drivers = dlsym(loader, "zeDriverGet");
    *(void **)&ze.create_context = dlsym(loader, "zeContextCreate");
}

// Of an application that has got its drivers by zeInit: the first of them.
static void adopt_first_driver(void)
{
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_driver_handle_t drivers[16];
    uint32_t count = 16;
    mez_context_adopt_params params = {.owns = true};
    mez_context *context;
    look_up_in_loader();
    if (ze.init(0) || ze.get_drivers(&count, drivers) ||
        ze.create_context(drivers[0], &desc, &params.ze_context))
        exit(1);
    params.ze_driver = drivers[0];
    report(mez_context_adopt(&params, &context));
    mez_context_destroy(&context);
}

// The driver refuses a module while the loader wraps its handles.
static void build_wrapped(void)
{
    char path[4096];
    mez_context *context;
    mez_kernel *kernel;
    snprintf(path, sizeof path, "%s/kernels.spv", getenv("MEZ_TEST_FILES"));
    must(mez_context_create(NULL, &context));
    must(mez_kernel_load(context, path, "saxpy", &kernel));
    for (int i = 1; i <= 2; i++) // of all kernels, and of this one alone
        noop_fail("zeModuleCreate", i, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    report(mez_kernel_build(kernel, NULL));
    must(mez_kernel_build(kernel, NULL));
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
    if (noop_live_total() != 0)
        exit(1);
}

// A kernel with asserts, for which a driver without module programs has to link modules.
static void link_wrapped(void)
{
    char path[4096];
    mez_context *context;
    mez_kernel *kernel;
    snprintf(path, sizeof path, "%s/asserts.spv", getenv("MEZ_TEST_FILES"));
    must(mez_context_create(NULL, &context));
    must(mez_kernel_load(context, path, "checked", &kernel));
    report(mez_kernel_build(kernel, NULL));
    printf("modules linked: %u\n", (unsigned)noop_calls("zeModuleDynamicLink"));
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
    if (noop_live_total() != 0)
        exit(1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*play)(void);
    } scenes[] = {
        {"no-failure", no_failure},
        {"fail-and-wait", fail_and_wait},
        {"fail-and-wait-for-event", fail_and_wait_for_event},
        {"fail-and-destroy", fail_and_destroy},
        {"fail-and-do-nothing", fail_and_do_nothing},
        {"fail-late-and-do-nothing", fail_late_and_do_nothing},
        {"fail-in-a-replay-and-wait", fail_in_a_replay_and_wait},
        {"fail-in-a-replay-and-do-nothing", fail_in_a_replay_and_do_nothing},
        {"fail-in-a-replay-beside-a-list", fail_in_a_replay_beside_a_list},
        {"leave-half-a-record", leave_half_a_record},
        {"open", open_context},
        {"open-twice", open_twice},
        {"open-another-set", open_another_set},
        {"count-drivers", count_drivers},
        {"adopt-first-driver", adopt_first_driver},
        {"build-wrapped", build_wrapped},
        {"link-wrapped", link_wrapped},
    };
    for (size_t i = 0; argc == 2 && i < sizeof scenes / sizeof scenes[0]; i++) {
        if (strcmp(argv[1], scenes[i].name) != 0)
            continue;
        scenes[i].play();
        return 0;
    }
    return 2;
}
