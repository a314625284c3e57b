// SPDX-License-Identifier: MIT
//
// A walk over the error paths of linking: kernels use functions and variables of libraries, which use those of others, and an
// assert; the driver links in each way that there is, and what was built is kept on disk or not.

#include "walk.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64];           // of the cache
static bool cannot_link_programs; // so that modules are linked one by one
static bool keeps, starts_warm;   // what was built, on disk; it is there already
static mez_assert_policy policy;

// --- What is kept on disk

static void empty_folder(void)
{
    char path[512];
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    closedir(directory);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/mez-linking-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    unsetenv("MEZ_CACHE");
    return rmdir(folder);
}

// --- The program

static void prepare(void)
{
    struct noop_config config = linking_config();
    if (cannot_link_programs)
        config.extensions = NULL;
    noop_configure(&config);
    setenv("MEZ_CACHE", keeps ? folder : "off", 1);
    if (!starts_warm)
        empty_folder();
}

typedef struct program {
    mez_context *context;
    mez_image *libraries[2], *image;
    mez_kernel *chained, *asserting, *reading;
    mez_queue *queue;
    int *memory;
} program;

static bool load(program *p, const char *file, uint32_t libraries, mez_image **image)
{
    mez_image_params params = {
        .debug_name = file, .libraries = p->libraries, .library_count = libraries};
    params.code = bytes_of(file, &params.size);
    return walk_went_well(mez_image_create(p->context, &params, image));
}

static bool create(program *p)
{
    const mez_context_params params = {.asserts = {.policy = policy}};
    mez_error error = {0};
    if (!walk_went_well(mez_context_create(&params, &p->context)))
        return false;
    p->memory = mez_alloc_shared(p->context, COUNT * sizeof *p->memory, &error);
    return walk_went_well(error) && load(p, "exports.spv", 0, &p->libraries[0]) &&
           load(p, "exports_second.spv", 0, &p->libraries[1]) &&
           load(p, cannot_link_programs ? "imports_plain.spv" : "imports.spv", 2, &p->image) &&
           walk_went_well(mez_queue_create(p->context, NULL, &p->queue));
}

static void launch(program *p, const char *name, const mez_args *args, mez_kernel **kernel)
{
    if (!walk_went_well(mez_kernel_create(p->image, name, kernel)))
        return;
    mez_error reason;
    mez_kernel_is_supported(*kernel, NULL, &reason);
    walk_went_well(reason);
    mez_kernel_uses_assert(*kernel);
    mez_kernel_get_argument_count(*kernel);
    walk_went_well(mez_kernel_build(*kernel, NULL));
    walk_went_well(mez_submit(p->queue, *kernel, MEZ_RANGE(COUNT), args, NULL));
}

static void run(program *p)
{
    const int limit = COUNT;
    launch(p, "uses_four_times", MEZ_ARGS(MEZ_PTR(p->memory)), &p->chained);
    if (!cannot_link_programs) // else functions that assert can't be linked
        launch(p, "uses_checked", MEZ_ARGS(MEZ_PTR(p->memory), MEZ_VAL(limit)), &p->asserting);
    launch(p, "uses_variable", MEZ_ARGS(MEZ_PTR(p->memory)), &p->reading);
    walk_went_well(mez_queue_wait(p->queue));
}

static void play(void)
{
    program p = {0};
    if (create(&p))
        run(&p);
    mez_queue_destroy(&p.queue);
    mez_kernel_destroy(&p.chained);
    mez_kernel_destroy(&p.asserting);
    mez_kernel_destroy(&p.reading);
    mez_image_destroy(&p.image);
    mez_image_destroy(&p.libraries[0]);
    mez_image_destroy(&p.libraries[1]);
    if (p.context)
        walk_went_well(mez_free(p.context, p.memory));
    mez_context_destroy(&p.context);
}

// A wait that only looks whether a batch has ended: the next one reports the failure. A kept binary that the driver does not
// accept: it is built again. A binary that is not available: it is not kept.
static bool is_excused(const char *call)
{
    return strcmp(call, "zeFenceHostSynchronize") == 0 ||
           (starts_warm && strcmp(call, "zeModuleCreate") == 0) ||
           (keeps && strcmp(call, "zeModuleGetNativeBinary") == 0);
}

static const walk the_walk = {.prepare = prepare,
    .play = play,
    .is_excused = is_excused,
    // What is not kept for lack of memory, and what an index is short of: exports are looked for one by one then.
    .allocations_unheard = 24};

static void walk_all(void)
{
    walk_clean(&the_walk);
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 60);
    assert_true(walk_allocations(&the_walk) > 100);
}

static void test_one_build_of_several_modules(void **state)
{
    (void)state;
    cannot_link_programs = keeps = starts_warm = false;
    policy = MEZ_ASSERT_INHERIT;
    walk_all();
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_DEVICE_LOST) > 60);
}

// What modules import is renamed.
static void test_asserts_that_are_survived(void **state)
{
    (void)state;
    cannot_link_programs = keeps = starts_warm = false;
    policy = MEZ_ASSERT_ERROR;
    walk_all();
}

static void test_modules_that_are_linked(void **state)
{
    (void)state;
    cannot_link_programs = true;
    keeps = starts_warm = false;
    policy = MEZ_ASSERT_INHERIT;
    walk_all();
}

static void test_what_is_kept_on_disk(void **state)
{
    (void)state;
    starts_warm = false;
    cannot_link_programs = keeps = true;
    policy = MEZ_ASSERT_INHERIT;
    walk_all();
}

static void test_what_was_kept_on_disk(void **state)
{
    (void)state;
    cannot_link_programs = keeps = starts_warm = true;
    policy = MEZ_ASSERT_INHERIT;
    walk_clean(&the_walk);
    walk_clean(&the_walk);
    assert_int_equal(noop_compilations(), 0);
    assert_true(noop_native_loads() > 0);
    walk_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_build_of_several_modules),
        cmocka_unit_test(test_asserts_that_are_survived),
        cmocka_unit_test(test_modules_that_are_linked),
        cmocka_unit_test(test_what_is_kept_on_disk),
        cmocka_unit_test(test_what_was_kept_on_disk),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
