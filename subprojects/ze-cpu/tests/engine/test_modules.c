// SPDX-License-Identifier: MIT
//
// Building: linking, imports and exports, features, and input that is not a module.

#include "engine_harness.h"

#include <stdlib.h>
#include <string.h>

struct build {
    enum zc_build_result result;
    struct zc_program *program;
    char *log;
};

static struct build build_files(const char *const *names, size_t count)
{
    struct bytes bytes[4];
    struct zc_spirv modules[4];
    assert_true(count <= 4);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = load_spirv(names[i]);
        modules[i] = (struct zc_spirv){.bytes = bytes[i].data, .size = bytes[i].size};
    }
    const struct zc_build_request request = {
        .modules = modules, .module_count = count, .features = &all_features};
    struct build build;
    build.result = engine->build(&request, &build.program, &build.log);
    for (size_t i = 0; i < count; i++)
        free_bytes(&bytes[i]);
    return build;
}

static void finish(struct build *build)
{
    engine->destroy(build->program);
    free(build->log);
}

static void assert_failed(
    const struct build *build, enum zc_build_result result, const char *reason)
{
    assert_int_equal(build->result, result);
    assert_null(build->program);
    assert_non_null(build->log);
    if (strstr(build->log, reason) == NULL)
        fail_msg("log says '%s', not '%s'", build->log, reason);
}

// Of the source's functions: clang since 21 puts each kernel's body into one of its own besides.
static uint32_t export_count(const struct zc_program *program)
{
    static const char bodies[] = "__clang_ocl_kern_imp_";
    uint32_t count, own = 0;
    const char *const *names = engine->exports(program, &count);
    for (uint32_t i = 0; i < count; i++)
        own += strncmp(names[i], bodies, strlen(bodies)) != 0;
    return own;
}

static void check_linked(const char *first, const char *second)
{
    const char *const names[2] = {first, second};
    struct build build = build_files(names, 2);
    assert_string_equal(build.log, "");
    assert_int_equal(build.result, ZC_BUILD_OK);
    uint32_t imports;
    engine->imports(build.program, &imports);
    assert_int_equal(imports, 0);
    assert_int_equal(export_count(build.program), 2);
    int out[8] = {7};
    const struct {
        int *out;
    } blob = {out};
    const struct launch one = {.groups = {1, 1, 1}, .group_size = {1, 1, 1}};
    run(find_kernel(build.program, "library_kernel"), &one, &blob);
    size_t size;
    const int *state = engine->global(build.program, "shared_state", &size);
    assert_non_null(state);
    assert_int_equal(size, sizeof(int));
    assert_int_equal(*state, 21);
    const struct launch eight = {.groups = {2, 1, 1}, .group_size = {4, 1, 1}};
    run(find_kernel(build.program, "use_library"), &eight, &blob);
    for (int i = 0; i < 8; i++)
        assert_int_equal(out[i], 3 * i + 21);
    finish(&build);
}

static void links_in_any_order(void **state)
{
    (void)state;
    check_linked("link_user.O2", "link_library.O2");
    check_linked("link_library.O0", "link_user.O0");
}

static void lists_unresolved_imports(void **state)
{
    (void)state;
    const char *const names[1] = {"link_user.O2"};
    struct build build = build_files(names, 1);
    assert_int_equal(build.result, ZC_BUILD_OK);
    uint32_t count;
    const char *const *imports = engine->imports(build.program, &count);
    assert_int_equal(count, 2);
    assert_string_equal(imports[0], "triple");
    assert_string_equal(imports[1], "shared_state");
    assert_int_equal(export_count(build.program), 0);
    const struct zc_kernel *kernel = find_kernel(build.program, "use_library");
    assert_int_equal(kernel->argument_count, 1);
    // Not to be run, and it says so.
    struct zc_worker *worker = engine->worker_create();
    const struct zc_group group = {.group_count = {1, 1, 1}, .local_size = {1, 1, 1}};
    const char blob[8] = {0};
    assert_false(engine->run_groups(worker, kernel, &group, 1, blob));
    engine->worker_destroy(worker);
    finish(&build);
}

static void refuses_duplicates(void **state)
{
    (void)state;
    const char *const functions[2] = {"link_library.O2", "link_clash.O2"};
    struct build build = build_files(functions, 2);
    assert_failed(&build, ZC_BUILD_LINK_FAILED, "'triple'");
    finish(&build);
    const char *const kernels[2] = {"features.O2", "features.O2"};
    build = build_files(kernels, 2);
    assert_failed(&build, ZC_BUILD_LINK_FAILED, "'scale'");
    finish(&build);
}

static void names_missing_builtins(void **state)
{
    (void)state;
    const char *const names[1] = {"missing.O2"};
    struct build build = build_files(names, 1);
    assert_failed(&build, ZC_BUILD_FAILED, "is not available");
    finish(&build);
}

static void says_why_builtins_are_missing(void **state)
{
    (void)state;
    const char *const names[1] = {"refused.O2"};
    static const char *const lines[] = {"OpReadPipe is not available: pipes are not supported",
        "OpEnqueueKernel is not available: kernels can't start kernels"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct build build = build_files(names, 1);
        assert_failed(&build, ZC_BUILD_FAILED, lines[i]);
        finish(&build);
    }
}

static void says_which_images_there_are_not(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"missing.O2", "builtin 'ImageSampleExplicitLod_Rfloat4'"},
        {"missing.O0", "is not available: mipmaps are not supported"},
        {"refused_images.O2", "OpSubgroupImageBlockReadINTEL is not available: "},
        {"refused_images.O0", "OpImageQuerySamples is not available: "},
        {"refused_images.O2",
            "OpTypeImage is not available: images have one sample for each pixel"},
        {"refused_parameters.O2",
            "OpTypeImage is not available: images have one sample for each pixel"}};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct build build = build_files(&lines[i][0], 1);
        assert_failed(&build, ZC_BUILD_FAILED, lines[i][1]);
        finish(&build);
    }
}

// Cubes and rectangles, depth images and arrays of other dimensions than theirs, and images of which it is not known.
static void refuses_images_that_opencl_lacks(void **state)
{
    (void)state;
    enum { HEADER_WORDS = 5, OP_TYPE_IMAGE = 25, DIMENSION = 3 };
    static const uint32_t types[][3] = {
        {3, 0, 0}, {4, 0, 0}, {6, 0, 0}, {0, 1, 0}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {5, 1, 0}};
    struct bytes bytes = load_spirv("images.O2");
    uint32_t *words = bytes.data;
    size_t at = HEADER_WORDS;
    while ((words[at] & 0xffff) != OP_TYPE_IMAGE)
        at += words[at] >> 16;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        struct build build;
        memcpy(words + at + DIMENSION, types[i], sizeof(types[i]));
        build.result = build_bytes(bytes, &all_features, &build.program, &build.log);
        assert_failed(&build, ZC_BUILD_FAILED,
            "OpTypeImage is not available: OpenCL C has no images of this type");
        finish(&build);
    }
    free_bytes(&bytes);
}

static void refuses_recursion_only_where_it_must(void **state)
{
    (void)state;
    const char *const names[1] = {"recursion.O2"};
    struct build build = build_files(names, 1);
    assert_failed(&build, ZC_BUILD_FAILED, "function 'descend': recursion");
    finish(&build);
    struct zc_program *program = build_file("recursion_plain.O2", "");
    int out[8];
    const struct {
        int *out;
    } blob = {out};
    const struct launch launch = {.groups = {1, 1, 1}, .group_size = {8, 1, 1}};
    run(find_kernel(program, "recursive"), &launch, &blob);
    assert_int_equal(out[7], 13);
    engine->destroy(program);
}

static struct build build_without(const char *name, const struct zc_features *features)
{
    struct bytes bytes = load_spirv(name);
    struct build build;
    build.result = build_bytes(bytes, features, &build.program, &build.log);
    free_bytes(&bytes);
    return build;
}

static void refuses_what_the_device_lacks(void **state)
{
    (void)state;
    struct zc_features features = all_features;
    features.fp64 = false;
    struct build build = build_without("features.O2", &features);
    assert_failed(&build, ZC_BUILD_FAILED,
        "error: function 'scale': double precision (fp64) is not supported by device 'test'");
    assert_null(strstr(build.log, "only_floats"));
    finish(&build);
    features = all_features;
    features.fp16 = false;
    build = build_without("halfs.O2", &features);
    assert_failed(&build, ZC_BUILD_FAILED, "function 'halfs': half precision (fp16)");
    finish(&build);
    features = all_features;
    features.int64_atomics = false;
    build = build_without("basics.O2", &features);
    assert_failed(&build, ZC_BUILD_FAILED, "function 'atomics': 64-bit atomics");
    finish(&build);
    features = all_features;
    features.images = false;
    build = build_without("images.O2", &features);
    assert_failed(&build, ZC_BUILD_FAILED,
        "function 'query_lines': images are not supported by device 'test'");
    assert_non_null(strstr(build.log, "function 'blur': images are not"));
    finish(&build);
}

static void refuses_garbage(void **state)
{
    (void)state;
    static char garbage[4096];
    for (size_t i = 0; i < sizeof(garbage); i++)
        garbage[i] = (char)(i * 31 + i / 7);
    static const size_t sizes[] = {0, 1, 3, 4, 20, 64, 4095, 4096};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct build build;
        build.result = build_bytes(
            (struct bytes){garbage, sizes[i]}, &all_features, &build.program, &build.log);
        assert_failed(&build, ZC_BUILD_FAILED, "not SPIR-V");
        finish(&build);
    }
}

// The header stays, so that the damage gets through to the translator.
static void survives_damage(void **state)
{
    (void)state;
    struct bytes bytes = load_spirv("basics.O2");
    unsigned char *data = bytes.data;
    unsigned seed = 1;
    for (int i = 0; i < 40; i++) {
        seed = seed * 1103515245 + 12345;
        const size_t at = 20 + (seed >> 4) % (bytes.size - 20);
        const unsigned char before = data[at];
        data[at] ^= (unsigned char)(1u << (seed >> 28) % 8);
        struct build build;
        build.result = build_bytes(bytes, &all_features, &build.program, &build.log);
        assert_true((build.program != NULL) == (build.result == ZC_BUILD_OK));
        assert_true(build.result == ZC_BUILD_OK || build.log[0] != '\0');
        finish(&build);
        data[at] = before;
    }
    free_bytes(&bytes);
}

static void refuses_truncated_modules(void **state)
{
    (void)state;
    struct bytes bytes = load_spirv("basics.O2");
    for (int i = 1; i < 12; i++) {
        struct bytes part = {bytes.data, bytes.size * (size_t)i / 12 / 4 * 4};
        struct build build;
        build.result = build_bytes(part, &all_features, &build.program, &build.log);
        assert_failed(&build, ZC_BUILD_FAILED, "error");
        finish(&build);
    }
    free_bytes(&bytes);
}

// As many functions as entry points do not prove that none is missing: here one has another id than its entry point names.
static void refuses_entry_points_without_functions(void **state)
{
    (void)state;
    enum { BOUND = 3, HEADER_WORDS = 5, OP_ENTRY_POINT = 15, OP_FUNCTION = 54 };
    struct bytes bytes = load_spirv("basics.O2");
    uint32_t *words = bytes.data, entry_point = 0, unused = words[BOUND]++;
    for (size_t at = HEADER_WORDS; at < bytes.size / sizeof(*words); at += words[at] >> 16) {
        if ((words[at] & 0xffff) == OP_ENTRY_POINT)
            entry_point = words[at + 2];
        else if ((words[at] & 0xffff) == OP_FUNCTION && words[at + 2] == entry_point)
            words[at + 2] = unused;
    }
    struct build build;
    build.result = build_bytes(bytes, &all_features, &build.program, &build.log);
    assert_failed(&build, ZC_BUILD_FAILED, "truncated or damaged SPIR-V");
    finish(&build);
    free_bytes(&bytes);
}

static void says_what_translator_is_missing(void **state)
{
    (void)state;
    struct bytes bytes = load_spirv("basics.O2");
    struct build build;
    setenv("ZE_CPU_LLVM_SPIRV", "/nonexistent/translator", 1);
    build.result = build_bytes(bytes, &all_features, &build.program, &build.log);
    unsetenv("ZE_CPU_LLVM_SPIRV");
    assert_failed(&build, ZC_BUILD_FAILED,
        "'/nonexistent/translator', which ZE_CPU_LLVM_SPIRV names, cannot be started: No such "
        "file");
    finish(&build);
    free_bytes(&bytes);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_in_any_order),
        cmocka_unit_test(lists_unresolved_imports),
        cmocka_unit_test(refuses_duplicates),
        cmocka_unit_test(names_missing_builtins),
        cmocka_unit_test(says_why_builtins_are_missing),
        cmocka_unit_test(says_which_images_there_are_not),
        cmocka_unit_test(refuses_images_that_opencl_lacks),
        cmocka_unit_test(refuses_recursion_only_where_it_must),
        cmocka_unit_test(refuses_what_the_device_lacks),
        cmocka_unit_test(refuses_garbage),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(refuses_truncated_modules),
        cmocka_unit_test(refuses_entry_points_without_functions),
        cmocka_unit_test(says_what_translator_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
