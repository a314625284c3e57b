// SPDX-License-Identifier: MIT
//
// What all tests share: the driver under test, found through the real loader.
#ifndef ZE_CPU_TESTS_HARNESS_H
#define ZE_CPU_TESTS_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>
#include <level_zero/ze_api.h>

struct fixture {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t context;
    // Several drivers were named: the loader wraps handles, even when only one is left.
    bool wrapped;
};
extern struct fixture fx;

#define assert_ok(call) assert_int_equal((call), ZE_RESULT_SUCCESS)
#define assert_result(call, expected) assert_int_equal((call), (expected))
// Fails the test where the text does not have the part in it.
void assert_has(const char *text, const char *part);

#define ONE_SECOND UINT64_C(1000000000)
#define ONE_MILLISECOND UINT64_C(1000000)

// Group set-up and teardown for cmocka.
int set_up(void **state);
int tear_down(void **state);

// Shorthands; each fails the test when the call fails.
void *alloc_shared(size_t size);
void *alloc_device(size_t size);
void *alloc_host(size_t size);
void free_memory(void *pointer);
ze_command_list_handle_t create_list(void);
ze_command_list_handle_t create_immediate(ze_command_queue_mode_t mode);
ze_command_queue_handle_t create_queue(ze_command_queue_mode_t mode);
ze_event_pool_handle_t create_pool(uint32_t count, ze_event_pool_flags_t flags);
ze_event_handle_t create_event(ze_event_pool_handle_t pool, uint32_t index);
void execute_and_wait(ze_command_queue_handle_t queue, ze_command_list_handle_t list);
uint64_t now(void);
// Does the loader's validation layer look at arguments before the driver?
bool is_validated(void);
// Calls body(argument) on a new thread after `delay` nanoseconds; join with pthread_join.
unsigned long start_later(uint64_t delay, void (*body)(void *), void *argument);
void join_later(unsigned long thread);

// Starts the test program again, with that mode as its argument, as another process whose descriptor OTHERS_SOCKET is the socket.
#define OTHERS_SOCKET 9
pid_t start_other(char *program, char *mode, int socket);
// That the process has open.
unsigned count_descriptors(void);

#endif
