// SPDX-License-Identifier: MIT
//
// What Mezzanine costs the host: the program. It makes what the cases share, and measures those that fit the driver.

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "noop.h"
#include "raw.h"
#include "select.h"

static struct perf_shared shared;
static bool in_order_lists; // the driver has them

static struct perf_case all[128];
static size_t case_count;

_Noreturn void perf_failed(mez_error error)
{
    mez_error_print(stderr, error);
    exit(1);
}

// --- Setting up

// The no-op driver links no modules and has no in-order lists unless configured to.
static void teach_noop(void)
{
    static const char *const extensions[] = {"ZE_experimental_module_program", NULL};
    struct noop_config config = noop_config_default();
    config.extensions = extensions;
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
    noop_configure(&config);
}

static void skip(const char *reason)
{
    fprintf(stderr, "%s\n", reason);
    exit(77);
}

static void open_context(void)
{
    char reason[256];
    if (mez_test_is_absent(reason, sizeof reason))
        skip(reason);
    teach_noop();
    const mez_error error = mez_context_create(NULL, &shared.context);
    if (mez_failed(error) && mez_test_has_no_gpu(error, reason, sizeof reason))
        skip(reason);
    must(error);
}

static void report_device(void)
{
    const mez_device_info *info = mez_device_get_info(mez_context_get_device(shared.context, 0));
    printf("about\tMezzanine %s on %s, %s\n", mez_version(), mez_test_device_name(), info->name);
}

static mez_error create_queue(mez_queue_kind kind, mez_queue **queue)
{
    return mez_queue_create(shared.context, &(const mez_queue_params){.kind = kind}, queue);
}

// Each task by itself: in order by the driver where it can, by our barriers on Intel's old one.
static void create_queues(void)
{
    setenv("MEZ_BATCH", "10", 1);
    mez_error error = create_queue(MEZ_QUEUE_IMMEDIATE, &shared.queue);
    in_order_lists = !mez_error_is(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED);
    if (!in_order_lists)
        error = create_queue(MEZ_QUEUE_BASIC, &shared.queue);
    must(error);
    must(create_queue(MEZ_QUEUE_BATCHED, &shared.batched));
}

static void allocate(void)
{
    mez_error error;
    shared.memory = mez_alloc_device(shared.context, 4096, &error);
    must(error);
}

static void init_raw(const char *path)
{
    FILE *file = fopen(path, "rb");
    static char code[65536];
    if (!file) {
        perror(path);
        exit(1);
    }
    const size_t size = fread(code, 1, sizeof code, file);
    fclose(file);
    raw_init(code, size, in_order_lists);
}

static void set_up(const char *plain, const char *with_asserts)
{
    open_context();
    report_device();
    shared.on_noop = strcmp(mez_test_device_name(), "noop") == 0;
    create_queues();
    must(mez_image_load(shared.context, plain, &shared.plain_image));
    must(mez_image_load(shared.context, with_asserts, &shared.asserting_image));
    allocate();
    init_raw(plain);
}

static void tear_down(void)
{
    raw_finish();
    mez_queue_destroy(&shared.queue);
    mez_queue_destroy(&shared.batched);
    mez_image_destroy(&shared.plain_image);
    mez_image_destroy(&shared.asserting_image);
    must(mez_free(shared.context, shared.memory));
    mez_context_destroy(&shared.context);
}

// --- Measuring

typedef const struct perf_case *group_init(const struct perf_shared *shared, size_t *count);

static void add_group(group_init *init)
{
    size_t count;
    const struct perf_case *cases = init(&shared, &count);
    assert(case_count + count <= sizeof all / sizeof *all);
    memcpy(&all[case_count], cases, count * sizeof *cases);
    case_count += count;
}

// New drivers allocate now and then.
static void allow_allocations(void)
{
    for (size_t i = 0; i < case_count; i++)
        all[i].may_allocate = true;
}

static void measure(void)
{
    const bool all_kinds = in_order_lists && !shared.on_noop;
    add_group(perf_tuned_init);
    if (shared.on_noop) {
        add_group(perf_ordinary_init);
        add_group(perf_threads_init);
    }
    if (all_kinds) {
        add_group(perf_kinds_init);
        allow_allocations();
    }
    perf_measure(all, case_count);
    if (all_kinds)
        perf_kinds_finish();
    if (shared.on_noop) {
        perf_threads_finish();
        perf_ordinary_finish();
    }
    perf_tuned_finish();
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s plain.spv asserts.spv, with MEZ_TEST_DEVICE set\n", argv[0]);
        return 2;
    }
    if (!mez_test_select_device())
        return 2;
    set_up(argv[1], argv[2]);
    measure();
    tear_down();
    return 0;
}
