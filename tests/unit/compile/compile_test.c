// SPDX-License-Identifier: MIT
//
// Sources become SPIR-V, or an error with the compiler's own messages; nothing stays behind.

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "child/folder.h"
#include "compile/compile.h"

static mez_error compile_with(const mez_compiler *compiler, const mez_compile_params *params,
    const char *options, mez_compiled *compiled)
{
    mez_words words = {0};
    mez_compile_params all = *params;
    assert_ok(mez_words_split(&words, options));
    all.options = &words;
    all.compiler = compiler;
    const mez_error error = mez_compile(&all, compiled);
    mez_words_finish(&words);
    return error;
}

static mez_error compile(
    const mez_compile_params *params, const char *options, mez_compiled *compiled)
{
    mez_compiler compiler;
    assert_ok(mez_compiler_find(NULL, &compiler));
    const mez_error error = compile_with(&compiler, params, options, compiled);
    mez_compiler_finish(&compiler);
    return error;
}

static mez_error compile_text(const char *text, const char *options, mez_compiled *compiled)
{
    return compile(
        &(mez_compile_params){.text = text, .text_size = strlen(text), .name = "one/two.cl"},
        options, compiled);
}

static bool is_spirv(const mez_compiled *compiled)
{
    return compiled->size > 20 && compiled->size % 4 == 0 &&
           *(uint32_t *)compiled->code == 0x07230203;
}

static void write_source(const char *folder, const char *name, const char *text, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
    FILE *stream = fopen(path, "we");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static bool lists(const mez_words *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i], path) == 0)
            return true;
    return false;
}

#define BORDER                                                                            \
    "kernel void border(global float *a, int w, int h) {\n"                               \
    "    int x = get_global_id(0), y = get_global_id(1);\n"                               \
    "    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) return;\n"                     \
    "    a[y * w + x] = 0.25f * (a[y * w + x - 1] + a[y * w + x + 1]) + x % w + x / w;\n" \
    "}\n"

static void what_llvm_would_freeze_compiles_at_every_level(void **state)
{
    static const char *const levels[] = {"", "-O0", "-O1", "-O2", "-O3", "-Os", "-Ofast", "-g"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        mez_compiled compiled;
        assert_ok(compile_text(BORDER, levels[i], &compiled));
        assert_true(is_spirv(&compiled));
        if (strcmp(levels[i], "-Ofast") == 0 &&
            *compiled.log) // clang 19 and later warn of the option
            assert_contains(compiled.log, "-Wdeprecated-ofast");
        else
            assert_string_equal(compiled.log, "");
        mez_compiled_finish(&compiled);
    }
    assert_int_equal(count_files(*state), 0);
}

static void messages_are_the_compilers(void **state)
{
    mez_compiled compiled;
    const mez_error error =
        compile_text("kernel void a(global int *p)\n{\n    *p = q;\n}\n", "", &compiled);
    assert_story(error, MEZ_ERRC_COMPILE_PROGRAM, "one/two.cl does not compile");
    assert_story(error, MEZ_ERRC_COMPILE_PROGRAM,
        "build log: one/two.cl:3:10: error: use of undeclared identifier 'q'");
    assert_contains(compiled.log, "one/two.cl:3:10: error: use of undeclared identifier 'q'");
    assert_null(compiled.code);
    mez_compiled_finish(&compiled);
    assert_int_equal(count_files(*state), 0);
}

static void warnings_come_with_the_code(void **state)
{
    (void)state;
    mez_compiled compiled;
    assert_ok(compile_text(
        "#warning look here\nkernel void a(global int *p) { *p = 1; }\n", "", &compiled));
    assert_contains(compiled.log, "one/two.cl:1:2: warning: look here");
    assert_true(is_spirv(&compiled));
    mez_compiled_finish(&compiled);
}

static void a_file_and_what_it_includes_are_listed(void **state)
{
    char header[256], source[256], options[300];
    write_source(*state, "with blank.h", "#define ONE 1\n", header);
    write_source(*state, "a.cl",
        "#include \"with blank.h\"\nkernel void a(global int *p) { *p = ONE + TWO; }\n", source);
    snprintf(options, sizeof options, "-DTWO=2");
    mez_compiled compiled;
    assert_ok(compile(&(mez_compile_params){.path = source}, options, &compiled));
    assert_true(lists(&compiled.files, source));
    assert_true(lists(&compiled.files, header));
    mez_compiled_finish(&compiled);
    assert_int_equal(count_files(*state), 2);
}

// A limit stands for a full disk.
static void no_room_is_not_the_sources_fault(void **state)
{
    char source[256];
    mez_compiled compiled;
    struct rlimit before, none;
    write_source(*state, "a.cl", "kernel void a(global int *p) { *p = 1; }\n", source);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    const mez_error error = compile(&(mez_compile_params){.path = source}, "", &compiled);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_story(error, MEZ_ERRC_FILE, "File too large");
    assert_story(error, MEZ_ERRC_FILE, "the output of a compiler");
    mez_compiled_finish(&compiled);
}

static void headers_of_the_host_are_not_found(void **state)
{
    (void)state;
    mez_compiled compiled;
    mez_error error = compile_text(
        "#include <assert.h>\nkernel void a(global int *p) { assert(*p); }\n", "", &compiled);
    assert_story(error, MEZ_ERRC_COMPILE_PROGRAM, "'assert.h' file not found");
    assert_story(
        error, MEZ_ERRC_COMPILE_PROGRAM, "advice: kernels should include <mezzanine/assert.h>");
    mez_compiled_finish(&compiled);
    error = compile_text("#include <stdio.h>\n", "", &compiled);
    assert_story(error, MEZ_ERRC_COMPILE_PROGRAM, "'stdio.h' file not found");
    mez_compiled_finish(&compiled);
    assert_ok(
        compile_text("#include <stdint.h>\n#include <stddef.h>\n"
                     "kernel void a(global int32_t *p) { *p = sub_group_broadcast(*p, 0u); }\n",
            "", &compiled));
    mez_compiled_finish(&compiled);
}

static void a_source_that_is_not_there_is_named(void **state)
{
    (void)state;
    mez_compiled compiled;
    assert_story(compile(&(mez_compile_params){.path = "/no/where.cl"}, "", &compiled),
        MEZ_ERRC_FILE, "/no/where.cl");
    mez_compiled_finish(&compiled);
}

static void other_outputs_are_made(void **state)
{
    (void)state;
    static const char text[] = "#define ONE 1\nkernel void a(global int *p) { *p = ONE; }\n";
    mez_compile_params params = {
        .text = text, .text_size = strlen(text), .output = MEZ_COMPILE_BITCODE};
    mez_compiled compiled;
    assert_ok(compile(&params, "", &compiled));
    assert_memory_equal(compiled.code, "BC\xc0\xde", 4);
    mez_compiled_finish(&compiled);
    params.output = MEZ_COMPILE_PREPROCESSED;
    assert_ok(compile(&params, "", &compiled));
    assert_non_null(memmem(compiled.code, compiled.size, "*p = 1;", 7));
    assert_null(memmem(compiled.code, compiled.size, *state, strlen(*state)));
    mez_compiled_finish(&compiled);
}

static void a_text_is_called_by_its_name_alone(void **state)
{
    static const char text[] =
        "kernel void a(global int *p) { printf(__FILE__ \"%d\", __LINE__); }\n";
    mez_compiled compiled, again;
    assert_ok(compile_text(text, "-g", &compiled));
    assert_ok(compile_text(text, "-g", &again));
    assert_null(memmem(compiled.code, compiled.size, *state, strlen(*state)));
    assert_int_equal(compiled.size, again.size);
    assert_memory_equal(compiled.code, again.code, again.size);
    for (size_t i = 0; i < compiled.files.count; i++)
        assert_null(strstr(compiled.files.items[i], *state));
    mez_compiled_finish(&compiled);
    mez_compiled_finish(&again);
}

static mez_error compile_named(const char *name, const char *options, mez_compiled *compiled)
{
    static const char text[] =
        "kernel void a(global int *p) { printf(__FILE__ \"%d\", __LINE__); }\n";
    return compile(&(mez_compile_params){.text = text, .text_size = strlen(text), .name = name},
        options, compiled);
}

static void a_text_may_have_any_name(void **state)
{
    static const struct {
        const char *name, *called;
    } cases[] = {{"what?"
                  "?/",
                     "what?"
                     "?/source.cl"},
        {"a?"
         "?/b.cl",
            "a?"
            "?/b.cl"},
        {"folder/", "folder/source.cl"}, {"back\\", "back\\source.cl"}, {"", "source.cl"},
        {NULL, "source.cl"}, {"a\"b\\\"c", "a\"b\\\"c"}, {"-o", "-o"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mez_compiled compiled;
        assert_ok(compile_named(cases[i].name, "-g", &compiled));
        assert_string_equal(compiled.log, "");
        assert_non_null(
            memmem(compiled.code, compiled.size, cases[i].called, strlen(cases[i].called)));
        mez_compiled_finish(&compiled);
    }
}

static void a_name_for_two_lines_is_explained(void **state)
{
    char source[256];
    mez_compiled compiled;
    write_source(*state, "a\nb.cl", BORDER, source);
    const mez_error error = compile(&(mez_compile_params){.path = source}, "", &compiled);
    assert_story(error, MEZ_ERRC_FILE, "b.cl includes can't be read");
    assert_story(error, MEZ_ERRC_FILE, "advice: such a list can't contain names");
    mez_compiled_finish(&compiled);
}

static void kernels_of_cxx_compile(void **state)
{
    (void)state;
    static const char *const standards[] = {
        "-cl-std=CLC++", "-cl-std=clc++1.0", "-cl-std=CL3.0 -cl-std=clc++"};
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++) {
        mez_compiled compiled;
        assert_ok(compile_text("template <typename T> T twice(T x) { return x + x; }\n"
                               "inline int once(int x) { return x; }\n"
                               "kernel void a(global int *p) { *p = twice(once(*p)); }\n",
            standards[i], &compiled));
        assert_true(is_spirv(&compiled));
        mez_compiled_finish(&compiled);
    }
}

static void a_compiler_that_writes_nothing_is_named(void **state)
{
    mez_compiler compiler;
    mez_compiled compiled;
    assert_ok(mez_compiler_find(NULL, &compiler));
    mez_compiler other = compiler;
    other.clang = make_program(*state, "exit 0");
    const mez_compile_params params = {.text = BORDER, .text_size = strlen(BORDER)};
    assert_story(compile_with(&other, &params, "-DA -O1", &compiled), MEZ_ERRC_COMPILE_PROGRAM,
        "program exited with success, but wrote nothing; the options were: -DA -O1");
    mez_compiled_finish(&compiled);
    free(other.clang);
    mez_compiler_finish(&compiler);
}

static void functions_of_intel_are_known(void **state)
{
    (void)state;
    mez_compiled compiled;
    assert_ok(
        compile_text("kernel void a(global uint *p) { *p = intel_sub_group_block_read(p + 9); }\n",
            "", &compiled));
    assert_true(is_spirv(&compiled));
    assert_contains(compiled.steps, "trying again with every function declared");
    mez_compiled_finish(&compiled);
}

static void an_inline_function_has_its_body(void **state)
{
    (void)state;
    mez_compiled compiled;
    assert_ok(compile_text("inline int twice(int x) { return 2 * x; }\n"
                           "kernel void a(global int *p) { *p = twice(*p); }\n",
        "", &compiled));
    assert_null(memmem(compiled.code, compiled.size, "\x05\x00\x01\x00twice", 5));
    mez_compiled_finish(&compiled);
}

static void a_stopped_compilation_makes_nothing(void **state)
{
    mez_stop stop = MEZ_STOP_INIT;
    mez_compiled compiled;
    mez_stop_now(&stop);
    const mez_compile_params params = {.text = BORDER, .text_size = strlen(BORDER), .stop = &stop};
    assert_condition(compile(&params, "", &compiled), MEZ_ERRC_WRONG_STATE);
    assert_null(compiled.code);
    mez_compiled_finish(&compiled);
    assert_int_equal(count_files(*state), 0);
}

// Of the validator of this machine. What newer ones accept at once is fine, too.
static void what_is_said_about_code_is_no_reason_to_refuse_it(void **state)
{
    static const struct {
        const char *text, *options;
    } cases[] = {
        {"struct mixed { char a; int b[3]; long c; float d; } __attribute__((packed));\n"
         "struct list { struct list *next; };\n"
         "kernel void a(global struct mixed *p, global struct list *l) {\n"
         "    p[0].b[1] += p[1].c; local int part[16]; part[0] = (long)l->next; p->a = *part;\n"
         "}\n",
            "-g"},
        {"kernel void a(global int *p) {\n"
         "    int i = 0, j = 0, v = 0;\n"
         "    do { v = p[v & 7] < p[9] ? p[1] : v; } while (i++ < 8 && p[v] == 3);\n"
         "    do { v = p[v & 7] < p[9] ? p[1] : v; } while (j++ < 8 && p[v] == 3);\n"
         "    p[0] = v;\n"
         "}\n",
            "-O1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const mez_compile_params params = {
            .text = cases[i].text, .text_size = strlen(cases[i].text), .validate = true};
        mez_compiled compiled;
        assert_ok(compile(&params, cases[i].options, &compiled));
        assert_string_equal(compiled.log, "");
        mez_compiled_finish(&compiled);
    }
    assert_int_equal(count_files(*state), 0);
}

#define ANNOTATED                                                                     \
    "#include <mezzanine/aspects.h>\n"                                                \
    "MEZ_USES_ASPECTS(\"ext_intel_matrix\") static float multiply(global float *a)\n" \
    "{ return a[0] * 2; }\n"                                                          \
    "MEZ_DEVICE_HAS(solve, \"fp64, gpu\");\n"                                         \
    "kernel void solve(global float *x) { x[0] = multiply(x); }\n"

static void annotations_leave_nothing_that_is_refused(void **state)
{
    static const char *const levels[] = {"", "-O0", "-g"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const mez_compile_params params = {
            .text = ANNOTATED, .text_size = strlen(ANNOTATED), .validate = true};
        char options[1024];
        mez_compiled compiled;
        snprintf(options, sizeof options, "'-I%s' %s", getenv("MEZ_KERNEL_HEADERS"), levels[i]);
        assert_ok(compile(&params, options, &compiled));
        assert_string_equal(compiled.log, "");
        assert_non_null(memmem(compiled.code, compiled.size, "mez.uses_aspects:ext", 20));
        assert_non_null(memmem(compiled.code, compiled.size, "mez_device_has__solve", 21));
        assert_null(memmem(compiled.code, compiled.size, ".str", 4));
        mez_compiled_finish(&compiled);
    }
    assert_int_equal(count_files(*state), 0);
}

static mez_error translate_by(const char *folder, const char *script, mez_compiled *compiled)
{
    mez_compiler compiler;
    assert_ok(mez_compiler_find(NULL, &compiler));
    mez_compiler other = compiler;
    other.llvm_spirv = make_program(folder, script);
    const mez_compile_params params = {.text = BORDER, .text_size = strlen(BORDER)};
    const mez_error error = compile_with(&other, &params, "", compiled);
    free(other.llvm_spirv);
    mez_compiler_finish(&compiler);
    return error;
}

static void the_log_of_a_crash_is_the_last_choice(void **state)
{
    mez_compiled compiled;
    assert_story(translate_by(*state,
                     "#!/bin/sh\ncase $1 in *1.2) echo Assertion; kill -ABRT $$ ;; esac\n"
                     "echo refused $1; exit 1\n",
                     &compiled),
        MEZ_ERRC_COMPILE_PROGRAM, "build log: refused --spirv-max-version=1.3");
    mez_compiled_finish(&compiled);
    assert_story(translate_by(*state, "#!/bin/sh\necho Assertion; kill -ABRT $$\n", &compiled),
        MEZ_ERRC_COMPILE_PROGRAM, "build log: Assertion");
    mez_compiled_finish(&compiled);
}

static mez_error validate_by(const char *folder, const char *script, mez_compiled *compiled)
{
    mez_compiler compiler;
    assert_ok(mez_compiler_find(NULL, &compiler));
    mez_compiler other = compiler;
    other.spirv_val = make_program(folder, script);
    const mez_compile_params params = {
        .text = BORDER, .text_size = strlen(BORDER), .validate = true};
    const mez_error error = compile_with(&other, &params, "-g", compiled);
    free(other.spirv_val);
    mez_compiler_finish(&compiler);
    return error;
}

static void code_is_judged_by_itself_where_more_is_refused(void **state)
{
    mez_compiled compiled;
    assert_ok(validate_by(*state,
        "#!/bin/sh\ncase $1 in *stripped.spv) exit 0 ;; esac\necho refused; exit 1\n", &compiled));
    assert_contains(compiled.steps, "drivers accept it nevertheless:\nrefused");
    assert_non_null(memmem(compiled.code, compiled.size, "OpenCL.DebugInfo.100", 20));
    assert_string_equal(compiled.log, "");
    mez_compiled_finish(&compiled);
    assert_story(validate_by(*state, "#!/bin/sh\necho refused; exit 1\n", &compiled),
        MEZ_ERRC_COMPILE_PROGRAM, "build log: refused");
    assert_null(compiled.code);
    mez_compiled_finish(&compiled);
}

static void a_process_that_ignores_its_children_compiles(void **state)
{
    mez_compiled compiled;
    signal(SIGCHLD, SIG_IGN);
    assert_ok(compile_text(BORDER, "", &compiled));
    assert_true(is_spirv(&compiled));
    mez_compiled_finish(&compiled);
    assert_story(compile_text("kernel void a(global int *p) { *p = q; }\n", "", &compiled),
        MEZ_ERRC_COMPILE_PROGRAM, "use of undeclared identifier 'q'");
    mez_compiled_finish(&compiled);
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(count_files(*state), 0);
}

static void a_wrong_option_is_no_compilation(void **state)
{
    (void)state;
    mez_compiled compiled;
    assert_story(compile_text(BORDER, "-o x", &compiled), MEZ_ERRC_INVALID_PARAMETER, "-o");
    assert_string_equal(compiled.steps, "");
    mez_compiled_finish(&compiled);
    assert_story(compile_text(BORDER, "-fno-such-option", &compiled), MEZ_ERRC_COMPILE_PROGRAM,
        "-fno-such-option");
    mez_compiled_finish(&compiled);
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(what_llvm_would_freeze_compiles_at_every_level),
        FOLDER_TEST(messages_are_the_compilers),
        FOLDER_TEST(warnings_come_with_the_code),
        FOLDER_TEST(a_file_and_what_it_includes_are_listed),
        FOLDER_TEST(annotations_leave_nothing_that_is_refused),
        FOLDER_TEST(the_log_of_a_crash_is_the_last_choice),
        FOLDER_TEST(no_room_is_not_the_sources_fault),
        FOLDER_TEST(headers_of_the_host_are_not_found),
        FOLDER_TEST(a_source_that_is_not_there_is_named),
        FOLDER_TEST(other_outputs_are_made),
        FOLDER_TEST(a_text_is_called_by_its_name_alone),
        FOLDER_TEST(a_text_may_have_any_name),
        FOLDER_TEST(a_name_for_two_lines_is_explained),
        FOLDER_TEST(kernels_of_cxx_compile),
        FOLDER_TEST(a_compiler_that_writes_nothing_is_named),
        FOLDER_TEST(functions_of_intel_are_known),
        FOLDER_TEST(an_inline_function_has_its_body),
        FOLDER_TEST(a_stopped_compilation_makes_nothing),
        FOLDER_TEST(what_is_said_about_code_is_no_reason_to_refuse_it),
        FOLDER_TEST(code_is_judged_by_itself_where_more_is_refused),
        FOLDER_TEST(a_process_that_ignores_its_children_compiles),
        FOLDER_TEST(a_wrong_option_is_no_compilation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
