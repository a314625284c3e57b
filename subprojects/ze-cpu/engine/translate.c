// SPDX-License-Identifier: MIT
//
// SPIR-V to LLVM bitcode.
//
// llvm-spirv does the work, as a process of its own: it asserts and crashes on some inputs, valid
// ones among them, and a crash must become a line in the build log. Bytes travel through memfds,
// never through files.
//
// Before that the words are checked and cleaned (words.c).

#include "build.h"
#include "words.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRANSLATOR "llvm-spirv-15"
extern char **environ;

static bool write_all(int file, const void *bytes, size_t size)
{
    for (const char *next = bytes; size > 0;) {
        const ssize_t written = write(file, next, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        next += written;
        size -= (size_t)written;
    }
    return lseek(file, 0, SEEK_SET) == 0;
}

static LLVMMemoryBufferRef read_buffer(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0 || status.st_size == 0)
        return NULL;
    const size_t size = (size_t)status.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED)
        return NULL;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, "translated SPIR-V");
    munmap(bytes, size);
    return buffer;
}

static void log_file(struct zc_log *log, int file)
{
    LLVMMemoryBufferRef text = read_buffer(file);
    if (text == NULL)
        return;
    zc_log_add_text(log, LLVMGetBufferStart(text), LLVMGetBufferSize(text));
    LLVMDisposeMemoryBuffer(text);
}

// An application may have blocked or ignored signals; the translator starts with the usual ones.
static int spawn(pid_t *process, const int files[3])
{
    static char *arguments[] = {
        TRANSLATOR, "-r", "--spirv-target-env=SPV-IR", "/dev/stdin", "-o", "-", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t defaults;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, files[i], i);
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGABRT);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int error = posix_spawnp(process, TRANSLATOR, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool run(struct zc_log *log, const int files[3])
{
    pid_t process;
    const int error = spawn(&process, files);
    if (error != 0) {
        zc_log_add(log, "error: cannot start " TRANSLATOR ": %s", strerror(error));
        return false;
    }
    int status;
    pid_t ended;
    do {
        ended = waitpid(process, &status, 0);
    } while (ended < 0 && errno == EINTR);
    log_file(log, files[2]);
    // An application that ignores SIGCHLD leaves no status to read: what was written decides then.
    if (ended < 0)
        return true;
    if (WIFSIGNALED(status))
        zc_log_add(log, "error: " TRANSLATOR " crashed with signal %d (%s)", WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        zc_log_add(log, "error: " TRANSLATOR " could not translate the module");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static LLVMMemoryBufferRef translate_words(struct zc_log *log, const struct zc_words *words)
{
    LLVMMemoryBufferRef bitcode = NULL;
    const int files[3] = {memfd_create("spirv", MFD_CLOEXEC), memfd_create("bitcode", MFD_CLOEXEC),
        memfd_create("messages", MFD_CLOEXEC)};
    if (files[0] < 0 || files[1] < 0 || files[2] < 0 ||
        !write_all(files[0], words->data, words->count * sizeof(uint32_t)))
        zc_log_add(log, "error: cannot pass the module to " TRANSLATOR ": %s", strerror(errno));
    else if (run(log, files) && (bitcode = read_buffer(files[1])) == NULL)
        zc_log_add(log, "error: " TRANSLATOR " wrote no module");
    for (int i = 0; i < 3; i++) {
        if (files[i] >= 0)
            close(files[i]);
    }
    return bitcode;
}

LLVMMemoryBufferRef zc_translate(struct zc_log *log, const struct zc_spirv *spirv)
{
    struct zc_words words;
    if (!zc_words_read(log, spirv, &words))
        return NULL;
    LLVMMemoryBufferRef bitcode = translate_words(log, &words);
    free(words.data);
    return bitcode;
}
