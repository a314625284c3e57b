// SPDX-License-Identifier: MIT
//
// Device memory shared between two processes. The program starts itself again as the other one, which finds its end of a socket
// in MEZ_TEST_SOCKET.

#include <dirent.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"

enum { COUNT = 3000, BYTES = COUNT * sizeof(int32_t), FACTOR_OF_OWNER = 3, FACTOR_OF_OTHER = 5 };

static unsigned count_descriptors(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void write_multiples(mez_queue *queue, int32_t *to, int32_t factor)
{
    int32_t values[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        values[i] = i * factor;
    mez_test_ok(mez_copy(queue, to, values, BYTES, NULL));
    mez_test_ok(mez_queue_wait(queue));
}

static void check_multiples(mez_queue *queue, const int32_t *from, int32_t factor)
{
    int32_t values[COUNT];
    mez_test_ok(mez_copy(queue, values, from, BYTES, NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int32_t i = 0; i < COUNT; i++)
        assert_int_equal(values[i], i * factor);
}

static int32_t *allocate(size_t size)
{
    mez_error error;
    const mez_memory_params params = {
        .dedicated = true, .debug_name = "shared with another process"};
    void *memory = mez_alloc(mez_test_context(), &params, size, &error);
    mez_test_ok(error);
    return memory;
}

// --- The other process

static int own_end(void)
{
    return atoi(getenv("MEZ_TEST_SOCKET"));
}

static mez_ipc_handle read_handle(void)
{
    mez_ipc_handle handle;
    assert_int_equal(read(own_end(), &handle, sizeof handle), sizeof handle);
    return handle;
}

static void use_and_close(int32_t *memory)
{
    mez_context *context = mez_test_context();
    mez_queue *queue;
    mez_memory_info info;
    mez_test_ok(mez_queue_create(context, NULL, &queue));
    mez_test_ok(mez_memory_get_info(context, memory + 7, &info));
    assert_int_equal(info.origin, MEZ_POINTER_ALLOCATION);
    assert_int_equal(info.size, BYTES);
    check_multiples(queue, memory, FACTOR_OF_OWNER);
    write_multiples(queue, memory, FACTOR_OF_OTHER);
    mez_test_fails(mez_free(context, memory), MEZ_ERRC_INVALID_PARAMETER);
    mez_ipc_handle handle;
    mez_test_fails(mez_ipc_get_handle(context, memory, &handle), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_ok(mez_ipc_close(context, memory));
    mez_test_fails(mez_ipc_close(context, memory), MEZ_ERRC_INVALID_PARAMETER);
    mez_queue_destroy(&queue);
}

static void receive_memory(void)
{
    void *memory;
    const unsigned before = count_descriptors();
    mez_test_ok(mez_ipc_receive(mez_test_context(), NULL, own_end(), &memory));
    use_and_close(memory);
    assert_int_equal(count_descriptors(), before);
}

static void open_memory(void)
{
    const mez_ipc_handle handle = read_handle();
    void *memory, *again;
    const unsigned before = count_descriptors();
    mez_test_ok(mez_ipc_open(mez_test_context(), NULL, &handle, &memory));
    mez_test_fails(mez_ipc_open(mez_test_context(), NULL, &handle, &again), MEZ_ERRC_WRONG_STATE);
    assert_null(again);
    use_and_close(memory);
    assert_int_equal(count_descriptors(), before);
    mez_test_ok(mez_ipc_open(mez_test_context(), NULL, &handle, &memory)); // left to the context
}

static void open_freed(void)
{
    const mez_ipc_handle handle = read_handle();
    void *memory;
    const unsigned before = count_descriptors();
    mez_test_fails(
        mez_ipc_open(mez_test_context(), NULL, &handle, &memory), MEZ_ERRC_INVALID_PARAMETER);
    assert_int_equal(count_descriptors(), before);
}

// --- This process

typedef struct link_ends {
    int own, other;
} link_ends;

static link_ends make_link(void)
{
    int ends[2];
    char number[16];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    snprintf(number, sizeof number, "%d", ends[1]);
    setenv("MEZ_TEST_SOCKET", number, 1);
    return (link_ends){ends[0], ends[1]};
}

static void close_link(link_ends ends)
{
    close(ends.own);
    close(ends.other);
}

static void run_child(const char *name)
{
    mez_test_death death;
    mez_test_run_child(name, &death);
    if (death.signal != 0 || death.exit_code != 0)
        fail_msg("%s ended with signal %d, code %d:\n%s", name, death.signal, death.exit_code,
            death.output);
}

static void over_a_socket(void **state)
{
    mez_queue *queue = *state;
    mez_test_needs("ipc");
    int32_t *memory = allocate(BYTES);
    const link_ends ends = make_link();
    write_multiples(queue, memory, FACTOR_OF_OWNER);
    mez_test_ok(mez_ipc_send(mez_test_context(), memory, ends.own));
    run_child("receive_memory");
    check_multiples(queue, memory, FACTOR_OF_OTHER);
    close_link(ends);
    mez_test_free(memory);
}

static void as_bytes(void **state)
{
    mez_queue *queue = *state;
    mez_test_needs("ipc");
    int32_t *memory = allocate(BYTES);
    const link_ends ends = make_link();
    mez_ipc_handle handle;
    write_multiples(queue, memory, FACTOR_OF_OWNER);
    mez_test_ok(mez_ipc_get_handle(mez_test_context(), memory, &handle));
    assert_int_equal(write(ends.own, &handle, sizeof handle), sizeof handle);
    run_child("open_memory");
    check_multiples(queue, memory, FACTOR_OF_OTHER);
    close_link(ends);
    mez_test_free(memory);
}

static void after_the_free(void **state)
{
    (void)state;
    mez_test_needs("ipc");
    int32_t *memory = allocate(BYTES);
    const link_ends ends = make_link();
    mez_ipc_handle handle;
    mez_test_ok(mez_ipc_get_handle(mez_test_context(), memory, &handle));
    mez_test_free(memory);
    assert_int_equal(write(ends.own, &handle, sizeof handle), sizeof handle);
    run_child("open_freed");
    close_link(ends);
}

static void no_descriptor_is_left(void **state)
{
    (void)state;
    mez_test_needs("ipc");
    const link_ends ends = make_link();
    const unsigned before = count_descriptors();
    for (int i = 0; i < 20; i++) {
        mez_ipc_handle handle, again;
        int32_t *memory = allocate(BYTES);
        mez_test_ok(mez_ipc_get_handle(mez_test_context(), memory, &handle));
        mez_test_ok(mez_ipc_get_handle(mez_test_context(), memory, &again));
        assert_memory_equal(&handle, &again, sizeof handle);
        assert_int_equal(count_descriptors(), before + 1);
        mez_test_free(memory);
        assert_int_equal(count_descriptors(), before);
    }
    close_link(ends);
}

static void check_not_shared(const void *pointer)
{
    mez_ipc_handle handle;
    mez_test_fails(
        mez_ipc_get_handle(mez_test_context(), pointer, &handle), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_fails(mez_ipc_send(mez_test_context(), pointer, -1), MEZ_ERRC_INVALID_PARAMETER);
}

static void what_cannot_be_shared(void **state)
{
    (void)state;
    int32_t *memory = allocate(BYTES), on_stack = 0;
    int32_t *pooled = mez_test_alloc(MEZ_MEMORY_DEVICE, 100);
    int32_t *of_host = mez_test_alloc(MEZ_MEMORY_HOST, 1 << 20);
    int32_t *shared = mez_test_alloc(MEZ_MEMORY_SHARED, 1 << 20);
    check_not_shared(memory + 1);
    check_not_shared(&on_stack);
    check_not_shared(pooled);
    check_not_shared(of_host);
    check_not_shared(shared);
    check_not_shared(NULL);
    mez_test_fails(mez_ipc_close(mez_test_context(), memory), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_free(shared);
    mez_test_free(of_host);
    mez_test_free(pooled);
    mez_test_free(memory);
}

static void what_cannot_be_opened(void **state)
{
    (void)state;
    mez_context *context = mez_test_context();
    int32_t *memory = allocate(BYTES);
    mez_ipc_handle handle, nonsense = {{42}};
    void *opened = memory;
    mez_test_fails(mez_ipc_open(context, NULL, &nonsense, &opened), MEZ_ERRC_INVALID_PARAMETER);
    assert_null(opened);
    mez_test_ok(mez_ipc_get_handle(context, memory, &handle));
    mez_test_fails(mez_ipc_open(context, NULL, &handle, &opened), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_fails(mez_ipc_open(context, NULL, NULL, &opened), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_free(memory);
}

static void sockets_that_fail(void **state)
{
    (void)state;
    mez_context *context = mez_test_context();
    int32_t *memory = allocate(BYTES);
    void *opened;
    const unsigned before = count_descriptors();
    link_ends ends = make_link();
    mez_test_ok(mez_ipc_send(context, memory, ends.own));
    mez_test_fails(mez_ipc_receive(context, NULL, ends.other, &opened), MEZ_ERRC_INVALID_PARAMETER);
    assert_int_equal(write(ends.own, "short", 5), 5);
    close(ends.own);
    mez_test_fails(mez_ipc_receive(context, NULL, ends.other, &opened), MEZ_ERRC_FILE);
    mez_test_fails(mez_ipc_receive(context, NULL, ends.other, &opened), MEZ_ERRC_FILE);
    mez_test_fails(mez_ipc_send(context, memory, ends.other), MEZ_ERRC_FILE);
    close(ends.other);
    mez_test_fails(mez_ipc_receive(context, NULL, -1, &opened), MEZ_ERRC_FILE);
    mez_test_free(memory);
    assert_int_equal(count_descriptors(), before);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(over_a_socket),
        MEZ_DEVICE_TEST(as_bytes),
        MEZ_DEVICE_TEST(after_the_free),
        MEZ_DEVICE_TEST(no_descriptor_is_left),
        MEZ_DEVICE_TEST(what_cannot_be_shared),
        MEZ_DEVICE_TEST(what_cannot_be_opened),
        MEZ_DEVICE_TEST(sockets_that_fail),
    };
    static const mez_test_child children[] = {
        {"receive_memory", receive_memory},
        {"open_memory", open_memory},
        {"open_freed", open_freed},
        {NULL, NULL},
    };
    return MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
}
