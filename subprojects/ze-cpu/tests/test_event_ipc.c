// SPDX-License-Identifier: MIT
//
// Event pools shared between processes. The program starts itself again as the other process, with "serve", and hands it the pool's
// handle over a socket.
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHARED (ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC)

static char *program;

static ze_ipc_event_pool_handle_t handle_of(ze_event_pool_handle_t pool)
{
    ze_ipc_event_pool_handle_t handle;
    assert_ok(zeEventPoolGetIpcHandle(pool, &handle));
    return handle;
}

static ze_event_pool_handle_t open_pool(ze_ipc_event_pool_handle_t handle)
{
    ze_event_pool_handle_t pool = NULL;
    assert_ok(zeEventPoolOpenIpcHandle(fx.context, handle, &pool));
    return pool;
}

enum { BEFORE, BY_OWNER, BY_OTHER, EVENTS };

// The other process: finds what was signalled before it came, waits for its owner, and lets a command answer.
static void test_serve(void **state)
{
    (void)state;
    ze_ipc_event_pool_handle_t handle;
    ze_event_handle_t events[EVENTS];
    char byte;
    assert_int_equal(read(OTHERS_SOCKET, &handle, sizeof handle), sizeof handle);
    const unsigned before = count_descriptors();
    ze_event_pool_handle_t pool = open_pool(handle);
    assert_int_equal(count_descriptors(), before);
    for (uint32_t i = 0; i < EVENTS; i++)
        events[i] = create_event(pool, i);
    assert_ok(zeEventQueryStatus(events[BEFORE]));
    assert_result(zeEventQueryStatus(events[BY_OWNER]), ZE_RESULT_NOT_READY);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendBarrier(list, events[BY_OTHER], 1, &events[BY_OWNER]));
    assert_int_equal(write(OTHERS_SOCKET, "", 1), 1);
    assert_ok(zeEventHostSynchronize(events[BY_OWNER], UINT64_MAX));
    assert_ok(zeEventHostSynchronize(events[BY_OTHER], UINT64_MAX));
    assert_int_equal(read(OTHERS_SOCKET, &byte, 1), 1); // the owner has destroyed it
    assert_ok(zeEventQueryStatus(events[BY_OTHER]));
    assert_ok(zeCommandListDestroy(list));
    for (uint32_t i = 0; i < EVENTS; i++)
        assert_ok(zeEventDestroy(events[i]));
    assert_ok(zeEventPoolCloseIpcHandle(pool));
}

static void test_between_processes(void **state)
{
    (void)state;
    int sockets[2], status = -1;
    char byte;
    ze_event_handle_t events[EVENTS];
    const unsigned before = count_descriptors();
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
    ze_event_pool_handle_t pool = create_pool(EVENTS, SHARED);
    const ze_ipc_event_pool_handle_t handle = handle_of(pool);
    for (uint32_t i = 0; i < EVENTS; i++)
        events[i] = create_event(pool, i);
    assert_ok(zeEventHostSignal(events[BEFORE]));
    const pid_t pid = start_other(program, "serve", sockets[1]);
    close(sockets[1]);
    assert_int_equal(write(sockets[0], &handle, sizeof handle), sizeof handle);
    assert_int_equal(read(sockets[0], &byte, 1), 1);
    assert_result(zeEventQueryStatus(events[BY_OTHER]), ZE_RESULT_NOT_READY);
    assert_ok(zeEventHostSignal(events[BY_OWNER]));
    assert_ok(zeEventHostSynchronize(events[BY_OTHER], UINT64_MAX));
    for (uint32_t i = 0; i < EVENTS; i++)
        assert_ok(zeEventDestroy(events[i]));
    assert_ok(zeEventPoolDestroy(pool));
    assert_int_equal(write(sockets[0], "", 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close(sockets[0]);
    assert_int_equal(count_descriptors(), before);
}

static void signal_event(void *event)
{
    assert_ok(zeEventHostSignal(event));
}

// Each event has one state, whoever looks at it; times are shared as well.
static void test_within_one_process(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    ze_kernel_timestamp_result_t mine, others;
    char *bytes = alloc_shared(2);
    ze_event_pool_handle_t pool = create_pool(COUNT, SHARED | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    ze_event_pool_handle_t other = open_pool(handle_of(pool));
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    for (uint32_t i = 0; i < COUNT; i += 1999) {
        ze_event_handle_t here = create_event(pool, i), there = create_event(other, i);
        assert_ok(zeCommandListAppendMemoryCopy(list, bytes, bytes + 1, 1, here, 0, NULL));
        assert_ok(zeEventQueryKernelTimestamp(here, &mine));
        assert_ok(zeEventQueryKernelTimestamp(there, &others));
        assert_memory_equal(&mine, &others, sizeof mine);
        assert_ok(zeEventHostReset(there));
        assert_result(zeEventQueryStatus(here), ZE_RESULT_NOT_READY);
        const unsigned long thread = start_later(5 * ONE_MILLISECOND, signal_event, there);
        assert_ok(zeEventHostSynchronize(here, UINT64_MAX));
        join_later(thread);
        assert_ok(zeEventDestroy(there));
        assert_ok(zeEventDestroy(here));
    }
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventPoolCloseIpcHandle(other));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(bytes);
}

static void test_refusals(void **state)
{
    (void)state;
    ze_ipc_event_pool_handle_t handle;
    ze_ipc_mem_handle_t of_memory;
    ze_event_pool_handle_t plain = create_pool(1, 0), shared = create_pool(1, SHARED), other = NULL;
    const ze_result_t expected = ZE_RESULT_ERROR_INVALID_ARGUMENT;
    void *memory = alloc_device(4096);
    assert_result(zeEventPoolGetIpcHandle(plain, &handle), expected);
    assert_result(zeEventPoolCloseIpcHandle(shared), expected); // it is not another's
    assert_ok(zeMemGetIpcHandle(fx.context, memory, &of_memory));
    memcpy(handle.data, of_memory.data, sizeof handle.data);
    assert_result(zeEventPoolOpenIpcHandle(fx.context, handle, &other), expected);
    memset(&handle, 0, sizeof handle);
    assert_result(zeEventPoolOpenIpcHandle(fx.context, handle, &other), expected);
    handle = handle_of(shared);
    assert_ok(zeEventPoolDestroy(shared));
    assert_result(zeEventPoolOpenIpcHandle(fx.context, handle, &other), expected);
    assert_null(other);
    assert_ok(zeEventPoolDestroy(plain));
    free_memory(memory);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_between_processes),
        cmocka_unit_test(test_within_one_process),
        cmocka_unit_test(test_refusals),
    };
    const struct CMUnitTest serve[] = {cmocka_unit_test(test_serve)};
    program = argv[0];
    if (argc == 2 && !strcmp(argv[1], "serve"))
        return cmocka_run_group_tests(serve, set_up, tear_down);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
