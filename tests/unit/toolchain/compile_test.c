// SPDX-License-Identifier: MIT
//
// Compiling as programs do it.

#include <stdlib.h>
#include <time.h>

#include <mezzanine/toolchain.h>

#include "base/alloc.h"
#include "base/file.h"
#include "child/folder.h"

static const char kernel[] =
    "#include \"by.h\"\nkernel void scale(global float *x) { x[get_global_id(0)] *= BY; }\n";

// The kernel, with the folder of its header as an option.
static mez_compilation_params params_in(const char *folder, char options[256])
{
    char path[256];
    snprintf(path, sizeof path, "%s/by.h", folder);
    assert_ok(mez_file_write(path, "#define BY 2\n", 13));
    snprintf(options, 256, "-I '%s'", folder);
    return (mez_compilation_params){.text = kernel, .options = options};
}

static bool lists_header(const mez_compilation *compilation, uint32_t files)
{
    for (uint32_t i = 0; i < files; i++)
        if (strstr(mez_compilation_get_file(compilation, i), "/by.h"))
            return true;
    return false;
}

static void a_text_becomes_code(void **state)
{
    char options[256];
    size_t size;
    mez_compilation *compilation;
    mez_code *code;
    const mez_compilation_params params = params_in(*state, options);
    assert_ok(mez_compilation_create(&params, &compilation));
    const void *bytes = mez_compilation_get_code(compilation, &size);
    assert_int_equal(*(const uint32_t *)bytes, 0x07230203);
    assert_ok(mez_code_read(bytes, size, "scale", &code));
    assert_int_equal(mez_code_get_kernel_count(code), 1);
    assert_string_equal(mez_code_get_kernel(code, 0)->name, "scale");
    mez_code_destroy(&code);
    assert_string_equal(mez_compilation_get_log(compilation), "");
    const uint32_t files = mez_compilation_get_file_count(compilation);
    assert_true(lists_header(compilation, files)); // and those of the compiler itself
    assert_null(mez_compilation_get_file(compilation, files));
    mez_compilation_destroy(&compilation);
    assert_null(compilation);
    mez_compilation_destroy(&compilation);
}

static void a_mark_of_utf_8_before_a_text_is_passed(void **state)
{
    (void)state;
    mez_compilation *compilation;
    const mez_compilation_params params = {.text = "\xef\xbb\xbfkernel void f() {}"};
    assert_ok(mez_compilation_create(&params, &compilation));
    assert_string_equal(mez_compilation_get_log(compilation), "");
    mez_compilation_destroy(&compilation);
}

static void a_name_need_not_be_utf_8(void **state)
{
    (void)state;
    mez_compilation *compilation;
    const mez_compilation_params params = {
        .text = "#warning beware\nkernel void f() {}", .name = "\xff\xc3\xa4 0.cl"};
    assert_ok(mez_compilation_create(&params, &compilation));
    const char *log = mez_compilation_get_log(compilation);
    static const char shown[] = "\\xff\xc3\xa4 0.cl:1:2: warning: beware";
    assert_int_equal(strncmp(log, shown, sizeof shown - 1), 0);
    mez_compilation_destroy(&compilation);
}

static void what_has_been_compiled_is_refused(void **state)
{
    char path[256];
    mez_compilation *compilation;
    snprintf(path, sizeof path, "%s/a.spv", (char *)*state);
    assert_ok(mez_file_write(path, "\x03\x02\x23\x07 and more", 13));
    assert_story(mez_compilation_create(&(mez_compilation_params){.path = path}, &compilation),
        MEZ_ERRC_COMPILE_PROGRAM, "a.spv can't be compiled: it is SPIR-V already");
    assert_null(compilation);
}

static void what_can_not_be_compiled_is_refused(void **state)
{
    mez_compilation *compilation;
    mez_stop *stop;
    mez_compilation_params params = {.text = "kernel void f() { wrong(); }", .name = "mine.cl"};
    assert_story(
        mez_compilation_create(&params, &compilation), MEZ_ERRC_COMPILE_PROGRAM, "mine.cl:1:19");
    assert_null(compilation);
    params.options = "-o elsewhere";
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_INVALID_PARAMETER, "-o");
    params.options = NULL;
    params.clang = "/nowhere/clang";
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_FILE, "/nowhere/clang");
    params.clang = NULL;
    assert_ok(mez_stop_create(&stop));
    mez_stop_now(stop);
    params.stop = stop;
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_WRONG_STATE,
        "the compilation of mine.cl was stopped");
    mez_stop_destroy(&stop);
    params.stop = NULL;
    params.path = "mine.cl";
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_INVALID_PARAMETER,
        "but was given both");
    params.text = NULL;
    params.path = "";
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_INVALID_PARAMETER,
        "\"path\" is empty");
    params.path = NULL;
    params.text = "BC\xc0\xde";
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_COMPILE_PROGRAM,
        "mine.cl can't be compiled: it is LLVM bitcode already");
    params.text = "\xde\xc0\x17\x0b"; // with a wrapper
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_COMPILE_PROGRAM,
        "mine.cl can't be compiled: it is LLVM bitcode already");
    params.text = "CTNI";
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_COMPILE_PROGRAM,
        "mine.cl can't be compiled: it is native code already");
    params.text = "kernel void f() {}";
    setenv("TMPDIR", "/nowhere", 1);
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_FILE,
        "advice: TMPDIR sets the folder");
    setenv("TMPDIR", *state, 1);
    mez_alloc_fail_at(1);
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_OUT_OF_HOST_MEMORY,
        "a compilation");
    mez_alloc_fail_at(0);
    params.reserved[0] = 1;
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_INVALID_PARAMETER,
        "mez_compilation_params.reserved");
    assert_story(mez_compilation_create(&(mez_compilation_params){0}, &compilation),
        MEZ_ERRC_INVALID_PARAMETER, "\"path\"");
    assert_condition(mez_compilation_create(NULL, &compilation), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_compilation_create(&params, NULL), MEZ_ERRC_INVALID_PARAMETER);
}

typedef struct heard {
    char steps[4096], printed[1024];
} heard;

static void hear_steps(void *user, const char *text)
{
    heard *heard = user;
    snprintf(heard->steps, sizeof heard->steps, "%s", text);
}

static void hear_printed(void *user, const char *text)
{
    heard *heard = user;
    snprintf(heard->printed, sizeof heard->printed, "%s", text);
}

static void a_listener_gets_steps_and_messages(void **state)
{
    heard heard = {"", ""};
    mez_compilation *compilation;
    mez_compilation_params params = {.text = "#warning beware\nkernel void f() {}",
        .listener = {hear_steps, hear_printed, &heard, {0}}};
    (void)state;
    assert_ok(mez_compilation_create(&params, &compilation));
    mez_compilation_destroy(&compilation);
    assert_contains(heard.steps, getenv("MEZ_CLANG"));
    assert_contains(heard.steps, getenv("MEZ_LLVM_SPIRV"));
    assert_contains(heard.printed, "beware");
    params.text = "kernel void f() { wrong(); }";
    assert_condition(mez_compilation_create(&params, &compilation), MEZ_ERRC_COMPILE_PROGRAM);
    assert_contains(heard.printed, "source.cl:1:19");
    params.listener.reserved[1] = 1;
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_INVALID_PARAMETER,
        "mez_compilation_listener.reserved");
}

static void bitcode_is_made_on_request(void **state)
{
    size_t size;
    mez_compilation *compilation;
    mez_compilation_params params = {
        .text = "kernel void f() {}", .format = MEZ_COMPILATION_BITCODE};
    (void)state;
    assert_ok(mez_compilation_create(&params, &compilation));
    const void *code = mez_compilation_get_code(compilation, &size);
    assert_int_equal(mez_content_recognise(code, size), MEZ_CONTENT_LLVM);
    mez_compilation_destroy(&compilation);
    params.format = (mez_compilation_format)2;
    assert_story(
        mez_compilation_create(&params, &compilation), MEZ_ERRC_INVALID_PARAMETER, "not a format");
}

static void a_rule_lists_the_files(void **state)
{
    char options[256], text[4096], little[8];
    size_t length, again;
    mez_compilation *compilation;
    const mez_compilation_params params = params_in(*state, options);
    assert_ok(mez_compilation_create(&params, &compilation));
    assert_ok(mez_compilation_get_rule(compilation, "scale.spv", text, sizeof text, &length));
    assert_int_equal(length, strlen(text));
    assert_memory_equal(text, "scale.spv:", 10);
    assert_contains(text, "/by.h:\n");
    assert_ok(mez_compilation_get_rule(compilation, "scale.spv", little, sizeof little, &again));
    assert_string_equal(little, "scale.s");
    assert_int_equal(again, length);
    assert_story(mez_compilation_get_rule(compilation, "a:b", text, sizeof text, &length),
        MEZ_ERRC_INVALID_PARAMETER, "a:b");
    assert_int_equal(length, 0);
    assert_condition(
        mez_compilation_get_rule(compilation, NULL, NULL, 0, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_alloc_fail_at(1);
    assert_story(mez_compilation_get_rule(compilation, "a", NULL, 0, NULL),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "list of files");
    mez_alloc_fail_at(0);
    mez_compilation_destroy(&compilation);
    assert_ok(mez_compilation_get_rule(NULL, "a", text, sizeof text, NULL));
    assert_string_equal(text, "a:\n");
}

static void options_are_checked_without_a_compiler(void **state)
{
    (void)state;
    assert_ok(mez_compilation_check_options(NULL));
    assert_ok(mez_compilation_check_options("-O3 -I 'my folder' -DWIDTH=64"));
    assert_story(mez_compilation_check_options("-O3 -c"), MEZ_ERRC_INVALID_PARAMETER, "-c");
    assert_condition(mez_compilation_check_options("'open"), MEZ_ERRC_INVALID_PARAMETER);
    mez_alloc_fail_at(1);
    assert_story(mez_compilation_check_options("-O3"), MEZ_ERRC_OUT_OF_HOST_MEMORY, "memory");
    mez_alloc_fail_at(0);
    assert_true(mez_compilation_option_takes_next("-I"));
    assert_false(mez_compilation_option_takes_next("-Ifolder"));
}

static uint64_t hits_in(const char *folder)
{
    mez_cache *cache;
    mez_cache_statistics statistics;
    assert_ok(mez_cache_open(&(mez_cache_params){.folder = folder}, &cache));
    assert_ok(mez_cache_get_statistics(cache, &statistics));
    mez_cache_close(&cache);
    return statistics.hits;
}

static void compile_cached(const mez_compilation_params *params)
{
    size_t size;
    mez_compilation *compilation;
    assert_ok(mez_compilation_create(params, &compilation));
    const void *code = mez_compilation_get_code(compilation, &size);
    assert_int_equal(mez_content_recognise(code, size), MEZ_CONTENT_SPIRV);
    assert_contains(mez_compilation_get_log(compilation), "beware");
    assert_true(lists_header(compilation, mez_compilation_get_file_count(compilation)));
    mez_compilation_destroy(&compilation);
}

// Files are as old as a compiler's start has to find them.
static void what_was_compiled_before_is_cached(void **state)
{
    char options[256], folder[256];
    mez_compilation *compilation;
    mez_compilation_params params = params_in(*state, options);
    const struct timespec while_files_age = {.tv_nsec = 50000000};
    params.text = "#include \"by.h\"\n#warning beware\nkernel void f() {}\nnothing";
    params.text_size = strlen(params.text) - strlen("nothing");
    params.cached = true;
    snprintf(folder, sizeof folder, "%s/cache", (const char *)*state);
    setenv("MEZ_CACHE", folder, 1);
    nanosleep(&while_files_age, NULL);
    compile_cached(&params);
    assert_int_equal(hits_in(folder), 0);
    compile_cached(&params);
    assert_int_equal(hits_in(folder), 2); // the list of files, and the code
    mez_stop *stop;
    assert_ok(mez_stop_create(&stop));
    mez_stop_now(stop);
    params.stop = stop;
    params.text_size--; // another text
    assert_condition(mez_compilation_create(&params, &compilation), MEZ_ERRC_WRONG_STATE);
    assert_null(mez_thread_set_stop(NULL)); // it was the call's alone
    mez_stop_destroy(&stop);
    params.stop = NULL;
    params.validate = true;
    assert_story(
        mez_compilation_create(&params, &compilation), MEZ_ERRC_INVALID_PARAMETER, "\"cached\"");
    unsetenv("MEZ_CACHE");
}

// Also what is given no stop of its own.
static void a_thread_has_a_stop(void **state)
{
    mez_compilation *compilation;
    mez_stop *stop;
    const mez_compilation_params params = {.text = "kernel void f() {}"};
    (void)state;
    assert_ok(mez_stop_create(&stop));
    assert_false(mez_stop_is_set(NULL));
    mez_stop_now(NULL);
    assert_false(mez_stop_is_set(stop));
    assert_null(mez_thread_set_stop(stop));
    mez_stop_now(stop);
    assert_true(mez_stop_is_set(stop));
    assert_story(mez_compilation_create(&params, &compilation), MEZ_ERRC_WRONG_STATE, "stopped");
    assert_ptr_equal(mez_thread_set_stop(NULL), stop);
    assert_ok(mez_compilation_create(&params, &compilation));
    mez_compilation_destroy(&compilation);
    mez_stop_destroy(&stop);
}

// Each turn starts the compiler, so that not every allocation has one.
static void without_memory_nothing_stays(void **state)
{
    char options[256];
    const mez_compilation_params params = params_in(*state, options);
    bool good = false;
    for (uint64_t n = 1; !good; n += 5) {
        mez_compilation *compilation;
        mez_alloc_fail_at(n);
        const mez_error error = mez_compilation_create(&params, &compilation);
        good = mez_alloc_fail_at(0) < n;
        assert_true(!good || !mez_failed(error));
        assert_int_equal(mez_failed(error), !compilation);
        mez_compilation_destroy(&compilation);
        assert_int_equal(count_files(*state), 1); // the header
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_text_becomes_code),
        TEST(a_mark_of_utf_8_before_a_text_is_passed),
        TEST(a_name_need_not_be_utf_8),
        TEST(what_has_been_compiled_is_refused),
        TEST(what_can_not_be_compiled_is_refused),
        TEST(a_listener_gets_steps_and_messages),
        TEST(bitcode_is_made_on_request),
        TEST(a_rule_lists_the_files),
        TEST(options_are_checked_without_a_compiler),
        TEST(what_was_compiled_before_is_cached),
        TEST(a_thread_has_a_stop),
        TEST(without_memory_nothing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
