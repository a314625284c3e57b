// SPDX-License-Identifier: MIT

#include "compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "subjects.h"

extern char **environ;

enum { AT_A_TIME = 2, PATH_ROOM = 512 };

struct running {
    pid_t process; // 0: none
    struct compilation *compilation;
    char folder[PATH_ROOM];
};

// --- What it says

// Words of the compiler's messages; the first that is found counts.
static const struct {
    const char *words;
    unsigned about;
} messages[] = {
    {"Double type is not supported", ABOUT_DOUBLE},
    {"ubgroup size", ABOUT_SUB_GROUP},
    {"sub group size", ABOUT_SUB_GROUP},
    {"Total size of kernel arguments exceeds limit", ABOUT_ARGUMENTS},
    {"Kernel inputs exceed total register size", ABOUT_REGISTERS},
    {"undefined reference to `__builtin_spirv_OpAtomic", ABOUT_ATOMIC16},
    {"__spirv_Atomic", ABOUT_ATOMIC16},
    {"'SPV_EXT_shader_atomic_float16_add'", ABOUT_ATOMIC16},
    {"Generic pointers are not allowed as kernel argument", ABOUT_ENQUEUE},
    {"Invalid SPIR-V", ABOUT_INVALID},
};

static void keep_message(struct compilation *compilation, const char *found)
{
    const size_t length = strcspn(found, "\n");
    snprintf(compilation->message, sizeof compilation->message, "%.*s", (int)length, found);
}

// ocloc's own words, which say nothing, are "Build failed with error code" and the command.
static void read_refusal(struct compilation *compilation, const char *text, int status)
{
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        const char *found = strstr(text, messages[i].words);
        if (!found)
            continue;
        compilation->about = messages[i].about;
        keep_message(compilation, found);
        return;
    }
    const char *error = strstr(text, "rror: ");
    const bool refused = error && WIFEXITED(status);
    compilation->about = refused ? ABOUT_OTHER : ABOUT_CRASH;
    if (refused)
        keep_message(compilation, error + strlen("rror: "));
    else if (WIFSIGNALED(status))
        snprintf(compilation->message, sizeof compilation->message, "killed by signal %d",
            WTERMSIG(status));
    else
        snprintf(compilation->message, sizeof compilation->message,
            "exit code %d, without a message", WEXITSTATUS(status));
}

// Assembly has the type of each operand behind a colon; lines of comment begin with "//".
static bool names_doubles(const char *assembly)
{
    for (const char *line = assembly; line && *line;
         line = strchr(line, '\n'), line += line != NULL) {
        const char *type = strstr(line, ":df");
        if (!type)
            return false;
        const char *end = strchr(line, '\n');
        if ((!end || type < end) && strncmp(line, "//", 2) != 0)
            return true;
    }
    return false;
}

static bool look_at_assembly(const char *path, void *context)
{
    struct compilation *compilation = context;
    const size_t length = strlen(path);
    if (length < 4 || strcmp(path + length - 4, ".asm") != 0)
        return true;
    char *assembly = read_text(path);
    compilation->has_double_instructions |= assembly && names_doubles(assembly);
    free(assembly);
    return assembly != NULL;
}

static bool read_answer(const struct running *running, int status)
{
    struct compilation *compilation = running->compilation;
    char path[PATH_ROOM + 16];
    snprintf(path, sizeof path, "%s/log", running->folder);
    char *text = read_text(path);
    if (!text)
        return false;
    compilation->builds = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!compilation->builds)
        read_refusal(compilation, text, status);
    free(text);
    if (!compilation->look_inside || !compilation->builds)
        return true;
    return each_file(running->folder, look_at_assembly, compilation);
}

// --- Which it is

static bool keep_version(const char *path, char version[VERSION_ROOM])
{
    char *text = read_text(path);
    if (text)
        snprintf(version, VERSION_ROOM, "%.*s", (int)strcspn(text, " \r\n"), text);
    free(text);
    return text && *version;
}

// It writes the answer to a file of the question's name, where it is started.
bool read_driver_version(const char *ocloc, char version[VERSION_ROOM])
{
    char folder[] = "/tmp/mez_oracle.XXXXXX", path[64], command[PATH_ROOM + 128];
    *version = '\0';
    if (!mkdtemp(folder)) {
        perror(folder);
        return false;
    }
    snprintf(path, sizeof path, "%s/OCL_DRIVER_VERSION", folder);
    snprintf(command, sizeof command, "cd %s && '%s' query OCL_DRIVER_VERSION >/dev/null 2>&1",
        folder, ocloc);
    const bool ok = system(command) == 0 && keep_version(path, version);
    remove_folder(folder);
    if (!ok)
        fprintf(stderr, "%s does not say which driver it belongs to\n", ocloc);
    return ok;
}

// --- Asking it

// Of some damaged modules a compiler makes machine code without end: 16 GB were seen. A good one needs a tenth of this.
#define MOST_MEMORY ((rlim_t)4 << 30) // bytes
#define MOST_TIME 300u                // seconds of processor time

static void limit(pid_t process)
{
    const struct rlimit memory = {MOST_MEMORY, MOST_MEMORY}, time = {MOST_TIME, MOST_TIME};
    if (prlimit(process, RLIMIT_DATA, &memory, NULL) != 0 ||
        prlimit(process, RLIMIT_CPU, &time, NULL) != 0)
        fprintf(stderr, "the compiler has no limits: %s\n", strerror(errno));
}

static bool spawn(const char *ocloc, struct running *running, char **environment)
{
    struct compilation *compilation = running->compilation;
    char module[PATH_ROOM + 16], log[PATH_ROOM + 16];
    snprintf(module, sizeof module, "%s/module.spv", running->folder);
    snprintf(log, sizeof log, "%s/log", running->folder);
    if (!write_bytes(module, compilation->bytes, compilation->size))
        return false;

    char *options = (char *)(compilation->options ? compilation->options : "");
    char *arguments[] = {(char *)ocloc, "compile", "-spirv_input", "-device",
        (char *)compilation->device, "-file", module, "-out_dir", running->folder, "-output",
        "built", *options ? "-options" : NULL, options, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(
        &actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    const int error = posix_spawn(&running->process, ocloc, &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        fprintf(stderr, "%s: %s\n", ocloc, strerror(error));
    else
        limit(running->process);
    return error == 0;
}

// The environment with what makes the compiler write its assembly into the folder; NULL: no memory.
static char **environment_for_dumps(const char *folder)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **environment = calloc(count + 3, sizeof *environment);
    if (!environment)
        return NULL;
    memcpy(environment, environ, count * sizeof *environment);
    environment[count] = "IGC_ShaderDumpEnable=1";
    if (asprintf(&environment[count + 1], "IGC_DumpToCustomDir=%s", folder) < 0) {
        free(environment);
        return NULL;
    }
    return environment;
}

static bool start_looking_inside(const char *ocloc, struct running *running)
{
    char **environment = environment_for_dumps(running->folder);
    if (!environment)
        return false;
    const bool ok = spawn(ocloc, running, environment);
    size_t last = 0;
    while (environment[last + 1])
        last++;
    free(environment[last]);
    free(environment);
    return ok;
}

static bool start(const char *ocloc, struct running *running, struct compilation *compilation)
{
    running->compilation = compilation;
    snprintf(running->folder, sizeof running->folder, "/tmp/mez_oracle.XXXXXX");
    if (!mkdtemp(running->folder)) {
        fprintf(stderr, "%s: %s\n", running->folder, strerror(errno));
        return false;
    }
    const bool ok = compilation->look_inside ? start_looking_inside(ocloc, running)
                                             : spawn(ocloc, running, environ);
    if (!ok)
        remove_folder(running->folder);
    return ok;
}

// Waits for any one, and takes its answer.
static bool finish_one(struct running *all)
{
    int status;
    const pid_t process = waitpid(-1, &status, 0);
    for (size_t i = 0; process > 0 && i < AT_A_TIME; i++) {
        if (all[i].process != process)
            continue;
        const bool ok = read_answer(&all[i], status);
        remove_folder(all[i].folder);
        all[i].process = 0;
        return ok;
    }
    return false;
}

static struct running *find_free(struct running *all)
{
    for (size_t i = 0; i < AT_A_TIME; i++) {
        if (all[i].process == 0)
            return &all[i];
    }
    return NULL;
}

static size_t count_running(const struct running *all)
{
    size_t count = 0;
    for (size_t i = 0; i < AT_A_TIME; i++)
        count += all[i].process != 0;
    return count;
}

bool compile_all(const char *ocloc, struct compilation *compilations, size_t count)
{
    struct running all[AT_A_TIME] = {{0}};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        if (!find_free(all))
            ok = finish_one(all);
        ok = ok && start(ocloc, find_free(all), &compilations[i]);
    }
    while (count_running(all) > 0)
        ok = finish_one(all) && ok;
    return ok;
}
