// SPDX-License-Identifier: MIT
//
// A walk over the error paths of memory: of every kind, of a sub-device, asked about, and shared with another process, by handles
// and over a socket. The other process is none: its handles are made from one of ours.

#include "walk.h"

#include <sys/socket.h>
#include <unistd.h>

#include "memory/ipc.h"

enum { SMALL = 100, LARGE = 100000 };

static int ends[2]; // of the socket

static void prepare(void)
{
    struct noop_config config = noop_config_default();
    config.ipc_without_descriptor = true; // which would be another process's
    config.sub_devices = 2;
    noop_configure(&config);
}

static void *dedicated(mez_context *context)
{
    mez_error error;
    void *memory = mez_alloc(context,
        &(mez_memory_params){.dedicated = true, .debug_name = "shared with others"}, LARGE, &error);
    walk_went_well(error);
    return memory;
}

// As if another process had made it.
static bool make_foreign(mez_context *context, const void *memory, mez_ipc_handle *handle)
{
    mez_ipc_message message;
    if (!walk_went_well(mez_ipc_get_handle(context, memory, handle)))
        return false;
    memcpy(&message, handle, sizeof message);
    message.process = getppid();
    mez_ipc_seal(&message);
    memcpy(handle, &message, sizeof message);
    return true;
}

static void take_over(mez_context *context, const mez_ipc_handle *handle)
{
    void *memory;
    if (walk_went_well(mez_ipc_open(context, NULL, handle, &memory)))
        walk_went_well(mez_ipc_close(context, memory));
    assert_int_equal(write(ends[0], handle, sizeof(mez_ipc_message)), sizeof(mez_ipc_message));
    if (walk_went_well(mez_ipc_receive(context, NULL, ends[1], &memory)))
        walk_went_well(mez_ipc_close(context, memory));
}

static void share(mez_context *context)
{
    char drained[1024];
    mez_ipc_handle handle;
    void *memory = dedicated(context);
    if (!memory)
        return;
    if (walk_went_well(mez_ipc_send(context, memory, ends[0])))
        assert_true(read(ends[1], drained, sizeof drained) > 0);
    if (make_foreign(context, memory, &handle))
        take_over(context, &handle);
    walk_went_well(mez_free(context, memory));
}

static void keep(mez_context *context, void *memory, mez_error error)
{
    mez_memory_info info;
    if (!walk_went_well(error))
        return;
    walk_went_well(mez_memory_get_info(context, memory, &info));
    walk_went_well(mez_free(context, memory));
}

static void allocate(mez_context *context, size_t size)
{
    mez_error error;
    void *memory = mez_alloc_device(context, size, &error);
    keep(context, memory, error);
    memory = mez_alloc_host(context, size, &error);
    keep(context, memory, error);
    memory = mez_alloc_shared(context, size, &error);
    keep(context, memory, error);
    const mez_memory_params params = {
        .kind = MEZ_MEMORY_SHARED, .device = mez_context_get_device(context, 0), .alignment = 256};
    memory = mez_alloc(context, &params, size, &error);
    keep(context, memory, error);
}

static void play(void)
{
    mez_context *context;
    if (!walk_went_well(mez_context_create(NULL, &context)))
        return;
    allocate(context, SMALL);
    allocate(context, LARGE);
    share(context);
    mez_memory_state state;
    walk_went_well(mez_device_get_memory_state(mez_context_get_device(context, 0), &state));
    mez_context_destroy(&context);
}

static ze_result_t code; // that a call fails with

// Where a device has no room, what pools can spare is given back, and the driver asked again.
static bool is_asked_again(const char *call)
{
    return code == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY && strncmp(call, "zeMemAlloc", 10) == 0;
}

static const walk the_walk = {.prepare = prepare, .play = play, .is_excused = is_asked_again};

static void test_every_call(void **state)
{
    (void)state;
    static const ze_result_t codes[] = {
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, ZE_RESULT_ERROR_DEVICE_LOST};
    walk_clean(&the_walk);
    for (size_t i = 0; i < 2; i++) {
        code = codes[i];
        assert_true(walk_calls(&the_walk, code) > 30);
    }
}

static void test_every_allocation(void **state)
{
    (void)state;
    assert_true(walk_allocations(&the_walk) > 30);
}

static int open_socket(void **state)
{
    (void)state;
    return socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
}

static int close_socket(void **state)
{
    (void)state;
    return close(ends[0]) | close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, open_socket, close_socket);
}
