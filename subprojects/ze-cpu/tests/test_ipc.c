// SPDX-License-Identifier: MIT
//
// Device memory shared between two processes. The program starts itself again as the other process,
// with "fetch" (it takes the descriptor from /proc) or "received" (it gets it over a socket, as MPI
// libraries do), and hands it the handle over that socket.
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 10000 // not a whole number of pages

static char *program;

static void copy(void *to, const void *from, size_t size)
{
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendMemoryCopy(list, to, from, size, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

static void fill_with_numbers(unsigned char *bytes, int factor)
{
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i * factor);
}

// Handle and descriptor in one message.
struct message {
    struct msghdr header;
    struct iovec part;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
};

static void init_message(struct message *message, ze_ipc_mem_handle_t *handle)
{
    *message = (struct message){.part = {handle, sizeof *handle}};
    message->header = (struct msghdr){.msg_iov = &message->part,
        .msg_iovlen = 1,
        .msg_control = message->control,
        .msg_controllen = sizeof message->control};
}

static void send_handle(int socket, ze_ipc_mem_handle_t *handle)
{
    struct message message;
    init_message(&message, handle);
    struct cmsghdr *control = CMSG_FIRSTHDR(&message.header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(control), handle->data, sizeof(int));
    assert_int_equal(sendmsg(socket, &message.header, 0), sizeof *handle);
}

// Returns the descriptor.
static int receive_handle(int socket, ze_ipc_mem_handle_t *handle)
{
    struct message message;
    int fd = -1;
    init_message(&message, handle);
    assert_int_equal(recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC), sizeof *handle);
    assert_non_null(CMSG_FIRSTHDR(&message.header));
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message.header)), sizeof fd);
    return fd;
}

// The other process: changes what it finds, then says so.
static void serve(bool use_received)
{
    ze_ipc_mem_handle_t handle;
    unsigned char bytes[SIZE], wanted[SIZE];
    void *memory = NULL;
    int fd = receive_handle(OTHERS_SOCKET, &handle);
    if (use_received)
        memcpy(handle.data, &fd, sizeof fd);
    else
        close(fd);
    const unsigned before = count_descriptors();
    assert_ok(zeMemOpenIpcHandle(fx.context, fx.device, handle, 0, &memory));
    assert_int_equal(count_descriptors(), before);
    fill_with_numbers(wanted, 3);
    copy(bytes, memory, SIZE);
    assert_memory_equal(bytes, wanted, SIZE);
    fill_with_numbers(bytes, 5);
    copy(memory, bytes, SIZE);
    assert_int_equal(write(OTHERS_SOCKET, "", 1), 1);
    assert_int_equal(read(OTHERS_SOCKET, bytes, 1), 1); // the owner has freed it
    copy(bytes, memory, SIZE);
    fill_with_numbers(wanted, 5);
    assert_memory_equal(bytes, wanted, SIZE);
    assert_ok(zeMemCloseIpcHandle(fx.context, memory));
    assert_result(zeMemCloseIpcHandle(fx.context, memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

static void test_serve_fetch(void **state)
{
    (void)state;
    serve(false);
}

static void test_serve_received(void **state)
{
    (void)state;
    serve(true);
}

static void share(char *mode)
{
    int sockets[2], status = -1;
    ze_ipc_mem_handle_t handle;
    unsigned char bytes[SIZE], wanted[SIZE];
    const unsigned before = count_descriptors();
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
    void *memory = alloc_device(SIZE);
    fill_with_numbers(bytes, 3);
    copy(memory, bytes, SIZE);
    assert_ok(zeMemGetIpcHandle(fx.context, memory, &handle));
    const pid_t pid = start_other(program, mode, sockets[1]);
    close(sockets[1]);
    send_handle(sockets[0], &handle);
    assert_int_equal(read(sockets[0], bytes, 1), 1);
    copy(bytes, memory, SIZE);
    fill_with_numbers(wanted, 5);
    assert_memory_equal(bytes, wanted, SIZE);
    free_memory(memory);
    assert_int_equal(write(sockets[0], "", 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close(sockets[0]);
    assert_int_equal(count_descriptors(), before);
}

static void test_descriptor_is_fetched(void **state)
{
    (void)state;
    share("fetch");
}

static void test_descriptor_is_sent(void **state)
{
    (void)state;
    share("received");
}

static void test_within_one_process(void **state)
{
    (void)state;
    ze_ipc_mem_handle_t handle, again;
    ze_device_handle_t device = NULL;
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    const unsigned before = count_descriptors();
    const char text[] = "seen twice";
    char back[sizeof text];
    void *memory = alloc_device(sizeof text), *view = NULL;
    copy(memory, text, sizeof text);
    assert_ok(zeMemGetIpcHandle(fx.context, memory, &handle));
    assert_ok(zeMemGetIpcHandle(fx.context, memory, &again));
    assert_memory_equal(&handle, &again, sizeof handle);
    assert_ok(zeMemOpenIpcHandle(fx.context, fx.device, handle, 0, &view));
    assert_ptr_not_equal(view, memory);
    copy(back, view, sizeof text);
    assert_memory_equal(back, text, sizeof text);
    assert_ok(zeMemGetAllocProperties(fx.context, view, &properties, &device));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_DEVICE);
    assert_ptr_equal(device, fx.device);
    assert_result(zeMemFree(fx.context, view), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeMemGetIpcHandle(fx.context, view, &again), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeMemCloseIpcHandle(fx.context, view));
    free_memory(memory);
    assert_int_equal(count_descriptors(), before);
}

static void test_refusals(void **state)
{
    (void)state;
    ze_ipc_mem_handle_t handle;
    void *shared = alloc_shared(64), *memory = alloc_device(64), *view = NULL;
    assert_result(zeMemGetIpcHandle(fx.context, shared, &handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(
        zeMemGetIpcHandle(fx.context, &handle, &handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeMemCloseIpcHandle(fx.context, memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeMemGetIpcHandle(fx.context, memory, &handle));
    free_memory(memory);
    assert_result(zeMemOpenIpcHandle(fx.context, fx.device, handle, 0, &view),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    memset(&handle, 0, sizeof handle);
    assert_result(zeMemOpenIpcHandle(fx.context, fx.device, handle, 0, &view),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    free_memory(shared);
}

// A context that goes with an exported allocation leaves no descriptor.
static void test_forgotten_allocation(void **state)
{
    (void)state;
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_context_handle_t context = NULL;
    ze_ipc_mem_handle_t handle;
    static void *memory; // still to be found, for leak checkers
    const unsigned before = count_descriptors();
    assert_ok(zeContextCreate(fx.driver, &desc, &context));
    assert_ok(zeMemAllocDevice(context, &device, 64, 0, fx.device, &memory));
    assert_ok(zeMemGetIpcHandle(context, memory, &handle));
    assert_ok(zeContextDestroy(context));
    assert_int_equal(count_descriptors(), before);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptor_is_fetched),
        cmocka_unit_test(test_descriptor_is_sent),
        cmocka_unit_test(test_within_one_process),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_forgotten_allocation),
    };
    const struct CMUnitTest fetch[] = {cmocka_unit_test(test_serve_fetch)};
    const struct CMUnitTest received[] = {cmocka_unit_test(test_serve_received)};
    program = argv[0];
    if (argc == 2 && !strcmp(argv[1], "fetch"))
        return cmocka_run_group_tests(fetch, set_up, tear_down);
    if (argc == 2 && !strcmp(argv[1], "received"))
        return cmocka_run_group_tests(received, set_up, tear_down);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
