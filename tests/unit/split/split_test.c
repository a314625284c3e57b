// SPDX-License-Identifier: MIT
//
// Which kernels share an image, what is stated of it, and which warnings the user gets. MEZ_SPLIT_FILES names the folder of the modules
// that are built beside this test.

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "container/properties.h"
#include "split/split.h"
#include "unit.h"

#define MOST_SOURCES 2

// A split, the bytes of its sources, and all warnings while it was made.
typedef struct fixture {
    mez_file files[MOST_SOURCES];
    mez_split_source sources[MOST_SOURCES];
    mez_split_params params;
    mez_split *split;
    char heard[8192];
} fixture;

static void hear(void *context, const char *text)
{
    fixture *fixture = context;
    const size_t used = strlen(fixture->heard);
    snprintf(fixture->heard + used, sizeof fixture->heard - used, "%s\n", text);
}

static void open_sources(fixture *fixture, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", getenv("MEZ_SPLIT_FILES"), names[i]);
        assert_ok(mez_file_read(path, &fixture->files[i]));
        fixture->sources[i] = (mez_split_source){
            .name = names[i], .code = fixture->files[i].bytes, .size = fixture->files[i].size};
    }
    fixture->params = (mez_split_params){
        .sources = fixture->sources, .source_count = count, .warn = hear, .user = fixture};
}

static void open_both(fixture *fixture)
{
    static const char *const names[] = {"a.spv", "b.spv"};
    *fixture = (struct fixture){0};
    open_sources(fixture, names, 2);
}

static void open_one(fixture *fixture, const char *name)
{
    *fixture = (struct fixture){0};
    open_sources(fixture, &name, 1);
}

static void make(fixture *fixture, mez_split_mode mode)
{
    mez_split_destroy(&fixture->split);
    fixture->heard[0] = '\0';
    fixture->params.mode = mode;
    assert_ok(mez_split_create(&fixture->params, &fixture->split));
}

static void finish(fixture *fixture)
{
    mez_split_destroy(&fixture->split);
    for (uint32_t i = 0; i < MOST_SOURCES; i++)
        mez_file_finish(&fixture->files[i]);
}

// "plain plain_too | doubles": the kernels, and behind a + the exported functions, of each image.
static const char *grouping(const mez_split *split)
{
    static char text[1024];
    text[0] = '\0';
    for (uint32_t i = 0; i < mez_split_get_image_count(split); i++) {
        mez_split_image image;
        assert_ok(mez_split_make_image(split, i, &image));
        const mez_property_set *exports =
            mez_properties_find_set(&image.properties, MEZ_SET_EXPORTED_SYMBOLS);
        size_t used = strlen(text);
        if (i)
            used += (size_t)snprintf(text + used, sizeof text - used, " | ");
        for (size_t k = 0; k < image.kernels.count; k++)
            used += (size_t)snprintf(
                text + used, sizeof text - used, "%s%s", k ? " " : "", image.kernels.items[k]);
        for (size_t k = 0; exports && k < exports->properties.count; k++)
            used += (size_t)snprintf(
                text + used, sizeof text - used, "+%s", exports->properties.items[k].name);
        mez_split_image_finish(&image);
    }
    return text;
}

// Properties of the image with the kernel, as a .prop file has them.
static const char *properties_of(const mez_split *split, const char *kernel)
{
    static char text[2048];
    text[0] = '\0';
    for (uint32_t i = 0; i < mez_split_get_image_count(split); i++) {
        mez_split_image image;
        mez_bytes bytes = {0};
        assert_ok(mez_split_make_image(split, i, &image));
        if (mez_properties_find(&image.properties, MEZ_SET_KERNEL_NAMES, kernel)) {
            assert_ok(mez_prop_write(&image.properties, &bytes));
            snprintf(text, sizeof text, "%.*s", (int)bytes.size, (const char *)bytes.data);
        }
        mez_bytes_finish(&bytes);
        mez_split_image_finish(&image);
    }
    return text;
}

static void per_kernel_gives_each_an_image(void **state)
{
    (void)state;
    fixture fixture;
    open_both(&fixture);
    make(&fixture, MEZ_SPLIT_PER_KERNEL);
    assert_string_equal(grouping(fixture.split),
        "plain | plain_too | doubles | sized | grouped | calls_grouped | accurate | counts | "
        "counts_too | asserts | calls_out | other | +deep");
    fixture.params.kernels_only = true;
    make(&fixture, MEZ_SPLIT_PER_KERNEL);
    assert_string_equal(grouping(fixture.split),
        "plain | plain_too | doubles | sized | grouped | calls_grouped | accurate | counts | "
        "counts_too | asserts | calls_out | other");
    finish(&fixture);
}

static void other_modes_split_where_needs_differ(void **state)
{
    (void)state;
    fixture fixture;
    open_both(&fixture);
    make(&fixture, MEZ_SPLIT_OFF);
    assert_string_equal(grouping(fixture.split),
        "plain plain_too counts counts_too asserts other | doubles calls_out+deep | sized | "
        "grouped | calls_grouped | accurate");
    make(&fixture, MEZ_SPLIT_PER_SOURCE);
    assert_string_equal(grouping(fixture.split),
        "plain plain_too counts counts_too asserts | doubles calls_out | sized | grouped | "
        "calls_grouped | accurate | other | +deep");
    finish(&fixture);
}

static void auto_keeps_together_what_shares_memory(void **state)
{
    (void)state;
    fixture fixture;
    open_both(&fixture);
    fixture.params.kernels_only = true;
    make(&fixture, MEZ_SPLIT_AUTO);
    assert_string_equal(grouping(fixture.split),
        "plain | plain_too | doubles | sized | grouped | calls_grouped | accurate | "
        "counts counts_too | asserts | calls_out | other");
    assert_null(strstr(fixture.heard, "counter"));
    finish(&fixture);

    open_one(&fixture, "pointers.spv");
    make(&fixture, MEZ_SPLIT_AUTO);
    assert_string_equal(grouping(fixture.split), "gives takes");
    finish(&fixture);

    // Kernels around one large function would be more than twice the code.
    open_one(&fixture, "heavy.spv");
    make(&fixture, MEZ_SPLIT_AUTO);
    assert_string_equal(grouping(fixture.split), "one two three four");
    finish(&fixture);
}

static void copies_of_variables_are_reported(void **state)
{
    (void)state;
    fixture fixture;
    open_both(&fixture);
    make(&fixture, MEZ_SPLIT_PER_KERNEL);
    assert_contains(fixture.heard,
        "warning: 'counts', 'counts_too' share variable 'counter' and go to different images: each "
        "image has a copy of its own\n");
    make(&fixture, MEZ_SPLIT_OFF);
    assert_null(strstr(fixture.heard, "counter"));
    finish(&fixture);
}

static void exported_variables_that_go_nowhere_are_reported(void **state)
{
    (void)state;
    fixture it;
    open_one(&it, "variables.spv");
    make(&it, MEZ_SPLIT_AUTO);
    assert_contains(it.heard,
        "warning: exported variable 'lonely' is used by no kernel or exported "
        "function, and goes to no image\n");
    assert_contains(it.heard, "warning: exported variable 'fixed' is");
    assert_null(strstr(it.heard, "'used'"));
    assert_null(strstr(it.heard, "mez_device_has"));
    finish(&it);
}

static void functions_that_ask_for_more_are_reported(void **state)
{
    (void)state;
    fixture fixture;
    open_both(&fixture);
    make(&fixture, MEZ_SPLIT_PER_KERNEL);
    assert_contains(fixture.heard,
        "warning: function 'deep' uses aspect 'fp64' not expected by its calling kernel. Missing "
        "[[sycl::device_has()]] on SYCL_EXTERNAL function?\n");
    assert_contains(fixture.heard,
        "warning: function 'grouped' has required sub-group size '16' that does not match its "
        "calling kernel.  Missing [[sycl::reqd_sub_group()]] attribute on SYCL_EXTERNAL "
        "function?\n");
    assert_contains(properties_of(fixture.split, "calls_out"), "aspects=2|gAAAAAAAAAgBAAAA\n");
    finish(&fixture);
}

static void undeclared_uses_are_reported(void **state)
{
    (void)state;
    fixture fixture;
    open_one(&fixture, "declares.spv");
    make(&fixture, MEZ_SPLIT_OFF);
    assert_contains(fixture.heard, "warning: function 'liar' uses aspect 'fp64' not listed in");
    // What is declared is required, used or not.
    assert_contains(properties_of(fixture.split, "liar"), "aspects=2|ABAAAAAAAAgAAAAAGAAAAA\n");
    finish(&fixture);
}

static void properties_say_what_runtimes_look_for(void **state)
{
    (void)state;
    fixture fixture;
    open_both(&fixture);
    make(&fixture, MEZ_SPLIT_PER_KERNEL);
    assert_string_equal(properties_of(fixture.split, "plain"),
        "[SYCL/device requirements]\naspects=2|AAAAAAAAAAA\n[SYCL/kernel names]\nplain=1|1\n");
    assert_contains(properties_of(fixture.split, "grouped"), "reqd_sub_group_size=1|16\n");
    assert_contains(properties_of(fixture.split, "sized"),
        "reqd_work_group_size_uint64_t=2|ADAAAAAAAAACAAAAAAAAAQAAAAAAAAAABAAAAAAAAAA\n"
        "work_group_num_dim=1|2\n");
    const char *asserts = properties_of(fixture.split, "asserts");
    assert_contains(asserts, "[SYCL/assert used]\nasserts=1|1\n");
    assert_contains(asserts, "[SYCL/imported symbols]\n__devicelib_assert_fail=1|1\n");
    assert_contains(asserts, "[SYCL/devicelib req mask]\nDeviceLibReqMask=1|1\n");
    // Negative aspects distinguish kernels, and that is all.
    assert_contains(properties_of(fixture.split, "accurate"), "aspects=2|AAAAAAAAAAA\n");
    finish(&fixture);
}

static void the_documents_forms_have_room_for_all_sizes(void **state)
{
    (void)state;
    fixture fixture;
    open_one(&fixture, "a.spv");
    fixture.params.doc_names = true;
    make(&fixture, MEZ_SPLIT_PER_KERNEL);
    assert_contains(properties_of(fixture.split, "doubles"), "aspect=2|gAAAAAAAAAgBAAAA\n");
    // 8 of the kernel's own, 16 of the one that it calls.
    assert_contains(properties_of(fixture.split, "calls_grouped"),
        "reqd_sub_group_size=2|ABAAAAAAAAACAAAAQAAAAA\n");
    finish(&fixture);
}

static const mez_target *target_named(const char *name)
{
    const mez_targets *targets;
    assert_ok(mez_targets_get_default(&targets));
    const mez_target *target = mez_targets_find(targets, name, NULL);
    assert_non_null(target);
    return target;
}

static void fixed_targets_are_split_exactly_as_asked(void **state)
{
    (void)state;
    const mez_target *tgllp = target_named("intel_gpu_tgllp");
    const mez_target *both[] = {target_named("intel_gpu_pvc"), tgllp};
    fixture fixture;
    open_both(&fixture);
    fixture.sources[0].fixed_targets = both;
    fixture.sources[0].fixed_target_count = 2;
    make(&fixture, MEZ_SPLIT_OFF);
    assert_string_equal(grouping(fixture.split),
        "plain plain_too doubles sized grouped calls_grouped accurate counts counts_too asserts "
        "calls_out | other | +deep");
    // 12.0.0 and 12.60.0; aspects are nobody's concern any more.
    assert_contains(properties_of(fixture.split, "doubles"),
        "aspects=2|AAAAAAAAAAA\nfixed_target=2|ABAAAAAAAAAAAAwAAAwDDA\n");
    // Both are warned of as `mez split` does, each with the code that is its own.
    assert_contains(fixture.heard,
        "warning: function 'doubles' uses aspect 'fp64' not supported by fixed target "
        "'intel_gpu_tgllp'\n");
    assert_null(strstr(fixture.heard, "'deep'"));

    fixture.sources[1].fixed_targets = &tgllp;
    fixture.sources[1].fixed_target_count = 1;
    make(&fixture, MEZ_SPLIT_OFF);
    assert_contains(fixture.heard,
        "warning: function 'deep' compiled with a different `-fsycl-fixed-targets` switch than its "
        "calling kernel.\n");
    assert_contains(properties_of(fixture.split, "doubles"), "fixed_target=2|gAAAAAAAAAAAAAwA\n");

    fixture.sources[1].fixed_targets = both;
    fixture.sources[1].fixed_target_count = 2;
    make(&fixture, MEZ_SPLIT_OFF);
    assert_int_equal(mez_split_get_image_count(fixture.split), 1);
    finish(&fixture);
}

static void targets_without_a_number_are_refused(void **state)
{
    (void)state;
    const mez_target *generic = target_named("spir64");
    fixture fixture;
    open_one(&fixture, "b.spv");
    fixture.sources[0].fixed_targets = &generic;
    fixture.sources[0].fixed_target_count = 1;
    assert_story(mez_split_create(&fixture.params, &fixture.split), MEZ_ERRC_INVALID_PARAMETER,
        "\"spir64\" can't be a fixed target");
    assert_null(fixture.split);
    finish(&fixture);
}

static void sources_that_can_not_be_used_are_named(void **state)
{
    (void)state;
    fixture fixture;
    open_both(&fixture);
    fixture.sources[1].size -= 6;
    assert_story(mez_split_create(&fixture.params, &fixture.split), MEZ_ERRC_INVALID_IMAGE,
        "b.spv: the module ends inside a word");
    fixture.sources[1] = fixture.sources[0];
    assert_story(mez_split_create(&fixture.params, &fixture.split), MEZ_ERRC_LINK_PROGRAM,
        "is in 'a.spv' and in 'a.spv'");
    finish(&fixture);
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    fixture fixture;
    open_both(&fixture);
    fixture.params.warn = NULL;
    mez_error error = mez_ok();
    uint64_t n = 0;
    do {
        mez_split_image image = {0};
        mez_alloc_fail_at(++n);
        error = mez_split_create(&fixture.params, &fixture.split);
        if (!mez_failed(error))
            error = mez_split_make_image(fixture.split, 1, &image);
        mez_alloc_fail_at(0);
        if (mez_failed(error))
            assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        else
            mez_split_image_finish(&image);
        mez_split_destroy(&fixture.split);
    } while (mez_failed(error));
    assert_true(n > 150);
    finish(&fixture);
}

static void count_images(void *context, uint32_t done, uint32_t images)
{
    uint32_t *seen = context;
    assert_int_equal(done, *seen + 1);
    assert_int_equal(images, 6);
    *seen = done;
}

static bool is_there(const char *folder, const char *name)
{
    char path[4096];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &info) == 0;
}

static void remove_files(const char *folder)
{
    static const char *const endings[] = {"spv", "prop", "sym"};
    char path[4096];
    for (uint32_t i = 0; i < 18; i++) {
        snprintf(path, sizeof path, "%s/out_%u.%s", folder, i / 3, endings[i % 3]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/out.table", folder);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); // and nothing else was left
}

static void files_come_whole_or_not_at_all(void **state)
{
    (void)state;
    fixture fixture;
    open_both(&fixture);
    make(&fixture, MEZ_SPLIT_OFF);
    char folder[] = "/tmp/mez-split-XXXXXX", path[4096];
    assert_non_null(mkdtemp(folder));
    uint32_t seen = 0;
    const mez_split_progress progress = {.function = count_images, .user = &seen};
    snprintf(path, sizeof path, "%s/out.table", folder);
    assert_ok(mez_split_write(fixture.split, path, &progress));
    assert_int_equal(seen, 6);
    mez_table table = {0};
    assert_ok(mez_table_load(path, &table));
    assert_int_equal(table.rows, 6);
    assert_string_equal(mez_table_get(&table, 5, 1), "out_5.prop");
    mez_table_finish(&table);
    remove_files(folder);

    // A folder is in the table's way: the images' files go again.
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_story(mez_split_write(fixture.split, path, NULL), MEZ_ERRC_FILE, "out.table: ");
    assert_true(is_there(folder, "out.table"));
    assert_false(is_there(folder, "out_0.spv"));
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_story(mez_split_write(fixture.split, path, NULL), MEZ_ERRC_FILE, "No such file");
    finish(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(per_kernel_gives_each_an_image),
        cmocka_unit_test(other_modes_split_where_needs_differ),
        cmocka_unit_test(auto_keeps_together_what_shares_memory),
        cmocka_unit_test(copies_of_variables_are_reported),
        cmocka_unit_test(exported_variables_that_go_nowhere_are_reported),
        cmocka_unit_test(functions_that_ask_for_more_are_reported),
        cmocka_unit_test(undeclared_uses_are_reported),
        cmocka_unit_test(properties_say_what_runtimes_look_for),
        cmocka_unit_test(the_documents_forms_have_room_for_all_sizes),
        cmocka_unit_test(fixed_targets_are_split_exactly_as_asked),
        cmocka_unit_test(targets_without_a_number_are_refused),
        cmocka_unit_test(sources_that_can_not_be_used_are_named),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(files_come_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
