// SPDX-License-Identifier: MIT

#include "attach.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "settings.h"
#include "spawn_writer.h"
#include "thread.h"

static struct trace_memory memory; // written once, under `once`
static _Atomic bool attached;
static pid_t writer;  // of this process; 0: somebody else writes
static pid_t starter; // the process that started it

static void complain(const char *what, const char *name)
{
    fprintf(stderr, "mez-trace: nothing is traced: %s%s: %s\n", what, name, strerror(errno));
}

static bool join(const char *path)
{
    const int file = open(path, O_RDWR | O_CLOEXEC);
    const bool good = file >= 0 && trace_memory_map(&memory, file);
    if (!good)
        complain("MEZ_TRACE_MEMORY=", path);
    if (file >= 0)
        close(file);
    return good;
}

// A file of memory for the settings that hold; -1: there is none, which has been reported.
static int make_memory(const char *output)
{
    struct trace_settings settings;
    char problem[TRACE_SETTINGS_PROBLEM];
    if (!trace_settings_read(&settings, NULL, problem)) {
        fprintf(stderr, "mez-trace: nothing is traced: %s\n", problem);
        return -1;
    }
    const int file = trace_memory_create(&memory, settings.ring_words);
    if (file < 0)
        complain("no memory to share with the writer of ", output);
    else
        atomic_store_explicit(&memory.head->detail, settings.detail, memory_order_relaxed);
    return file;
}

// The writer is the process's own: its children, which inherit the name, start theirs.
static bool start(const char *output)
{
    const int file = make_memory(output);
    if (file < 0)
        return false;
    writer = trace_spawn_writer(output, file);
    if (writer <= 0) {
        if (errno == ECHILD) // it has reported why
            fprintf(stderr, "mez-trace: nothing is traced: mez-trace-writer gives up %s\n", output);
        else
            complain("mez-trace-writer can't be started for ", output);
        trace_memory_finish(&memory);
    }
    close(file);
    starter = getpid();
    return writer > 0;
}

static void find(void)
{
    const char *path = secure_getenv("MEZ_TRACE_MEMORY");
    const char *output = secure_getenv("MEZ_TRACE");
    bool found = false;
    if (path && *path)
        found = join(path);
    else if (output && *output)
        found = start(output);
    else
        fputs("mez-trace: nothing is traced: set MEZ_TRACE=FILE, or use `mez trace`\n", stderr);
    if (found)
        trace_thread_prepare();
    atomic_store_explicit(&attached, found, memory_order_release);
}

bool trace_attach(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return atomic_load_explicit(&attached, memory_order_relaxed);
}

const struct trace_memory *trace_attached(void)
{
    return atomic_load_explicit(&attached, memory_order_acquire) ? &memory : NULL;
}

// Threads of the program itself may run on while it exits, which is not reported.
bool trace_is_over(void)
{
    if (!atomic_load_explicit(&memory.head->closed, memory_order_acquire) || getpid() == starter)
        return false;
    fprintf(stderr, "mez-trace: the trace has ended: what process %d does now is not there\n",
        (int)getpid());
    return true;
}

enum { LONGEST_WAIT = 60000 /* ms */ };

// The file is complete when the program's caller looks for it; a writer that hangs holds nobody up for ever. The memory stays mapped,
// as other threads may still run.
__attribute__((destructor)) static void finish(void)
{
    if (!trace_attached() || writer <= 0 || getpid() != starter)
        return;
    atomic_store_explicit(&memory.head->finished, 1, memory_order_release);
    for (int i = 0; i < LONGEST_WAIT && trace_writer_lives(writer); i++) {
        if (atomic_load_explicit(&memory.head->written, memory_order_acquire))
            return;
        usleep(1000);
    }
}
