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
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// That of our own version of LLVM as the build found it, then what else may be installed here. What
// an older one writes can be read, too.
#define VERSIONED_NAME "llvm-spirv-" ZC_LLVM_VERSION
static const char *const translators[] = {ZC_LLVM_SPIRV, VERSIONED_NAME, "llvm-spirv"};
#define TRANSLATOR_COUNT (sizeof(translators) / sizeof(translators[0]))
#define CHOICE ZC_TRANSLATOR_VARIABLE

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
static int spawn(pid_t *process, const char *translator, const int files[3])
{
    static char *arguments[] = {
        "llvm-spirv", "-r", "--spirv-target-env=SPV-IR", "/dev/stdin", "-o", "-", NULL};
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
    const int error = posix_spawn(process, translator, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// The path of a name in the folders of PATH. Only absolute ones count, so that nothing runs because it lies in the current folder;
// programs with more rights than their user (AT_SECURE) take the system's folders.
static bool is_program(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

static bool find_in_path(const char *name, char path[PATH_MAX])
{
    const char *folders = secure_getenv("PATH");
    for (folders = folders ? folders : "/usr/local/bin:/usr/bin:/bin"; *folders;) {
        const size_t length = strcspn(folders, ":");
        const int written = snprintf(path, PATH_MAX, "%.*s/%s", (int)length, folders, name);
        if (*folders == '/' && written < PATH_MAX && is_program(path))
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

// A path, or a name that is looked for as the others.
static const char *start_chosen(
    struct zc_log *log, const char *translator, pid_t *process, const int files[3])
{
    char path[PATH_MAX];
    const bool is_path = strchr(translator, '/') != NULL;
    const int error = is_path || find_in_path(translator, path)
                          ? spawn(process, is_path ? translator : path, files)
                          : ENOENT;
    if (error == 0)
        return translator;
    zc_log_add(log, "error: '%s', which " CHOICE " names, cannot be started: %s", translator,
        strerror(error));
    return NULL;
}

static const char *start_first(struct zc_log *log, pid_t *process, const int files[3])
{
    char path[PATH_MAX];
    int errors[TRANSLATOR_COUNT];
    for (size_t i = 0; i < TRANSLATOR_COUNT; i++) {
        const bool is_named = strchr(translators[i], '/') == NULL;
        const char *translator = is_named ? path : translators[i];
        errors[i] = is_named && !find_in_path(translators[i], path)
                        ? ENOENT
                        : spawn(process, translator, files);
        if (errors[i] == 0)
            return translators[i];
    }
    zc_log_add(log,
        "error: SPIR-V cannot be translated without llvm-spirv of LLVM " ZC_LLVM_VERSION
        "; install it (Debian and Ubuntu: " VERSIONED_NAME "), or name another one by " CHOICE);
    for (size_t i = 0; i < TRANSLATOR_COUNT; i++)
        zc_log_add(log, "error: '%s' cannot be started: %s", translators[i], strerror(errors[i]));
    return NULL;
}

// The translator that was started; NULL: the log says what is missing.
static const char *start(struct zc_log *log, pid_t *process, const int files[3])
{
    const char *chosen = secure_getenv(CHOICE);
    return chosen != NULL && *chosen != '\0' ? start_chosen(log, chosen, process, files)
                                             : start_first(log, process, files);
}

static bool run(struct zc_log *log, const int files[3])
{
    pid_t process;
    const char *translator = start(log, &process, files);
    if (translator == NULL)
        return false;
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
        zc_log_add(log, "error: %s crashed with signal %d (%s)", translator, WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        zc_log_add(log, "error: %s could not translate the module", translator);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static LLVMMemoryBufferRef translate_words(struct zc_log *log, const struct zc_words *words)
{
    LLVMMemoryBufferRef bitcode = NULL;
    const int files[3] = {memfd_create("spirv", MFD_CLOEXEC), memfd_create("bitcode", MFD_CLOEXEC),
        memfd_create("messages", MFD_CLOEXEC)};
    if (files[0] < 0 || files[1] < 0 || files[2] < 0 ||
        !write_all(files[0], words->data, words->count * sizeof(uint32_t)))
        zc_log_add(log, "error: cannot pass the module to llvm-spirv: %s", strerror(errno));
    else if (run(log, files) && (bitcode = read_buffer(files[1])) == NULL)
        zc_log_add(log, "error: llvm-spirv wrote no module");
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
