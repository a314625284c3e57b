// SPDX-License-Identifier: MIT

#include "engine_harness.h"

#include <dlfcn.h>
#include <pthread.h>
#include <shadow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct zc_engine *engine;
const struct zc_features all_features = {.fp16 = true,
    .fp64 = true,
    .images = true,
    .int64_atomics = true,
    .sub_group_sizes = 8 | 16 | 32,
    .device_name = "test"};

static const char *folder;

uint64_t next_random(void)
{
    static uint64_t state = UINT64_C(88172645463325252);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

void open_engine(char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    zc_engine_get_fn get = __extension__(zc_engine_get_fn) dlsym(library, ZC_ENGINE_GET);
    engine = get();
    folder = argv[2];
}

struct bytes load_spirv(const char *name)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s.spv", folder, name) > 0);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    free(path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    struct bytes bytes = {.size = (size_t)ftell(file)};
    rewind(file);
    bytes.data = malloc(bytes.size);
    assert_non_null(bytes.data);
    assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

void free_bytes(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

// ENGINE_CHECKS: these kernels are right, and checked nevertheless. All memory that is not the engine's is allowed, and written.
static uint32_t checks(void)
{
    const char *wanted = getenv("ENGINE_CHECKS");
    if (wanted && strcmp(wanted, "uninitialized") == 0)
        return ZC_CHECK_UNINITIALIZED;
    if (wanted && strcmp(wanted, "races") == 0)
        return ZC_CHECK_RACES;
    return wanted ? ZC_CHECK_MEMORY | ZC_CHECK_DIVERGENCE : 0;
}

static struct zc_shadow *make_shadow(void)
{
    return checks() & ZC_CHECK_UNINITIALIZED ? zc_shadow_create() : NULL;
}

static struct zc_shadow *shadow(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct zc_shadow *made;
    pthread_mutex_lock(&lock);
    if (!made)
        made = make_shadow();
    pthread_mutex_unlock(&lock);
    return made;
}

static enum zc_permission allow(
    const struct zc_checker *checker, uintptr_t address, struct zc_memory_range *range)
{
    (void)checker;
    *range = (struct zc_memory_range){address, address + 1024};
    return ZC_MEMORY_ALLOWED;
}

static __attribute__((noreturn)) void report(
    struct zc_watch *watch, const struct zc_finding *finding)
{
    (void)watch;
    fprintf(stderr, "a check has found: %s\n", finding ? finding->text : "a cancellation");
    abort();
}

// What the host puts behind the offsets of local arguments.
static void set_local_sizes(const struct zc_kernel *kernel, char *blob, uint64_t end)
{
    for (uint32_t i = 0; i < kernel->argument_count; i++) {
        uint64_t offset;
        char *at = blob + kernel->arguments[i].offset;
        if (kernel->arguments[i].size != ZC_LOCAL_ARGUMENT_CHECKED ||
            kernel->arguments[i].kind != ZC_ARGUMENT_LOCAL)
            continue;
        memcpy(&offset, at, sizeof offset);
        const uint64_t size = end - offset;
        memcpy(at + sizeof offset, &size, sizeof size);
    }
}

static void run_checked(struct zc_worker *worker, const struct zc_kernel *kernel,
    struct zc_group *group, const void *blob, struct zc_launch_races *races)
{
    static const atomic_bool never;
    const struct zc_checker checker = {
        .checks = checks(), .races = races, .find = allow, .shadow = shadow()};
    struct zc_watch watch = {.cancelled = &never, .leave = report};
    char *copy = malloc(kernel->blob_size + 1);
    assert_non_null(copy);
    memcpy(copy, blob, kernel->blob_size);
    set_local_sizes(kernel, copy, group->local_memory_size);
    group->checker = &checker;
    group->watch = &watch;
    assert_true(engine->run_groups(worker, kernel, group, 1, copy));
    free(copy);
}

enum zc_build_result build_bytes(
    struct bytes bytes, const struct zc_features *features, struct zc_program **program, char **log)
{
    const struct zc_spirv module = {.bytes = bytes.data, .size = bytes.size};
    const struct zc_build_request request = {
        .modules = &module, .module_count = 1, .features = features, .checks = checks()};
    return engine->build(&request, program, log);
}

struct zc_program *build_file(const char *name, const char *flags)
{
    struct bytes bytes = load_spirv(name);
    const struct zc_spirv module = {.bytes = bytes.data, .size = bytes.size, .flags = flags};
    const struct zc_build_request request = {
        .modules = &module, .module_count = 1, .features = &all_features, .checks = checks()};
    struct zc_program *program;
    char *log;
    const enum zc_build_result result = engine->build(&request, &program, &log);
    assert_string_equal(log, "");
    assert_int_equal(result, ZC_BUILD_OK);
    free(log);
    free_bytes(&bytes);
    return program;
}

const struct zc_kernel *find_kernel(const struct zc_program *program, const char *name)
{
    for (uint32_t i = 0; i < engine->kernel_count(program); i++) {
        if (strcmp(engine->kernel_name(program, i), name) == 0)
            return engine->kernel(program, i);
    }
    fail_msg("no kernel %s", name);
    return NULL;
}

void run(const struct zc_kernel *kernel, const struct launch *launch, const void *blob)
{
    struct zc_worker *worker = engine->worker_create();
    assert_non_null(worker);
    struct zc_launch_races *races = checks() & ZC_CHECK_RACES ? engine->races_create() : NULL;
    const uint64_t *n = launch->groups;
    for (uint64_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        struct zc_group group = {.group_id = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]},
            .dimensions = 3,
            .local_memory_size = launch->local_memory_size + kernel->static_local_size};
        memcpy(group.group_count, launch->groups, sizeof(group.group_count));
        memcpy(group.local_size, launch->group_size, sizeof(group.local_size));
        memcpy(group.global_offset, launch->offset, sizeof(group.global_offset));
        if (checks())
            run_checked(worker, kernel, &group, blob, races);
        else
            assert_true(engine->run_groups(worker, kernel, &group, 1, blob));
    }
    engine->races_destroy(races);
    engine->worker_destroy(worker);
}
