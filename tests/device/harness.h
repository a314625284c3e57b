// SPDX-License-Identifier: MIT
//
// One test body for every device. MEZ_TEST_DEVICE says which:
//
//   cpu[:persona]       ze-cpu, as the host's processor or dressed as a GPU (tgllp, pvc, ...): kernels run
//   noop                the no-op driver: calls are made, nothing runs
//   capture:<product>   Intel's driver and compiler without hardware: everything compiles, nothing runs
//   gpu                 an Intel GPU
//
//     static void adds(void **state)
//     {
//         mez_queue *queue = *state;
//         ...
//         mez_test_ok(mez_queue_wait(queue));
//         mez_test_needs("results");
//         assert_int_equal(sum[0], 3);
//     }
//
//     int main(int argc, char **argv)
//     {
//         static const mez_device_test tests[] = {MEZ_DEVICE_TEST(adds)};
//         return MEZ_TEST_MAIN(argc, argv, tests);
//     }
//
// A test that needs what the device lacks is skipped, with the name of what it needs, and counted. Where the whole device
// is absent the program says so and exits 77; with MEZ_TEST_REQUIRED set it fails instead.

#ifndef MEZ_TEST_HARNESS_H
#define MEZ_TEST_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>

#include <mezzanine/mezzanine.h>

// A test with a fresh queue as its state. The queue is destroyed, and so waited for, after the test.
#define MEZ_DEVICE_TEST(function) \
    {                             \
#function, function       \
    }
typedef struct mez_device_test {
    const char *name;
    void (*run)(void **state);
} mez_device_test;

// What runs in a child process, by name: for programs that are expected to die.
typedef struct mez_test_child {
    const char *name;
    void (*run)(void);
} mez_test_child;

int mez_test_main(int argc, char **argv, const mez_device_test *tests, size_t count,
    const mez_test_child *children);
#define MEZ_TEST_MAIN(argc, argv, tests) \
    mez_test_main(argc, argv, tests, sizeof(tests) / sizeof *(tests), NULL)
// `children` ends with a NULL name.
#define MEZ_TEST_MAIN_WITH(argc, argv, tests, children) \
    mez_test_main(argc, argv, tests, sizeof(tests) / sizeof *(tests), children)

typedef struct mez_test_death {
    int signal;        // that ended it; 0: none
    int exit_code;     // where no signal did
    char output[8192]; // stdout and stderr, as they came
} mez_test_death;

// Runs this program again, as the child of that name, to its end.
void mez_test_run_child(const char *name, mez_test_death *death);

// The same in two steps, so that several run at once, and one can be killed.
typedef struct mez_test_running {
    pid_t process;
    int output; // the reading end of its stdout and stderr
} mez_test_running;

mez_test_running mez_test_start_child(const char *name);
void mez_test_await_child(const mez_test_running *child, mez_test_death *death);

// Fails the test and shows all that the child wrote, unless this signal ended it and its output has the text.
void mez_test_check_death(const mez_test_death *death, int signal, const char *text);

// The context of all tests of the program, and the device under test.
mez_context *mez_test_context(void);
mez_device *mez_test_device(void);
const mez_device_info *mez_test_info(void);

// Capabilities: results, devices (two or more), sub_devices (the same), fp16, fp64, int64_atomics, abandon (a hung kernel may be left
// behind), loss (the device can be lost on demand), faults (a kernel that faults loses its device and not the process), resets
// (so does one that hangs), engines (queues run at the same time), sub_group_8, sub_group_16, sub_group_32, native_asserts (the
// driver reports failed asserts), linked_asserts (it does not), cooperation (more than one work-group of a cooperative launch),
// module_data (modules with memory that has values from the start), ipc (memory that another process can open), steady_memory (the
// driver keeps nothing of what is done). An unknown name fails the test. MEZ_TEST_NEEDS names one that all tests of the program need,
// or without which the driver would end it: results, or what the table of capture mode lists. Then all of them are skipped.
bool mez_test_has(const char *capability);
// Skips the test, which must have cleaned up nothing yet: what it made is freed with the context.
void mez_test_needs(const char *capability);

// Prints the whole story of an unexpected error before the test fails.
#define mez_test_ok(error) mez_test_check_ok((error), #error, __FILE__, __LINE__)
void mez_test_check_ok(mez_error error, const char *call, const char *file, int line);
#define mez_test_fails(error, condition) \
    mez_test_check_fails((error), (condition), #error, __FILE__, __LINE__)
void mez_test_check_fails(
    mez_error error, mez_condition condition, const char *call, const char *file, int line);

// Kernels of tests/device/kernels, by file name without ".spv".
const char *mez_test_kernel_path(const char *file);
mez_kernel *mez_test_kernel(const char *file, const char *name);

// Memory, or the test fails.
void *mez_test_shared(size_t size);
void *mez_test_alloc(mez_memory_kind kind, size_t size);
void mez_test_free(void *memory);

#endif
