// SPDX-License-Identifier: MIT
//
// Memory of other processes that can't be shared or opened. Handles here come without descriptors, so that no other process is
// needed, but where a test is about them.

#include "runtime.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "memory/ipc.h"

typedef struct shares {
    mez_context *context;
    void *memory;
    mez_ipc_message message; // as if another process had made it of `memory`
    int ends[2];             // of a socket
} shares;

static mez_ipc_message message_of(const shares *s)
{
    mez_ipc_handle handle;
    mez_ipc_message message;
    assert_ok(mez_ipc_get_handle(s->context, s->memory, &handle));
    memcpy(&message, &handle, sizeof message);
    message.process = getppid();
    mez_ipc_seal(&message);
    return message;
}

static int open_shares(void **state, bool descriptors)
{
    static shares s;
    struct noop_config config = noop_config_default();
    config.ipc_without_descriptor = !descriptors;
    noop_reset();
    noop_configure(&config);
    assert_ok(mez_context_create(NULL, &s.context));
    s.memory = mez_alloc(s.context, &(mez_memory_params){.dedicated = true}, 100000, NULL);
    assert_non_null(s.memory);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s.ends), 0);
    *state = &s;
    return 0;
}

static int open_plain(void **state)
{
    return open_shares(state, false);
}

static int open_with_descriptors(void **state)
{
    return open_shares(state, true);
}

static int close_shares(void **state)
{
    shares *s = *state;
    close(s->ends[0]);
    close(s->ends[1]);
    assert_ok(mez_free(s->context, s->memory));
    mez_context_destroy(&s->context);
    return driver_teardown(state);
}

static mez_error open_message(shares *s, const mez_ipc_message *message)
{
    mez_ipc_handle handle = {{0}};
    void *memory = s;
    memcpy(&handle, message, sizeof *message);
    const mez_error error = mez_ipc_open(s->context, NULL, &handle, &memory);
    assert_null(memory);
    return error;
}

// What the other process sent.
static mez_error receive(shares *s, const mez_ipc_message *message)
{
    void *memory = s;
    assert_int_equal(write(s->ends[0], message, sizeof *message), sizeof *message);
    const mez_error error = mez_ipc_receive(s->context, NULL, s->ends[1], &memory);
    assert_null(memory);
    return error;
}

static void test_what_is_no_memory_of_the_context(void **state)
{
    shares *s = *state;
    int local = 0;
    mez_ipc_handle handle;
    const char *words = "not the start of an allocation";
    assert_story(
        mez_ipc_get_handle(s->context, &local, &handle), MEZ_ERRC_INVALID_PARAMETER, words);
    assert_story(mez_ipc_send(s->context, &local, s->ends[0]), MEZ_ERRC_INVALID_PARAMETER, words);
    assert_story(mez_ipc_close(s->context, &local), MEZ_ERRC_INVALID_PARAMETER, "not");
    assert_story(mez_ipc_close(s->context, s->memory), MEZ_ERRC_INVALID_PARAMETER, "mez_free");
}

static void test_drivers_that_cant(void **state)
{
    shares *s = *state;
    mez_ipc_handle handle;
    const char *get = "zeMemGetIpcHandle", *open = "zeMemOpenIpcHandle";
    noop_fail(get, 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_story(
        mez_ipc_get_handle(s->context, s->memory, &handle), MEZ_ERRC_FEATURE_NOT_SUPPORTED, get);
    noop_fail(get, 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_story(
        mez_ipc_send(s->context, s->memory, s->ends[0]), MEZ_ERRC_FEATURE_NOT_SUPPORTED, get);
    const mez_ipc_message message = message_of(s);
    noop_fail(open, 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_story_of(mez_ipc_open, open_message(s, &message), MEZ_ERRC_FEATURE_NOT_SUPPORTED, open);
    noop_fail(open, 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_story_of(mez_ipc_receive, receive(s, &message), MEZ_ERRC_FEATURE_NOT_SUPPORTED, open);
}

static void test_no_memory(void **state)
{
    shares *s = *state;
    mez_ipc_handle handle;
    const char *words = "a handle of shared memory";
    mez_alloc_fail_at(1);
    assert_story(
        mez_ipc_get_handle(s->context, s->memory, &handle), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    mez_alloc_fail_at(1);
    assert_story(
        mez_ipc_send(s->context, s->memory, s->ends[0]), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    mez_alloc_fail_at(0);
    const mez_ipc_message message = message_of(s);
    mez_alloc_fail_at(1);
    assert_story_of(mez_ipc_open, open_message(s, &message), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    mez_alloc_fail_at(1);
    assert_story_of(mez_ipc_receive, receive(s, &message), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    mez_alloc_fail_at(0);
}

static void test_sockets_that_are_closed(void **state)
{
    shares *s = *state;
    void *memory;
    close(s->ends[0]);
    s->ends[0] = -1;
    assert_story(mez_ipc_send(s->context, s->memory, s->ends[1]), MEZ_ERRC_FILE, "Broken pipe");
    assert_story(
        mez_ipc_receive(s->context, NULL, s->ends[1], &memory), MEZ_ERRC_FILE, "over socket");
}

// As nobody, where we are root: the first process is none of nobody's.
static mez_error open_as_a_stranger(shares *s, const mez_ipc_message *message)
{
    const bool root = getuid() == 0;
    if (root && setresuid(65534, 65534, 0) != 0)
        skip(); // a namespace that has no nobody
    const mez_error error = open_message(s, message);
    if (root)
        assert_int_equal(setresuid(0, 0, 0), 0);
    return error;
}

static void test_processes_that_may_not_be_looked_into(void **state)
{
    shares *s = *state;
    struct stat first;
    if (stat("/proc/1", &first) != 0 || (getuid() != 0 && first.st_uid == getuid()))
        skip(); // a container whose first process is ours
    mez_ipc_message message = message_of(s);
    message.process = 1;
    mez_ipc_seal(&message);
    assert_story_of(mez_ipc_open, open_as_a_stranger(s, &message), MEZ_ERRC_PLATFORM,
        "pass it over a socket with mez_ipc_send");
}

#define PLAIN_TEST(name) cmocka_unit_test_setup_teardown(name, open_plain, close_shares)
#define DESCRIPTOR_TEST(name) \
    cmocka_unit_test_setup_teardown(name, open_with_descriptors, close_shares)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLAIN_TEST(test_what_is_no_memory_of_the_context),
        PLAIN_TEST(test_drivers_that_cant),
        PLAIN_TEST(test_no_memory),
        PLAIN_TEST(test_sockets_that_are_closed),
        DESCRIPTOR_TEST(test_processes_that_may_not_be_looked_into),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
