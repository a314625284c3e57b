// SPDX-License-Identifier: MIT
//
// SPIR-V to LLVM bitcode.
//
// llvm-spirv does the work, as a process of its own: it asserts and crashes on some inputs, valid
// ones among them, and a crash must become a line in the build log. Bytes travel through memfds,
// never through files.
//
// Before that the words are checked and cleaned here:
// - every instruction must lie within the module, every function have an end and every entry point
//   a function: llvm-spirv takes some truncated modules for whole ones;
// - FuncParamAttr decorations NoWrite and NoReadWrite are dropped (llvm-spirv-15 aborts on some of
//   them; they are only hints for optimisers);
// - SPIR-V 1.5 and 1.6 are presented as 1.4, the newest that llvm-spirv-15 accepts. What kernels
//   use of the newer versions has been there as extensions before.

#include "build.h"

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
#define SPIRV_MAGIC 0x07230203u
#define SPIRV_HEADER_WORDS 5
#define SPIRV_NEWEST_ACCEPTED 0x00010400u
#define SPIRV_NEWEST_KNOWN 0x00010600u

enum { OP_ENTRY_POINT = 15, OP_FUNCTION = 54, OP_FUNCTION_END = 56, OP_DECORATE = 71 };
enum { DECORATION_FUNC_PARAM_ATTR = 38, ATTRIBUTE_NO_WRITE = 6, ATTRIBUTE_NO_READ_WRITE = 7 };

extern char **environ;

struct words {
    uint32_t *data;
    size_t count;
};

static bool is_dropped(const uint32_t *instruction, uint32_t length)
{
    return (instruction[0] & 0xffff) == OP_DECORATE && length == 4 &&
           instruction[2] == DECORATION_FUNC_PARAM_ATTR &&
           (instruction[3] == ATTRIBUTE_NO_WRITE || instruction[3] == ATTRIBUTE_NO_READ_WRITE);
}

static bool header_is_sane(struct zc_log *log, const void *spirv, size_t size)
{
    uint32_t header[SPIRV_HEADER_WORDS];
    if (size < sizeof(header) || size % sizeof(uint32_t) != 0) {
        zc_log_add(log, "error: not SPIR-V: %zu bytes is no module's size", size);
        return false;
    }
    memcpy(header, spirv, sizeof(header));
    if (header[0] != SPIRV_MAGIC) {
        zc_log_add(log, "error: not SPIR-V: the first word is 0x%08x", header[0]);
        return false;
    }
    if (header[1] > SPIRV_NEWEST_KNOWN) {
        zc_log_add(log, "error: SPIR-V version %u.%u is not supported", (header[1] >> 16) & 0xff,
            (header[1] >> 8) & 0xff);
        return false;
    }
    return true;
}

// Copies the instructions that llvm-spirv may see to the front. False: the module is damaged from
// word *at on.
static bool compact(struct words *words, size_t *at)
{
    uint32_t *data = words->data;
    size_t kept = SPIRV_HEADER_WORDS;
    size_t entry_points = 0;
    size_t functions = 0;
    bool in_function = false;
    size_t length;
    for (*at = SPIRV_HEADER_WORDS; *at < words->count; *at += length) {
        const uint32_t opcode = data[*at] & 0xffff;
        length = data[*at] >> 16;
        if (length == 0 || length > words->count - *at)
            return false;
        entry_points += opcode == OP_ENTRY_POINT;
        functions += opcode == OP_FUNCTION;
        in_function = opcode == OP_FUNCTION || (in_function && opcode != OP_FUNCTION_END);
        if (is_dropped(data + *at, (uint32_t)length))
            continue;
        memmove(data + kept, data + *at, length * sizeof(uint32_t));
        kept += length;
    }
    words->count = kept;
    return !in_function && functions >= entry_points;
}

static bool clean(struct zc_log *log, const void *spirv, size_t size, struct words *words)
{
    *words = (struct words){malloc(size), size / sizeof(uint32_t)};
    if (words->data == NULL)
        return false;
    memcpy(words->data, spirv, size);
    if (words->data[1] > SPIRV_NEWEST_ACCEPTED)
        words->data[1] = SPIRV_NEWEST_ACCEPTED;
    size_t at;
    if (compact(words, &at))
        return true;
    zc_log_add(log, "error: truncated or damaged SPIR-V at word %zu", at);
    free(words->data);
    return false;
}

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

static LLVMMemoryBufferRef translate_words(struct zc_log *log, const struct words *words)
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
    struct words words;
    if (!header_is_sane(log, spirv->bytes, spirv->size) ||
        !clean(log, spirv->bytes, spirv->size, &words))
        return NULL;
    LLVMMemoryBufferRef bitcode = translate_words(log, &words);
    free(words.data);
    return bitcode;
}
