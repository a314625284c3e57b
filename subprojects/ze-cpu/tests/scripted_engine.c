// SPDX-License-Identifier: MIT
//
// An engine for tests of the host half: its kernels are C functions that can do what real ones
// cannot promise to do, such as fail or wait for the host. A "SPIR-V module" here is a header and a
// text of words:
//   kernel:NAME  one of the functions below and in scripted_images.c      import:NAME  export:NAME  (linked by name)
//   variable:NAME  a 64-bit program-scope variable, exported
//   broken  the build fails
// Its native binary is the text of all modules, after SCRIPTED_NATIVE.
#include "scripted_engine.h"

#include "scripted_kernel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_SYMBOLS 16
#define MAX_NATIVE 512

struct symbol {
    char name[32];
    uint64_t value; // of a variable
    bool is_variable;
};

struct zc_program {
    const struct scripted_kernel *kernels[MAX_SYMBOLS];
    uint32_t kernel_count;
    struct symbol exports[MAX_SYMBOLS];
    uint32_t export_count;
    struct symbol wanted[MAX_SYMBOLS];
    uint32_t wanted_count;
    const char *imports[MAX_SYMBOLS]; // those of `wanted` that nobody exports
    uint32_t import_count;
    const char *export_names[MAX_SYMBOLS];
    bool exposes_variables;
    char native[MAX_NATIVE];
};

struct zc_worker {
    struct zc_group group; // that it runs
};

static uint64_t linear_group(const struct zc_group *group)
{
    return (group->group_id[2] * group->group_count[1] + group->group_id[1]) *
               group->group_count[0] +
           group->group_id[0];
}

struct increment_blob {
    uint32_t *numbers;
    uint32_t amount;
};

static bool run_increment(const struct zc_group *group, const void *blob)
{
    const struct increment_blob *arguments = blob;
    const uint64_t first = group->group_id[0] * group->local_size[0] + group->global_offset[0];
    for (uint64_t i = 0; i < group->local_size[0]; i++)
        arguments->numbers[first + i] += arguments->amount;
    return true;
}

// Counts how often each group ran, and gives other threads time to take part.
static bool run_count(const struct zc_group *group, const void *blob)
{
    const struct timespec moment = {.tv_nsec = 20000};
    atomic_uint *const *counts = blob;
    atomic_fetch_add(&(*counts)[linear_group(group)], 1);
    nanosleep(&moment, NULL);
    return true;
}

static bool run_wait_for_host(const struct zc_group *group, const void *blob)
{
    (void)group;
    const struct timespec moment = {.tv_nsec = 100000};
    atomic_uint *const *flag = blob;
    while (!atomic_load(*flag))
        nanosleep(&moment, NULL);
    return true;
}

// Each group waits until all have arrived.
static bool run_meet(const struct zc_group *group, const void *blob)
{
    const struct timespec moment = {.tv_nsec = 20000};
    const uint64_t *counts = group->group_count;
    atomic_uint *const *arrived = blob;
    atomic_fetch_add(*arrived, 1);
    while (atomic_load(*arrived) < counts[0] * counts[1] * counts[2])
        nanosleep(&moment, NULL);
    return true;
}

static bool run_fail(const struct zc_group *group, const void *blob)
{
    (void)group, (void)blob;
    return false;
}

static volatile uintptr_t low_address = 64; // the compiler does not know
static volatile int zero = 0;

static bool run_stray(const struct zc_group *group, const void *blob)
{
    (void)blob;
    if (linear_group(group) == 2)
        *(volatile int *)low_address = 1;
    return true;
}

// Never ends but in group 2.
static bool run_endless(const struct zc_group *group, const void *blob)
{
    atomic_uint *const *arrived = blob;
    atomic_fetch_add(*arrived, 1);
    while (linear_group(group) != 2 || atomic_load(*arrived) < 2)
        continue;
    return run_stray(group, blob);
}

__attribute__((no_sanitize("undefined"))) static bool run_trap(
    const struct zc_group *group, const void *blob)
{
    (void)blob;
#if defined(__x86_64__) || defined(__i386__)
    if (linear_group(group) == 0) {
        volatile int quotient = 7 / zero;
        return quotient == 0;
    }
#else
    (void)group, (void)zero;
#endif
    __builtin_trap();
}

struct describe_blob {
    struct scripted_description *out;
    uint64_t local_offset;
};

static bool run_describe(const struct zc_group *group, const void *blob)
{
    const struct describe_blob *arguments = blob;
    if (linear_group(group) != 0)
        return true;
    *arguments->out = (struct scripted_description){
        .thread = (uint64_t)pthread_self(),
        .local_offset = arguments->local_offset,
        .local_memory_size = group->local_memory_size,
        .dimensions = group->dimensions,
        .group_count = {group->group_count[0], group->group_count[1], group->group_count[2]},
    };
    return true;
}

static const struct zc_argument one_pointer[] = {POINTER_AT(0)};
static const struct zc_argument increment_arguments[] = {
    POINTER_AT(0), {.kind = ZC_ARGUMENT_VALUE, .size = 4, .offset = 8}};
static const struct zc_argument describe_arguments[] = {
    POINTER_AT(0), {.kind = ZC_ARGUMENT_LOCAL, .size = 8, .offset = 8}};

static const struct scripted_kernel kernels[] = {
    {{.name = "increment", ARGUMENTS(increment_arguments, 16), .sub_group_size = 16},
        run_increment},
    {{.name = "count", ARGUMENTS(one_pointer, 8), .sub_group_size = 16}, run_count},
    {{.name = "wait_for_host", ARGUMENTS(one_pointer, 8), .sub_group_size = 8}, run_wait_for_host},
    {{.name = "meet", ARGUMENTS(one_pointer, 8), .sub_group_size = 8}, run_meet},
    {{.name = "fail", .sub_group_size = 8}, run_fail},
    {{.name = "stray", .sub_group_size = 8}, run_stray},
    {{.name = "endless", ARGUMENTS(one_pointer, 8), .sub_group_size = 8}, run_endless},
    {{.name = "trap", .sub_group_size = 8}, run_trap},
    {{.name = "describe",
         ARGUMENTS(describe_arguments, 16),
         .static_local_size = 100,
         .sub_group_size = 32},
        run_describe},
    {{.name = "sized",
         ARGUMENTS(one_pointer, 8),
         .required_group_size = {4, 2, 1},
         .required_sub_group_size = 8,
         .sub_group_size = 8},
        run_count},
};

static struct symbol *find_symbol(struct symbol *symbols, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(symbols[i].name, name))
            return &symbols[i];
    return NULL;
}

static enum zc_build_result add_export(
    struct zc_program *program, const char *name, bool is_variable)
{
    if (find_symbol(program->exports, program->export_count, name))
        return ZC_BUILD_LINK_FAILED;
    struct symbol *symbol = &program->exports[program->export_count];
    program->export_names[program->export_count++] = symbol->name;
    snprintf(symbol->name, sizeof symbol->name, "%s", name);
    symbol->is_variable = is_variable;
    symbol->value = SCRIPTED_VARIABLE_VALUE;
    return ZC_BUILD_OK;
}

static const struct scripted_kernel *find_kernel(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].info.name, name))
            return &kernels[i];
    for (const struct scripted_kernel *kernel = scripted_image_kernels; kernel->run; kernel++)
        if (!strcmp(kernel->info.name, name))
            return kernel;
    return NULL;
}

static enum zc_build_result add_kernel(struct zc_program *program, const char *name)
{
    const struct scripted_kernel *found = find_kernel(name);
    if (!found || program->kernel_count == MAX_SYMBOLS)
        return ZC_BUILD_FAILED;
    program->kernels[program->kernel_count++] = found;
    return ZC_BUILD_OK;
}

static enum zc_build_result add_word(struct zc_program *program, const char *word)
{
    char name[32];
    if (sscanf(word, "kernel:%31s", name) == 1)
        return add_kernel(program, name);
    if (sscanf(word, "export:%31s", name) == 1)
        return add_export(program, name, false);
    if (sscanf(word, "variable:%31s", name) == 1)
        return add_export(program, name, true);
    if (sscanf(word, "import:%31s", name) != 1)
        return ZC_BUILD_FAILED;
    struct symbol *symbol = &program->wanted[program->wanted_count++];
    snprintf(symbol->name, sizeof symbol->name, "%s", name);
    return ZC_BUILD_OK;
}

static enum zc_build_result add_words(struct zc_program *program, char *text)
{
    char *rest = NULL;
    enum zc_build_result result = ZC_BUILD_OK;
    for (char *word = strtok_r(text, " ", &rest); word && !result;
         word = strtok_r(NULL, " ", &rest)) {
        const size_t used = strlen(program->native);
        snprintf(program->native + used, MAX_NATIVE - used, " %s", word);
        result = add_word(program, word);
    }
    return result;
}

static enum zc_build_result add_text(struct zc_program *program, const char *text, size_t size)
{
    char *copy = strndup(text, size);
    const enum zc_build_result result = copy ? add_words(program, copy) : ZC_BUILD_OUT_OF_MEMORY;
    free(copy);
    return result;
}

static enum zc_build_result add_module(struct zc_program *program, const struct zc_spirv *module)
{
    return add_text(program, (const char *)module->bytes + SCRIPTED_HEADER_SIZE,
        module->size - SCRIPTED_HEADER_SIZE);
}

static void resolve_imports(struct zc_program *program)
{
    for (uint32_t i = 0; i < program->wanted_count; i++) {
        const char *name = program->wanted[i].name;
        if (!find_symbol(program->exports, program->export_count, name))
            program->imports[program->import_count++] = name;
    }
}

static char *describe_build(const struct zc_build_request *request, enum zc_build_result result)
{
    char *log = NULL;
    if (asprintf(&log, "%s for %s, flags '%s'\n", result ? "failed" : "built",
            request->features->device_name, request->modules[0].flags) < 0)
        return NULL;
    return log;
}

static struct zc_program *create_program(void)
{
    struct zc_program *program = calloc(1, sizeof *program);
    if (program)
        strcpy(program->native, SCRIPTED_NATIVE);
    return program;
}

static enum zc_build_result finish_program(
    struct zc_program *new, enum zc_build_result result, struct zc_program **program)
{
    *program = NULL;
    if (result) {
        free(new);
        return result;
    }
    resolve_imports(new);
    *program = new;
    return ZC_BUILD_OK;
}

static enum zc_build_result build(
    const struct zc_build_request *request, struct zc_program **program, char **log)
{
    struct zc_program *new = create_program();
    enum zc_build_result result = new ? ZC_BUILD_OK : ZC_BUILD_OUT_OF_MEMORY;
    for (size_t i = 0; i < request->module_count && !result; i++)
        result = add_module(new, &request->modules[i]);
    *log = describe_build(request, result);
    if (new)
        new->exposes_variables = request->exposes_variables;
    return finish_program(new, result, program);
}

static enum zc_build_result load(
    const struct zc_load_request *request, struct zc_program **program, char **log)
{
    const size_t prefix = strlen(SCRIPTED_NATIVE);
    *program = NULL;
    if (request->size < prefix || memcmp(request->bytes, SCRIPTED_NATIVE, prefix)) {
        *log = strdup("not a native binary of the scripted engine\n");
        return ZC_BUILD_NOT_NATIVE;
    }
    *log = NULL;
    struct zc_program *new = create_program();
    const enum zc_build_result result =
        new ? add_text(new, (const char *)request->bytes + prefix, request->size - prefix)
            : ZC_BUILD_OUT_OF_MEMORY;
    return finish_program(new, result, program);
}

static bool is_exported(const struct zc_link_request *request, const char *name)
{
    for (size_t i = 0; i < request->library_count; i++) {
        struct zc_program *library = request->libraries[i];
        if (find_symbol(library->exports, library->export_count, name))
            return true;
    }
    return false;
}

static enum zc_build_result link_program(const struct zc_link_request *request, char **log)
{
    const struct zc_program *program = request->program;
    *log = NULL;
    for (uint32_t i = 0; i < program->import_count; i++)
        if (!is_exported(request, program->imports[i])) {
            if (asprintf(log, "Unresolved Symbol <%s>\n", program->imports[i]) < 0)
                *log = NULL;
            return ZC_BUILD_LINK_FAILED;
        }
    return ZC_BUILD_OK;
}

static void destroy(struct zc_program *program)
{
    free(program);
}

static uint32_t kernel_count(const struct zc_program *program)
{
    return program->kernel_count;
}

static const struct zc_kernel *kernel(const struct zc_program *program, uint32_t index)
{
    return &program->kernels[index]->info;
}

static const char *kernel_name(const struct zc_program *program, uint32_t index)
{
    return kernel(program, index)->name;
}

static const char *const *imports(const struct zc_program *program, uint32_t *count)
{
    *count = program->import_count;
    return program->imports;
}

static void *global(const struct zc_program *program, const char *name, size_t *size)
{
    struct symbol *symbol =
        find_symbol((struct symbol *)program->exports, program->export_count, name);
    if (!symbol || !symbol->is_variable)
        return NULL;
    *size = sizeof symbol->value;
    return &symbol->value;
}

static const char *const *exports(const struct zc_program *program, uint32_t *count)
{
    *count = program->export_count;
    return program->export_names;
}

static bool exposes_variables(const struct zc_program *program)
{
    return program->exposes_variables;
}

static const void *native(const struct zc_program *program, size_t *size)
{
    *size = strlen(program->native);
    return program->native;
}

static struct zc_worker *worker_create(void)
{
    return calloc(1, sizeof(struct zc_worker));
}

static void worker_destroy(struct zc_worker *worker)
{
    free(worker);
}

static void go_to_next_group(struct zc_group *group)
{
    for (int d = 0; d < 3; d++) {
        if (++group->group_id[d] < group->group_count[d])
            return;
        group->group_id[d] = 0;
    }
}

static bool run_groups(struct zc_worker *worker, const struct zc_kernel *info,
    const struct zc_group *first, uint64_t count, const void *blob)
{
    // The description is the first member.
    const struct scripted_kernel *scripted = (const void *)info;
    worker->group = *first;
    atomic_store(&first->watch->in_kernel, true);
    bool ok = !atomic_load(first->watch->cancelled);
    for (uint64_t i = 0; ok && i < count; i++) {
        ok = scripted->run(&worker->group, blob);
        go_to_next_group(&worker->group);
    }
    atomic_store(&first->watch->in_kernel, false);
    return ok;
}

static void locate(const struct zc_worker *worker, const struct zc_kernel *kernel,
    const uintptr_t *code, size_t count, struct zc_place *place)
{
    (void)kernel, (void)code, (void)count;
    *place = (struct zc_place){.line = 0};
    for (int d = 0; d < 3; d++)
        place->group_id[d] = worker->group.group_id[d];
}

__attribute__((visibility("default"))) const struct zc_engine *zc_engine_get(void);
const struct zc_engine *zc_engine_get(void)
{
    static const struct zc_engine engine = {
        .version = ZC_ENGINE_VERSION,
        .build = build,
        .load = load,
        .link = link_program,
        .destroy = destroy,
        .kernel_count = kernel_count,
        .kernel_name = kernel_name,
        .kernel = kernel,
        .imports = imports,
        .global = global,
        .exports = exports,
        .exposes_variables = exposes_variables,
        .native = native,
        .worker_create = worker_create,
        .worker_destroy = worker_destroy,
        .run_groups = run_groups,
        .locate = locate,
    };
    return &engine;
}
