// SPDX-License-Identifier: MIT
//
// OpenCL C is compiled once. What was made of it holds as long as all that it was made of stays the same, whoever changes it.

#include "fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

#define KERNEL "kernel void k(global int *p) { p[0] = VALUE; }\n"
#define PLAIN "kernel void k(global int *p) { p[0] = 123456; }\n"
#define TEXT(...) (&(const mez_source){.text = __VA_ARGS__})
#define PATH(...) (&(const mez_source){.path = __VA_ARGS__})

static mez_error get(
    fixture *f, const mez_source *source, const char *options, mez_source_code *code)
{
    mez_words words = {0};
    mez_source whole = *source;
    if (options) {
        assert_ok(mez_words_split(&words, options));
        whole.options = &words;
    }
    const mez_error error = mez_source_get(f->cache, &whole, code);
    mez_words_finish(&words);
    return error;
}

static void finish(mez_source_code *code)
{
    mez_source_code_finish(code);
}

// Does the code store that number? It is a constant of the module.
static bool has_number(const mez_source_code *code, uint32_t number)
{
    const uint32_t *words = code->spirv;
    for (size_t i = 0; i < code->size / sizeof *words; i++)
        if (words[i] == number)
            return true;
    return false;
}

// Gets code that stores the number, after so many starts of the compiler.
static void expect(
    fixture *f, const mez_source *source, const char *options, uint32_t number, unsigned wanted)
{
    mez_source_code code;
    assert_ok(get(f, source, options, &code));
    assert_true(has_number(&code, number));
    assert_non_null(code.log);
    finish(&code);
    assert_int_equal(starts(f), wanted);
}

static void test_a_second_start_needs_no_compiler(void **state)
{
    fixture *f = *state;
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
    expect(f, TEXT(PLAIN), NULL, 123456, 0);
    expect(f, TEXT(PLAIN, .name = "other.cl"), NULL, 123456, 1); // asserts would name it
    write_text("k.cl", PLAIN);
    expect(f, PATH("k.cl"), NULL, 123456, 1);
    expect(f, PATH("k.cl"), NULL, 123456, 0);
}

static void test_options_and_text_count(void **state)
{
    fixture *f = *state;
    expect(f, TEXT(KERNEL), "-DVALUE=70001", 70001, 1);
    expect(f, TEXT(KERNEL), "-DVALUE=70002", 70002, 1);
    expect(f, TEXT(KERNEL), "-DVALUE=70001 -O1", 70001, 1);
    expect(f, TEXT(KERNEL "\n"), "-DVALUE=70001", 70001, 1);
    expect(f, TEXT(KERNEL), "-D VALUE=70001", 70001, 1);
    expect(f, TEXT(KERNEL), "-DVALUE=70001", 70001, 0);
}

static void test_a_file_that_changes(void **state)
{
    fixture *f = *state;
    write_text("k.cl", PLAIN);
    expect(f, PATH("k.cl"), NULL, 123456, 1);
    write_text("k.cl", "kernel void k(global int *p) { p[0] = 123457; }\n");
    expect(f, PATH("k.cl"), NULL, 123457, 1);
    write_text("k.cl", PLAIN);
    expect(f, PATH("k.cl"), NULL, 123456, 0); // both are known
}

static void test_includes_that_change(void **state)
{
    fixture *f = *state;
    const char *text = "#include \"outer.h\"\n" KERNEL;
    write_text("outer.h", "#include \"inner.h\"\n");
    write_text("inner.h", "#define VALUE 80001\n");
    expect(f, TEXT(text), "-I.", 80001, 1);
    expect(f, TEXT(text), "-I.", 80001, 0);
    write_text("inner.h", "#define VALUE 80002\n");
    expect(f, TEXT(text), "-I.", 80002, 1);
    expect(f, TEXT(text), "-I.", 80002, 0);
    write_text("inner.h", "#define VALUE 80001\n");
    expect(f, TEXT(text), "-I.", 80001, 0);
}

static void test_includes_that_disappear(void **state)
{
    fixture *f = *state;
    mez_source_code code;
    const char *text = "#include \"v.h\"\n" KERNEL;
    mkdir("first", 0700);
    write_text("first/v.h", "#define VALUE 80003\n");
    expect(f, TEXT(text), "-Ifirst -Isecond", 80003, 1);
    unlink("first/v.h");
    assert_story(get(f, TEXT(text), "-Ifirst -Isecond", &code), MEZ_ERRC_COMPILE_PROGRAM, "v.h");
    assert_null(code.spirv);
    starts(f);
    mkdir("second", 0700);
    write_text("second/v.h", "#define VALUE 80004\n");
    expect(f, TEXT(text), "-Ifirst -Isecond", 80004, 1);
    write_text("first/v.h", "#define VALUE 80003\n"); // found before the other one
    expect(f, TEXT(text), "-Ifirst -Isecond", 80003, 1);
    expect(f, TEXT(text), "-Ifirst -Isecond", 80003, 0);
}

// Beside the file that includes it. The list of files has room for one way to find them, so the way back is compiled.
static void test_a_header_that_appears_nearer(void **state)
{
    fixture *f = *state;
    mkdir("include", 0700);
    write_text("include/v.h", "#define VALUE 80005\n");
    write_text("k.cl", "#include \"v.h\"\n" KERNEL);
    expect(f, PATH("k.cl"), "-Iinclude", 80005, 1);
    expect(f, PATH("k.cl"), "-Iinclude", 80005, 0);
    write_text("v.h", "#define VALUE 80006\n");
    expect(f, PATH("k.cl"), "-Iinclude", 80006, 1);
    unlink("v.h");
    expect(f, PATH("k.cl"), "-Iinclude", 80005, 1);
    expect(f, PATH("k.cl"), "-Iinclude", 80005, 0);
}

// clang's own folders come behind all that options name. Of its headers, this one is empty for our targets, and one of the few
// without __has_include, which forbids to keep what includes it: since clang 19 most ask so for the system's.
static void test_a_header_that_appears_before_the_compilers(void **state)
{
    fixture *f = *state;
    const char *text = "#include <msa.h>\n#ifndef VALUE\n#define VALUE 80020\n#endif\n" KERNEL;
    expect(f, TEXT(text), "-Iown", 80020, 1);
    expect(f, TEXT(text), "-Iown", 80020, 0);
    mkdir("own", 0700);
    write_text("own/msa.h", "#define VALUE 80021\n");
    expect(f, TEXT(text), "-Iown", 80021, 1);
}

static void test_folders_that_variables_name(void **state)
{
    fixture *f = *state;
    const char *text = "#include <v.h>\n" KERNEL;
    mkdir("one", 0700);
    mkdir("two", 0700);
    write_text("two/v.h", "#define VALUE 80022\n");
    setenv("CPATH", "one:two", 1);
    expect(f, TEXT(text), NULL, 80022, 1);
    write_text("one/v.h", "#define VALUE 80023\n");
    expect(f, TEXT(text), NULL, 80023, 1);
    unsetenv("CPATH");
}

// Names that begin where the process is mean other files elsewhere.
static void test_the_same_names_in_another_folder(void **state)
{
    fixture *f = *state;
    const char *text = "#include \"v.h\"\n" KERNEL;
    mkdir("one", 0700);
    mkdir("two", 0700);
    write_text("one/v.h", "#define VALUE 80007\n");
    write_text("two/v.h", "#define VALUE 80008\n");
    assert_int_equal(chdir("one"), 0);
    expect(f, TEXT(text), "-I.", 80007, 1);
    assert_int_equal(chdir("../two"), 0);
    expect(f, TEXT(text), "-I.", 80008, 1);
    assert_int_equal(chdir("../one"), 0);
    expect(f, TEXT(text), "-I.", 80007, 0);
    assert_int_equal(chdir(".."), 0);
}

static void test_whole_names_hold_everywhere(void **state)
{
    fixture *f = *state;
    char options[96];
    write_text("v.h", "#define VALUE 80009\n");
    snprintf(options, sizeof options, "-I%s", f->folder);
    const char *text = "#include \"v.h\"\n" KERNEL;
    expect(f, TEXT(text), options, 80009, 1);
    assert_int_equal(chdir("/"), 0);
    expect(f, TEXT(text), options, 80009, 0);
    assert_int_equal(chdir(f->folder), 0);
}

// A compiler whose user saves a header as soon as it has been read: nobody knows in which form.
static void test_a_file_that_changes_meanwhile(void **state)
{
    fixture *f = *state;
    const char *text = "#include \"v.h\"\n" KERNEL;
    mez_source_code code;
    write_text("v.h", "#define VALUE 80010\n");
    assert_int_equal(rename("clang", "real"), 0);
    write_text("clang", "#!/bin/sh\n./real \"$@\" && echo '#define VALUE 80011' > v.h\n");
    assert_int_equal(chmod("clang", 0700), 0);
    assert_ok(get(f, TEXT(text), "-I.", &code));
    assert_true(has_number(&code, 80010));
    finish(&code);
    starts(f);
    expect(f, TEXT(text), "-I.", 80011, 1);
}

static void test_what_asks_for_more_than_files(void **state)
{
    fixture *f = *state;
    const char *seconds = "constant char t[] = __TIME__;\n"
                          "kernel void k(global int *p) { p[0] = t[p[1]] + 80012; }\n";
    const char *whether = "#if __has_include(\"v.h\")\n#define VALUE 80014\n#else\n"
                          "#define VALUE 80013\n#endif\n" KERNEL;
    expect(f, TEXT(seconds), NULL, 80012, 1);
    expect(f, TEXT(seconds), NULL, 80012, 1);
    expect(f, TEXT(whether), "-I.", 80013, 1);
    write_text("v.h", "");
    expect(f, TEXT(whether), "-I.", 80014, 1);
    write_text("w.h", whether);
    expect(f, TEXT("#include \"w.h\"\n"), "-I.", 80014, 1);
    unlink("v.h");
    expect(f, TEXT("#include \"w.h\"\n"), "-I.", 80013, 1);
}

// Of the volatile macros, the test takes those whose values do not show: whether anything is kept is to be seen by the starts.
static void test_what_asks_in_other_words(void **state)
{
    fixture *f = *state;
    static const char *const options[] = {"-DSTAMP=__TIME__", "'-DSTAMP=__has_include(\"v.h\")'",
        "-include pasting.h -DA=__DA -DB=TE__", "-include pieces.h '-DP(a,b)=a##b'",
        "-include pieces.h '-DP(a,b)=a%:%:b'"};
    static const char *const texts[] = {
        "#define Q(a,b) a##b\n#define P(a,b) Q(a,b)\nconstant char t[] = P(__TI,ME__);\n" PLAIN,
        "constant char t[] = __TI\\\nME__;\n" PLAIN,
        "constant char t[] = __TI\\ \r\n\\\nME__;\n" PLAIN,
        "#define Q(a,b,c) a #\\\n# b##c\nconstant char t[] = Q(_,_TIME,__);\n" PLAIN,
        "#if __has_include_next(<v.h>)\n#endif\n" PLAIN};
    write_text(
        "pasting.h", "#define Q(a,b) a##b\n#define P(a,b) Q(a,b)\nconstant char t[] = P(A,B);\n");
    write_text("pieces.h", "#define Q(a,b) P(a,b)\nconstant char t[] = Q(__TIMES,TAMP__);\n");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (unsigned again = 0; again < 2; again++)
            expect(f, TEXT(PLAIN), options[i], 123456, 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned again = 0; again < 2; again++)
            expect(f, TEXT(texts[i]), NULL, 123456, 1);
}

static void test_pasting_alone_asks_for_nothing(void **state)
{
    fixture *f = *state;
    const char *text = "#define P(a) int __##a##__\n#define TIME_ 1\n#define __TI 2\n" PLAIN;
    expect(f, TEXT(text), "-DNAME=MY__TIME__S", 123456, 1);
    expect(f, TEXT(text), "-DNAME=MY__TIME__S", 123456, 0);
}

static void test_another_compiler(void **state)
{
    fixture *f = *state;
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
    FILE *file = fopen("llvm-spirv", "a"); // as an upgrade would
    assert_non_null(file);
    fputs("# newer\n", file);
    fclose(file);
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
    expect(f, TEXT(PLAIN), NULL, 123456, 0);
}

static void test_warnings_come_each_time(void **state)
{
    fixture *f = *state;
    mez_source_code code;
    for (unsigned i = 0; i < 2; i++) {
        assert_ok(get(f, TEXT("#warning beware\nkernel void k(void) {}\n"), NULL, &code));
        assert_contains(code.log, "source.cl:1:2");
        assert_contains(code.log, "beware");
        finish(&code);
        assert_int_equal(starts(f), 1 - i);
    }
}

static void test_errors_are_stories(void **state)
{
    fixture *f = *state;
    mez_source_code code;
    const mez_source wrong = {
        .text = "kernel void k(global int *p) { p[0] = x; }\n", .name = "e.cl"};
    for (unsigned i = 0; i < 2; i++) {
        assert_story(get(f, &wrong, NULL, &code), MEZ_ERRC_COMPILE_PROGRAM,
            "e.cl:1:39: error: use of undeclared identifier 'x'");
        assert_null(code.spirv);
        assert_null(code.log);
        assert_true(starts(f) > 0); // nothing is kept
    }
    assert_story(get(f, PATH("nowhere.cl"), NULL, &code), MEZ_ERRC_FILE, "nowhere.cl");
    assert_story(get(f, TEXT(PLAIN), "-o x", &code), MEZ_ERRC_INVALID_PARAMETER, "-o");
}

static void test_without_a_compiler(void **state)
{
    fixture *f = *state;
    mez_source_code code;
    setenv("MEZ_CLANG", "/nowhere/clang", 1);
    assert_story(get(f, TEXT(PLAIN), NULL, &code), MEZ_ERRC_FILE, "/nowhere/clang");
    assert_null(code.spirv);
    unsetenv("MEZ_CLANG");
}

// --- Caches that are not as they should be

static void test_without_a_cache(void **state)
{
    fixture *f = *state;
    mez_cache_close(&f->cache);
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
    setenv("MEZ_CACHE", "off", 1);
    assert_ok(mez_cache_open(NULL, &f->cache));
    unsetenv("MEZ_CACHE");
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
}

static void test_a_cache_that_cannot_be_written(void **state)
{
    fixture *f = *state;
    write_text("cache", "a file is in its place\n");
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
}

static void test_damaged_entries(void **state)
{
    fixture *f = *state;
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
    assert_int_equal(system("for entry in cache/*; do printf damage | "
                            "dd of=$entry bs=1 seek=90 conv=notrunc status=none; done"),
        0);
    expect(f, TEXT(PLAIN), NULL, 123456, 1);
    expect(f, TEXT(PLAIN), NULL, 123456, 0);
}

// --- Several at once

static void *get_some(void *argument)
{
    fixture *f = argument;
    mez_source_code code;
    for (int i = 0; i < 3; i++) {
        const mez_error error = mez_source_get(f->cache, TEXT(PLAIN), &code);
        if (mez_failed(error) || !has_number(&code, 123456))
            return f;
        finish(&code);
    }
    return NULL;
}

static void test_threads(void **state)
{
    fixture *f = *state;
    pthread_t threads[4];
    void *failed;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, get_some, f), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    starts(f);
    expect(f, TEXT(PLAIN), NULL, 123456, 0);
}

static void test_processes(void **state)
{
    fixture *f = *state;
    pid_t children[3];
    for (int i = 0; i < 3; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(get_some(f) ? 1 : 0);
    }
    for (int i = 0; i < 3; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    starts(f);
    expect(f, TEXT(PLAIN), NULL, 123456, 0);
}

static void test_names(void **state)
{
    (void)state;
    assert_true(mez_source_is_file("a.cl"));
    assert_true(mez_source_is_file("/x/.cl"));
    assert_false(mez_source_is_file("cl"));
    assert_false(mez_source_is_file("a.cl.spv"));
    assert_false(mez_source_is_file(""));
}

#define SOURCE_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SOURCE_TEST(test_a_second_start_needs_no_compiler),
        SOURCE_TEST(test_options_and_text_count),
        SOURCE_TEST(test_a_file_that_changes),
        SOURCE_TEST(test_includes_that_change),
        SOURCE_TEST(test_includes_that_disappear),
        SOURCE_TEST(test_a_header_that_appears_nearer),
        SOURCE_TEST(test_a_header_that_appears_before_the_compilers),
        SOURCE_TEST(test_folders_that_variables_name),
        SOURCE_TEST(test_the_same_names_in_another_folder),
        SOURCE_TEST(test_whole_names_hold_everywhere),
        SOURCE_TEST(test_a_file_that_changes_meanwhile),
        SOURCE_TEST(test_what_asks_for_more_than_files),
        SOURCE_TEST(test_what_asks_in_other_words),
        SOURCE_TEST(test_pasting_alone_asks_for_nothing),
        SOURCE_TEST(test_another_compiler),
        SOURCE_TEST(test_warnings_come_each_time),
        SOURCE_TEST(test_errors_are_stories),
        SOURCE_TEST(test_without_a_compiler),
        SOURCE_TEST(test_without_a_cache),
        SOURCE_TEST(test_a_cache_that_cannot_be_written),
        SOURCE_TEST(test_damaged_entries),
        SOURCE_TEST(test_threads),
        SOURCE_TEST(test_processes),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
