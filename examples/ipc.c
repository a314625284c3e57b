// SPDX-License-Identifier: MIT
//
// Two processes share device memory: this one lets a kernel write to it and sends it over a socket, the other one, which is the
// same program started again, receives it and reads.
//
// What is sent is a file descriptor. Level Zero's own handle holds the descriptor's number, which means nothing in another
// process: to write the bytes into a pipe works with drivers that fetch the descriptor by themselves, not with Intel's. A Unix
// socket can pass the descriptor, with every driver and without any permission; mez_ipc_send and mez_ipc_receive do that.
//
//     ipc [ipc.spv]

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mezzanine/mezzanine.h>

enum { COUNT = 1000, BYTES = COUNT * sizeof(int) };

// --- The writer

static mez_error write_squares(
    mez_context *context, mez_queue *queue, const char *path, int *memory)
{
    mez_kernel *square = NULL;
    mez_error err = mez_kernel_load(context, path, "square", &square);
    if (!mez_failed(err))
        err = mez_submit(queue, square, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(memory)), NULL);
    // The other process knows nothing of our queue: it may only learn of what has finished.
    if (!mez_failed(err))
        err = mez_queue_wait(queue);
    mez_kernel_destroy(&square);
    return err;
}

static mez_error writer(mez_context *context, mez_queue *queue, const char *path, int socket)
{
    mez_error err;
    // Dedicated: memory from a pool has neighbours, which are nobody else's business.
    const mez_memory_params params = {.dedicated = true, .debug_name = "squares"};
    int *memory = mez_alloc(context, &params, BYTES, &err);
    if (!mez_failed(err))
        err = write_squares(context, queue, path, memory);
    if (!mez_failed(err))
        err = mez_ipc_send(context, memory, socket);
    // The memory stays until the other process has closed it, whenever we free it.
    mez_free(context, memory);
    return err;
}

// --- The reader

static mez_error reader(mez_context *context, mez_queue *queue, int socket)
{
    static int squares[COUNT];
    void *memory = NULL;
    mez_error err = mez_ipc_receive(context, NULL, socket, &memory);
    if (!mez_failed(err))
        err = mez_copy(queue, squares, memory, BYTES, NULL);
    if (!mez_failed(err))
        err = mez_queue_wait(queue);
    if (!mez_failed(err))
        printf("ipc: the other process wrote %d, %d, ..., %d\n", squares[1], squares[2],
            squares[COUNT - 1]);
    mez_ipc_close(context, memory);
    return err;
}

// --- Both

// `path`: of the kernel; NULL: be the reader.
static int run(const char *path, int socket)
{
    mez_context *context = NULL;
    mez_queue *queue = NULL;
    mez_error err = mez_context_create(NULL, &context);
    if (!mez_failed(err))
        err = mez_queue_create(context, NULL, &queue);
    if (!mez_failed(err))
        err = path ? writer(context, queue, path, socket) : reader(context, queue, socket);
    mez_error_print(stderr, err);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    return mez_failed(err) ? EXIT_FAILURE : EXIT_SUCCESS;
}

// A driver does not survive fork, so the reader is started before Level Zero is opened, and is a program of its own.
static pid_t start_reader(const char *program, int socket)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    dup2(socket, STDIN_FILENO);
    execl("/proc/self/exe", program, "--read", (char *)NULL);
    _exit(127);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--read") == 0)
        return run(NULL, STDIN_FILENO);
    int ends[2], status;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return EXIT_FAILURE;
    const pid_t child = start_reader(argv[0], ends[1]);
    close(ends[1]);
    const int code = run(argc > 1 ? argv[1] : "ipc.spv", ends[0]);
    close(ends[0]); // where nothing was sent, the reader sees the end
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        return EXIT_FAILURE;
    return code;
}
