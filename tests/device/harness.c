// SPDX-License-Identifier: MIT

#include "harness.h"

#include "child.h"
#include "own_cache.h"
#include "select.h"
#include "signals.h"

static mez_context *context;
static size_t skipped;

mez_context *mez_test_context(void)
{
    return context;
}

mez_device *mez_test_device(void)
{
    return mez_context_get_device(context, 0);
}

const mez_device_info *mez_test_info(void)
{
    return mez_device_get_info(mez_test_device());
}

static bool has_sub_group_size(uint32_t size)
{
    const mez_device_info *info = mez_test_info();
    for (uint32_t i = 0; i < info->sub_group_size_count; i++)
        if (info->sub_group_sizes[i] == size)
            return true;
    return false;
}

static bool has_native_asserts(void)
{
    mez_native_asserts how;
    mez_test_ok(mez_device_get_native_asserts(mez_test_device(), &how));
    return how != MEZ_NATIVE_ASSERTS_NONE;
}

// Is it among the words?
static bool holds(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if (at[length] == ' ')
            return true;
    return false;
}

static bool is_cpu_driver(void)
{
    return strncmp(mez_test_device_name(), "cpu", 3) == 0;
}

static bool is_off(const char *variable)
{
    const char *value = getenv(variable);
    return value && strcmp(value, "0") == 0;
}

bool mez_test_has(const char *capability)
{
    if (holds(mez_test_device_lacks(), capability))
        return false;
    if (strcmp(capability, "cooperation") == 0 || strcmp(capability, "module_data") == 0 ||
        strcmp(capability, "steady_memory") == 0)
        return true;
    if (strcmp(capability, "results") == 0 || strcmp(capability, "ipc") == 0)
        return mez_test_runs_kernels();
    if (strcmp(capability, "native_asserts") == 0)
        return has_native_asserts();
    if (strcmp(capability, "linked_asserts") == 0)
        return !has_native_asserts();
    if (strcmp(capability, "faults") == 0)
        return is_cpu_driver() && !is_off("ZE_CPU_SIGNALS");
    if (strcmp(capability, "resets") == 0)
        return is_cpu_driver() && getenv("ZE_CPU_RESET_MS");
    if (strcmp(capability, "engines") == 0)
        return !getenv("ZE_CPU_SINGLE_ENGINE");
    if (strcmp(capability, "guards") == 0)
        return is_cpu_driver() && getenv("ZE_CPU_GUARD") && !is_off("ZE_CPU_GUARD");
    if (strcmp(capability, "loss") == 0)
        return is_cpu_driver();
    if (strcmp(capability, "abandon") == 0)
        return mez_test_may_abandon();
    if (strcmp(capability, "devices") == 0)
        return mez_context_get_device_count(context) > 1;
    if (strcmp(capability, "sub_devices") == 0)
        return mez_device_get_sub_device_count(mez_test_device()) > 1;
    if (strcmp(capability, "fp16") == 0)
        return mez_test_info()->fp16;
    if (strcmp(capability, "fp64") == 0)
        return mez_test_info()->fp64;
    if (strcmp(capability, "int64_atomics") == 0)
        return mez_test_info()->int64_atomics;
    if (strncmp(capability, "sub_group_", 10) == 0)
        return has_sub_group_size((uint32_t)atoi(capability + 10));
    fail_msg("no capability is named \"%s\"", capability);
    return false;
}

void mez_test_needs(const char *capability)
{
    if (mez_test_has(capability))
        return;
    printf("skip: needs %s, which %s does not have\n", capability, mez_test_device_name());
    skipped++;
    skip();
}

void mez_test_check_ok(mez_error error, const char *call, const char *file, int line)
{
    if (!mez_failed(error))
        return;
    fprintf(stderr, "%s\n", call);
    mez_error_print(stderr, error);
    _fail(file, line);
}

void mez_test_check_fails(
    mez_error error, mez_condition condition, const char *call, const char *file, int line)
{
    if (mez_error_is(error, condition))
        return;
    fprintf(stderr, "%s: expected another outcome than %s\n", call, mez_error_get_name(error));
    mez_error_print(stderr, error);
    _fail(file, line);
}

const char *mez_test_kernel_path(const char *file)
{
    static _Thread_local char path[4096];
    snprintf(path, sizeof path, "%s/%s.spv", getenv("MEZ_TEST_KERNELS"), file);
    return path;
}

mez_kernel *mez_test_kernel(const char *file, const char *name)
{
    mez_kernel *kernel;
    mez_test_ok(mez_kernel_load(context, mez_test_kernel_path(file), name, &kernel));
    return kernel;
}

void *mez_test_alloc(mez_memory_kind kind, size_t size)
{
    mez_error error;
    void *memory = mez_alloc(context, &(const mez_memory_params){.kind = kind}, size, &error);
    mez_test_ok(error);
    assert_non_null(memory);
    return memory;
}

void *mez_test_shared(size_t size)
{
    return mez_test_alloc(MEZ_MEMORY_SHARED, size);
}

void mez_test_free(void *memory)
{
    mez_test_ok(mez_free(context, memory));
}

// What cmocka calls for each test: `setup`, `run`, `teardown`.
struct running {
    const mez_device_test *test;
    mez_queue *queue;
};

static int setup(void **state)
{
    struct running *running = *state;
    mez_test_restore_signals();
    mez_test_ok(mez_queue_create(context, NULL, &running->queue));
    return 0;
}

static void run(void **state)
{
    const struct running *running = *state;
    void *queue = running->queue;
    mez_test_restore_signals();
    running->test->run(&queue);
}

static int teardown(void **state)
{
    struct running *running = *state;
    mez_test_restore_signals();
    mez_queue_destroy(&running->queue);
    return 0;
}

#define MOST_TESTS 64

// How many failed.
static int run_all(const char *name, const mez_device_test *tests, size_t count)
{
    static struct running running[MOST_TESTS];
    static struct CMUnitTest units[MOST_TESTS];
    if (count > MOST_TESTS)
        abort();
    for (size_t i = 0; i < count; i++) {
        running[i].test = &tests[i];
        units[i] = (struct CMUnitTest){tests[i].name, run, setup, teardown, &running[i]};
    }
    return _cmocka_run_group_tests(name, units, count, NULL, NULL);
}

static void print_counts(const char *name, size_t passed, size_t failed, size_t not_run)
{
    printf("%s on %s: %zu passed, %zu failed, %zu skipped\n", name, mez_test_device_name(), passed,
        failed, not_run);
}

static int skip_all(const char *name, size_t tests, const char *reason)
{
    printf("skip: %s\n", reason);
    print_counts(name, 0, 0, tests);
    return 77;
}

// Before there is a context.
static bool surely_lacks(const char *capability)
{
    return holds(mez_test_device_lacks(), capability) ||
           (strcmp(capability, "results") == 0 && !mez_test_runs_kernels());
}

// MEZ_TEST_NEEDS is a capability that all tests need, or without which the driver would end the program.
static bool lacks_what_all_need(char *reason, size_t size)
{
    const char *needed = getenv("MEZ_TEST_NEEDS");
    if (!needed || !surely_lacks(needed))
        return false;
    return snprintf(reason, size, "needs %s, which %s does not have", needed,
               mez_test_device_name()) > 0;
}

// Intel's driver takes SIGSEGV for memory that moves: 22.43 with its first context, 26.27 with the first shared memory.
static void keep_fault_handler(void)
{
    mez_error error;
    void *memory = mez_alloc_shared(context, 1, &error);
    if (memory)
        error = mez_free(context, memory);
    mez_error_print(stderr, error);
    mez_test_keep_signals();
}

// The context of the program, or the exit code with which it ends.
static int open_context(const char *name, size_t tests)
{
    char reason[1024];
    const bool may_be_absent = !getenv("MEZ_TEST_REQUIRED");
    if (may_be_absent && mez_test_is_absent(reason, sizeof reason))
        return skip_all(name, tests, reason);
    if (lacks_what_all_need(reason, sizeof reason))
        return skip_all(name, tests, reason);
    const mez_error error = mez_context_create(NULL, &context);
    if (!mez_failed(error)) {
        keep_fault_handler();
        return 0;
    }
    if (may_be_absent && mez_test_has_no_gpu(error, reason, sizeof reason))
        return skip_all(name, tests, reason);
    mez_error_print(stderr, error);
    printf("no context on %s\n", mez_test_device_name());
    return EXIT_FAILURE;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int run_in_context(const char *name, const mez_device_test *tests, size_t count)
{
    printf("%s on %s: %s\n", name, mez_test_device_name(), mez_test_info()->name);
    const int failed = run_all(name, tests, count);
    mez_test_restore_signals();
    mez_context_destroy(&context);
    print_counts(name, count - (size_t)failed - skipped, (size_t)failed, skipped);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int mez_test_main(int argc, char **argv, const mez_device_test *tests, size_t count,
    const mez_test_child *children)
{
    const bool is_child =
        argc == 3 && strcmp(argv[1], "--child") == 0; // and has its parent's cache
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!getenv("MEZ_TEST_KERNELS")) {
        fprintf(stderr,
            "MEZ_TEST_KERNELS must name the kernels' folder: use meson test or meson devenv\n");
        return EXIT_FAILURE;
    }
    if (!mez_test_select_device() || !(is_child || mez_test_make_cache()))
        return EXIT_FAILURE;
    const char *name = base_name(argv[0]);
    int code = open_context(name, count);
    if (code == 0)
        code = is_child ? mez_test_be_child(argv[2], children) : run_in_context(name, tests, count);
    mez_test_remove_cache();
    return code;
}

void mez_test_end_child(void)
{
    mez_context_destroy(&context);
}
