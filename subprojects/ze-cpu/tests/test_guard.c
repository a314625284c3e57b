// SPDX-License-Identifier: MIT
//
// ZE_CPU_GUARD: accesses beside allocations, and of freed ones.
//   test_guard: all tests
//   test_guard WAY: does that, which may end the process
#include "extensions.h"
#include "harness.h"
#include "kernels.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATTERN 0xa5
#define ITEMS 128u // of kernel "work", which writes an int each

static const char *program;

// ---- what a process of its own does ----

static void write_behind(void)
{
    volatile char *memory = alloc_shared(256);
    memory[255] = 1;
    memory[256] = 1;
}

static void write_before(void)
{
    volatile char *memory = alloc_host(4096);
    memory[0] = 1;
    memory[-1] = 1;
}

static void read_freed(void)
{
    volatile char *memory = alloc_shared(256);
    free_memory((void *)(uintptr_t)memory);
    memory[17] = memory[16];
}

static void copy_behind(void)
{
    char *memory = alloc_host(256), *device = alloc_device(4096);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendMemoryCopy(list, memory, device, 257, NULL, 0, NULL));
}

static void write_into_slack(void)
{
    volatile char *memory = alloc_shared(100), *device = alloc_device(100);
    memory[103] = 0;
    device[4095] = 0;
    free_memory((void *)(uintptr_t)memory);
    free_memory((void *)(uintptr_t)device);
}

static void write_in_front(void)
{
    volatile char *memory = alloc_shared(1024 * 3 + 512); // begins 512 bytes behind a page's begin
    memory[-7] = 0;
    free_memory((void *)(uintptr_t)memory);
}

static void write_behind_much(void)
{
    const size_t size = ((size_t)300 << 20) + 100;
    volatile char *memory = alloc_host(size);
    memory[size + 9] = 0;
    free_memory((void *)(uintptr_t)memory);
}

static void free_aligned(size_t size, size_t alignment)
{
    const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    char *memory = NULL;
    assert_ok(zeMemAllocHost(fx.context, &desc, size, alignment, (void **)&memory));
    memory[0] = memory[size - 1] = 1;
    free_memory(memory);
}

// Nothing may be said of what is right.
static void do_right(void)
{
    free_aligned(5, (size_t)1 << 30);
    free_aligned(((size_t)300 << 20) + 64, 65536);
    free_aligned(70000, 65536);
    for (size_t size = 1; size <= 1u << 20; size = 2 * size + 1) {
        void *memory[] = {alloc_shared(size), alloc_device(size), alloc_host(size)};
        for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
            memset(memory[i], 0, size);
            free_memory(memory[i]);
        }
    }
}

static const struct way {
    const char *name;
    void (*body)(void);
} ways[] = {
    {"behind", write_behind},
    {"before", write_before},
    {"freed", read_freed},
    {"copy", copy_behind},
    {"slack", write_into_slack},
    {"front", write_in_front},
    {"much", write_behind_much},
    {"right", do_right},
};

static int go(const char *name)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGSEGV, SIG_DFL); // a sanitizer's says more
    if (set_up(NULL))
        return 2;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (!strcmp(ways[i].name, name))
            ways[i].body();
    return 0;
}

// ---- what is said of it ----

struct outcome {
    int signal; // 0: it ended by itself, with success
    char text[4096];
};

static void start(const char *way, int out)
{
    dup2(out, STDERR_FILENO);
    execl(program, program, way, (char *)NULL);
    _exit(127);
}

static struct outcome run(const char *way)
{
    struct outcome outcome = {.signal = 0};
    int out[2], status = 0;
    size_t length = 0;
    assert_int_equal(pipe(out), 0);
    const pid_t child = fork();
    if (child == 0)
        start(way, out[1]);
    close(out[1]);
    for (ssize_t count;
         (count = read(out[0], outcome.text + length, sizeof outcome.text - 1 - length)) > 0;)
        length += (size_t)count;
    close(out[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return outcome;
}

static void expect(const char *way, int signal, const char *first, const char *second)
{
    const struct outcome outcome = run(way);
    assert_int_equal(outcome.signal, signal);
    assert_has(outcome.text, first);
    assert_has(outcome.text, second);
    assert_has(outcome.text, "(ZE_CPU_GUARD)");
}

#if defined(__x86_64__)
#define WROTE "the program wrote to memory that it may not access"
#define COPIED "a copy or fill wrote to memory that it may not access"
#else
#define WROTE "the program accessed memory that it may not access"
#define COPIED "a copy or fill accessed memory that it may not access"
#endif

static void test_touches_of_the_program(void **state)
{
    (void)state;
    expect("behind", SIGSEGV, WROTE, "0 bytes behind the end of shared memory of 256 bytes at ");
    expect("before", SIGSEGV, WROTE, "1 bytes before host memory of 4096 bytes at ");
    expect("freed", SIGSEGV, "the program accessed memory",
        "16 bytes into shared memory of 256 bytes at ");
    expect("freed", SIGSEGV, "at ", ", which was freed");
    expect("behind", SIGSEGV, "test_guard+0x", "; address 0x");
}

static void test_copies(void **state)
{
    (void)state;
    expect("copy", SIGSEGV, COPIED, "0 bytes behind the end of host memory of 256 bytes at ");
}

static void test_writes_seen_later(void **state)
{
    (void)state;
    expect("slack", 0, "somebody wrote beside an allocation",
        "3 bytes behind the end of shared memory of 100 bytes at ");
    expect("slack", 0, "somebody wrote beside an allocation",
        "3995 bytes behind the end of device memory of 100 bytes at ");
    expect("front", 0, "somebody wrote beside an allocation",
        "7 bytes before shared memory of 3584 bytes at ");
    expect("much", 0, "somebody wrote beside an allocation",
        "9 bytes behind the end of host memory of 314572900 bytes at ");
}

static void test_silence(void **state)
{
    (void)state;
    const struct outcome outcome = run("right");
    assert_int_equal(outcome.signal, 0);
    assert_string_equal(outcome.text, "");
}

// ---- what is there ----

static void test_pattern(void **state)
{
    (void)state;
    unsigned char *memory[] = {alloc_shared(5000), alloc_device(5000), alloc_host(5000)};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        for (size_t at = 0; at < 5000; at++)
            assert_int_equal(memory[i][at], PATTERN);
        free_memory(memory[i]);
    }
}

static void test_alignment(void **state)
{
    (void)state;
    static const ze_device_mem_alloc_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    for (size_t alignment = 1; alignment <= 2u << 20; alignment *= 2) {
        char *device = NULL, *shared = NULL;
        assert_ok(zeMemAllocDevice(
            fx.context, &desc, alignment + 3, alignment, fx.device, (void **)&device));
        assert_ok(zeMemAllocShared(fx.context, &desc,
            &(const ze_host_mem_alloc_desc_t){.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC},
            alignment + 3, alignment, fx.device, (void **)&shared));
        assert_int_equal((uintptr_t)device % alignment, 0);
        assert_int_equal((uintptr_t)shared % alignment, 0);
        device[alignment + 2] = shared[alignment + 2] = 1;
        free_memory(device);
        free_memory(shared);
    }
}

// More than are kept back.
static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static char *memory[COUNT];
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < COUNT; i++)
            memset(memory[i] = alloc_shared(i + 1), 1, i + 1);
        for (size_t i = 0; i < COUNT; i++)
            free_memory(memory[i]);
    }
}

// Exported pages are others, of which the ones beside the allocation are still looked at.
static void test_exported(void **state)
{
    (void)state;
    ze_ipc_mem_handle_t handle;
    char *memory = alloc_device(5000);
    assert_ok(zeMemGetIpcHandle(fx.context, memory, &handle));
    memset(memory, 0, 5000);
    free_memory(memory);
}

static void test_kernels(void **state)
{
    (void)state;
    ze_module_handle_t module = load_module("faults", NULL);
    ze_kernel_handle_t kernel = create_kernel(module, "work");
    const ze_group_count_t groups = {ITEMS / 8, 1, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    int *values = alloc_shared(ITEMS / 2 * sizeof *values);
    assert_ok(zeKernelSetGroupSize(kernel, 8, 1, 1));
    set_pointer(kernel, 0, values);
    assert_result(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL),
        ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "kernel \"work\" ");
    assert_has(last_failure(), "bytes behind the end of shared memory of 256 bytes at ");
    zeCommandListDestroy(list);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    free_memory(values);
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1)
        return go(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_touches_of_the_program),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_writes_seen_later),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_exported),
        cmocka_unit_test(test_kernels),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
