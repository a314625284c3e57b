// SPDX-License-Identifier: MIT
//
// Memory shared between processes: descriptors, handles that are not what they should be, and every failure on the way. The
// other process is a child that only holds a descriptor; its handles are made from one of ours.

#include "memory.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory/ipc.h"
#include "walk.h"

enum { SIZE = 100000 };

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

// --- The other process

static struct {
    pid_t process;
    int fd; // its own, and by chance ours: open in both
} other;

static void wait_for_end(int link)
{
    char byte;
    while (read(link, &byte, 1) < 0 && errno == EINTR)
        ;
    _exit(0);
}

static int start_other(void **state)
{
    static int link[2];
    (void)state;
    other.fd = memfd_create("another's memory", MFD_CLOEXEC);
    if (other.fd < 0 || ftruncate(other.fd, SIZE) != 0 || pipe(link) != 0)
        return -1;
    other.process = fork();
    if (other.process == 0) {
        close(link[1]); // it ends when we do
        wait_for_end(link[0]);
    }
    close(link[0]);
    return other.process > 0 ? 0 : -1;
}

static int stop_other(void **state)
{
    (void)state;
    kill(other.process, SIGKILL);
    return waitpid(other.process, NULL, 0) == other.process ? 0 : -1;
}

static void *allocate(mez_context *context)
{
    return get(context, &(mez_memory_params){.dedicated = true}, SIZE);
}

static mez_ipc_message message_of(mez_context *context, const void *memory)
{
    mez_ipc_handle handle;
    mez_ipc_message message;
    assert_ok(mez_ipc_get_handle(context, memory, &handle));
    memcpy(&message, &handle, sizeof message);
    return message;
}

// As if the other process had made it.
static mez_ipc_message foreign_message(mez_context *context)
{
    void *memory = allocate(context);
    mez_ipc_message message = message_of(context, memory);
    put(context, memory);
    message.process = other.process;
    if (message.descriptor.known) {
        assert_true(mez_descriptor_read(other.fd, &message.descriptor));
        memcpy(message.ze.data, &other.fd, sizeof other.fd);
    }
    mez_ipc_seal(&message);
    return message;
}

static mez_error open_message(mez_context *context, const mez_ipc_message *message, void **memory)
{
    mez_ipc_handle handle = {{0}};
    memcpy(&handle, message, sizeof *message);
    return mez_ipc_open(context, NULL, &handle, memory);
}

static void send_message(int socket, const mez_ipc_message *message, const int *fds, size_t count)
{
    _Alignas(struct cmsghdr) char control[256] = {0};
    struct iovec part = {(void *)(uintptr_t)message, sizeof *message};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        header.msg_control = control;
        header.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
    }
    assert_int_equal(sendmsg(socket, &header, 0), sizeof *message);
}

// The rights may lack where processes may not be traced; there is nothing to test then.
static void need_tracing(void)
{
    mez_descriptor descriptor;
    assert_true(mez_descriptor_read(other.fd, &descriptor));
    const int fd = mez_descriptor_fetch(&descriptor, other.process);
    if (fd < 0)
        skip();
    close(fd);
}

// --- Whole ways

static void test_descriptors_end_with_the_memory(void **state)
{
    (void)state;
    for (int leaves = 0; leaves < 2; leaves++) { // to the library
        struct noop_config config = noop_config_default();
        config.ipc_leaves_descriptor = leaves;
        mez_context *context = open_context(&config);
        const unsigned before = count_descriptors();
        for (int i = 0; i < 10; i++) {
            void *memory = allocate(context);
            message_of(context, memory);
            message_of(context, memory);
            assert_int_equal(count_descriptors(), before + 1);
            put(context, memory);
            assert_int_equal(count_descriptors(), before);
        }
        assert_int_equal(noop_calls("zeMemGetIpcHandle"), 10);
        mez_context_destroy(&context);
    }
}

static void expect_opened(mez_context *context, void *memory)
{
    mez_memory_info info;
    assert_ok(mez_memory_get_info(context, memory, &info));
    assert_int_equal(info.origin, MEZ_POINTER_ALLOCATION);
    assert_int_equal(info.size, SIZE);
    assert_int_equal(statistics_of(context).device_memory.allocations, 1);
    assert_condition(mez_free(context, memory), MEZ_ERRC_INVALID_PARAMETER);
    assert_ok(mez_ipc_close(context, memory));
    assert_int_equal(statistics_of(context).device_memory.allocations, 0);
}

static void test_open_and_close(void **state)
{
    (void)state;
    need_tracing();
    mez_context *context = open_context(NULL);
    const unsigned before = count_descriptors();
    const mez_ipc_message message = foreign_message(context);
    void *memory, *again;
    assert_ok(open_message(context, &message, &memory));
    assert_int_equal(count_descriptors(), before + 1);
    assert_story_of(mez_ipc_open, open_message(context, &message, &again), MEZ_ERRC_WRONG_STATE,
        "open already");
    assert_null(again);
    expect_opened(context, memory);
    assert_int_equal(count_descriptors(), before);
    assert_ok(open_message(context, &message, &memory)); // left to the context
    mez_context_destroy(&context);
    assert_int_equal(count_descriptors(), before);
}

static void test_without_descriptors(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.ipc_without_descriptor = true;
    mez_context *context = open_context(&config);
    const unsigned before = count_descriptors();
    const mez_ipc_message message = foreign_message(context);
    assert_int_equal(message.descriptor.known, 0);
    void *memory;
    assert_ok(open_message(context, &message, &memory));
    expect_opened(context, memory);
    assert_int_equal(count_descriptors(), before);
    mez_context_destroy(&context);
}

// Who remembers that it is alive, as arguments of kernels do, must notice that it is not.
static void test_what_is_closed_is_not_alive(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    struct mez_memory *memory = mez_platform_of(context)->memory;
    const mez_ipc_message message = foreign_message(context);
    void *opened;
    mez_live_range range;
    uint64_t frees, later;
    assert_ok(open_message(context, &message, &opened));
    assert_true(mez_memory_find_live(memory, (char *)opened + SIZE, &range, &frees));
    assert_true(range.base == (uintptr_t)opened && range.addresses == SIZE + 1);
    assert_ok(mez_ipc_close(context, opened));
    assert_false(mez_memory_find_live(memory, opened, &range, &later));
    assert_true(atomic_load(&memory->free_count) != frees);
    mez_context_destroy(&context);
}

static void test_send_and_receive(void **state)
{
    (void)state;
    int ends[2];
    mez_context *context = open_context(NULL);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    const unsigned before = count_descriptors();
    const mez_ipc_message message = foreign_message(context);
    void *memory, *again;
    send_message(ends[0], &message, &other.fd, 1);
    assert_ok(mez_ipc_receive(context, NULL, ends[1], &memory));
    assert_int_equal(count_descriptors(), before + 1);
    send_message(ends[0], &message, &other.fd, 1);
    assert_story(
        mez_ipc_receive(context, NULL, ends[1], &again), MEZ_ERRC_WRONG_STATE, "open already");
    assert_null(again);
    expect_opened(context, memory);
    assert_int_equal(count_descriptors(), before);
    close(ends[0]);
    close(ends[1]);
    mez_context_destroy(&context);
}

// --- What can't be opened

static void expect_refused(mez_context *context, mez_ipc_message message, const char *why)
{
    void *memory = &message;
    const mez_error error = open_message(context, &message, &memory);
    assert_story_of(mez_ipc_open, error, MEZ_ERRC_INVALID_PARAMETER, why);
    assert_null(memory);
}

static void expect_refused_sealed(mez_context *context, mez_ipc_message message, const char *why)
{
    mez_ipc_seal(&message);
    expect_refused(context, message, why);
}

// Each byte of a handle that is used, damaged.
static void test_damaged_handles(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    const unsigned before = count_descriptors();
    const mez_ipc_message good = foreign_message(context);
    for (size_t i = 0; i < sizeof good; i++) {
        mez_ipc_message bad = good;
        ((unsigned char *)&bad)[i] ^= (unsigned char)(1 + i % 255);
        expect_refused(context, bad, i < sizeof bad.magic ? "not a handle" : "damaged");
    }
    expect_refused(context, (mez_ipc_message){0}, "not a handle");
    assert_int_equal(noop_calls("zeMemOpenIpcHandle"), 0);
    assert_int_equal(count_descriptors(), before);
    mez_context_destroy(&context);
}

// Right sums, wrong values.
static void test_impossible_handles(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    const unsigned before = count_descriptors();
    const mez_ipc_message good = foreign_message(context);
    mez_ipc_message bad = good;
    bad.size = 0;
    expect_refused_sealed(context, bad, "size");
    bad.size = UINT64_MAX;
    expect_refused_sealed(context, bad, "size");
    bad = good;
    bad.process = -1;
    expect_refused_sealed(context, bad, "process");
    bad.process = 0;
    expect_refused_sealed(context, bad, "process");
    bad.process = getpid();
    expect_refused_sealed(context, bad, "this process");
    bad = good;
    bad.descriptor.known = 2;
    expect_refused_sealed(context, bad, "descriptor");
    bad = good;
    bad.descriptor.fd++;
    expect_refused_sealed(context, bad, "descriptor");
    bad = good;
    bad.descriptor.fd = -1;
    memset(bad.ze.data, 0xff, sizeof bad.descriptor.fd);
    expect_refused_sealed(context, bad, "descriptor");
    assert_int_equal(noop_calls("zeMemOpenIpcHandle"), 0);
    assert_int_equal(count_descriptors(), before);
    mez_context_destroy(&context);
}

// More than there is: whoever believed it would take other allocations for its own.
static void test_handles_that_claim_too_much(void **state)
{
    (void)state;
    need_tracing();
    struct noop_config config = noop_config_default();
    mez_context *context = open_context(&config);
    const unsigned before = count_descriptors();
    mez_ipc_message bad = foreign_message(context);
    bad.size = SIZE + 1;
    expect_refused_sealed(context, bad, "says 100001 bytes, but there are 100000");
    config.ipc_without_descriptor = true;
    noop_configure(&config);
    bad = foreign_message(context);
    bad.size = config.memory_size + 1;
    expect_refused_sealed(context, bad, "but there are 8589934592");
    assert_int_equal(noop_calls("zeMemOpenIpcHandle"), 0);
    assert_int_equal(count_descriptors(), before);
    mez_context_destroy(&context);
}

// Its number means another file by now, or none, or its process is gone.
static void test_descriptors_that_are_gone(void **state)
{
    (void)state;
    need_tracing();
    mez_context *context = open_context(NULL);
    const unsigned before = count_descriptors();
    const mez_ipc_message good = foreign_message(context);
    mez_ipc_message bad = good;
    bad.descriptor.inode++;
    expect_refused_sealed(context, bad, "freed");
    bad = good;
    bad.descriptor.fd = 1000;
    memcpy(bad.ze.data, &bad.descriptor.fd, sizeof bad.descriptor.fd);
    expect_refused_sealed(context, bad, "freed");
    const pid_t gone = fork();
    if (gone == 0)
        _exit(0);
    assert_int_equal(waitpid(gone, NULL, 0), gone);
    bad = good;
    bad.process = gone;
    expect_refused_sealed(context, bad, "ended");
    assert_int_equal(count_descriptors(), before);
    mez_context_destroy(&context);
}

static void expect_not_received(mez_context *context, const mez_ipc_message *message,
    const int *fds, size_t count, const char *why)
{
    int ends[2];
    void *memory = ends;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    send_message(ends[0], message, fds, count);
    assert_story(mez_ipc_receive(context, NULL, ends[1], &memory), MEZ_ERRC_INVALID_PARAMETER, why);
    assert_null(memory);
    close(ends[0]);
    close(ends[1]);
}

static void test_messages_with_wrong_descriptors(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    mez_context *context = open_context(&config);
    const unsigned before = count_descriptors();
    const int wrong[] = {STDIN_FILENO, other.fd, other.fd};
    mez_ipc_message message = foreign_message(context);
    expect_not_received(context, &message, NULL, 0, "without its descriptor");
    expect_not_received(context, &message, wrong, 1, "without its descriptor");
    expect_not_received(context, &message, wrong, 2, "without its descriptor");
    expect_not_received(context, &message, wrong, 3, "without its descriptor");
    config.ipc_without_descriptor = true;
    noop_configure(&config);
    message = foreign_message(context);
    expect_not_received(context, &message, &other.fd, 1, "no use for");
    message.size++;
    expect_not_received(context, &message, &other.fd, 1, "damaged");
    assert_int_equal(count_descriptors(), before);
    mez_context_destroy(&context);
}

// --- Every failure on the way

static void share(mez_context *context, const int ends[2])
{
    mez_error error;
    mez_ipc_handle handle;
    char drained[1024];
    void *memory = mez_alloc(context, &(mez_memory_params){.dedicated = true}, SIZE, &error);
    if (!walk_went_well(error))
        return;
    walk_went_well(mez_ipc_get_handle(context, memory, &handle));
    if (walk_went_well(mez_ipc_send(context, memory, ends[0])))
        assert_true(read(ends[1], drained, sizeof drained) > 0); // and the descriptor is gone
    walk_went_well(mez_free(context, memory));
}

// Twice, so that what the first left over is met by the second.
static void take_over(mez_context *context, const mez_ipc_message *message, const int ends[2])
{
    for (int i = 0; i < 2; i++) {
        void *memory;
        if (walk_went_well(open_message(context, message, &memory)))
            walk_went_well(mez_ipc_close(context, memory));
        send_message(ends[0], message, &other.fd, 1);
        if (walk_went_well(mez_ipc_receive(context, NULL, ends[1], &memory)))
            walk_went_well(mez_ipc_close(context, memory));
    }
}

static struct {
    mez_ipc_message message;
    int ends[2];
    unsigned descriptors;
} scene;

static void play(void)
{
    mez_context *context;
    if (!walk_went_well(mez_context_create(NULL, &context)))
        return;
    share(context, scene.ends);
    take_over(context, &scene.message, scene.ends);
    mez_context_destroy(&context);
}

static void check(void)
{
    assert_int_equal(count_descriptors(), scene.descriptors);
}

static const walk the_walk = {.play = play, .check = check};

static int set_scene(void **state)
{
    mez_context *context = open_context(NULL);
    scene.message = foreign_message(context);
    mez_context_destroy(&context);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, scene.ends) != 0)
        return -1;
    scene.descriptors = count_descriptors();
    return driver_setup(state);
}

static int clear_scene(void **state)
{
    close(scene.ends[0]);
    close(scene.ends[1]);
    return driver_teardown(state);
}

static void test_every_driver_call(void **state)
{
    (void)state;
    need_tracing();
    walk_clean(&the_walk);
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 20);
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_DEVICE_LOST) > 20);
}

static void test_every_allocation_of_ours(void **state)
{
    (void)state;
    need_tracing();
    assert_true(walk_allocations(&the_walk) > 10);
}

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, set_scene, clear_scene)

int main(void)
{
    const struct CMUnitTest tests[] = {
        MEMORY_TEST(test_descriptors_end_with_the_memory),
        MEMORY_TEST(test_open_and_close),
        MEMORY_TEST(test_without_descriptors),
        MEMORY_TEST(test_what_is_closed_is_not_alive),
        MEMORY_TEST(test_send_and_receive),
        MEMORY_TEST(test_damaged_handles),
        MEMORY_TEST(test_impossible_handles),
        MEMORY_TEST(test_handles_that_claim_too_much),
        MEMORY_TEST(test_descriptors_that_are_gone),
        MEMORY_TEST(test_messages_with_wrong_descriptors),
        SCENE_TEST(test_every_driver_call),
        SCENE_TEST(test_every_allocation_of_ours),
    };
    return cmocka_run_group_tests(tests, start_other, stop_other);
}
