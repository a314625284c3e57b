// SPDX-License-Identifier: MIT
//
// Programs: from native binaries to kernels that run.

#include "program.h"
#include "build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct zc_prefix zc_unit_prefix(uint32_t index)
{
    struct zc_prefix prefix = {""};
    if (index > 0)
        snprintf(prefix.text, sizeof(prefix.text), ZC_LINK_PREFIX "%u.", index);
    return prefix;
}

static bool add_variables(struct zc_symbols *symbols, const struct zc_unit *unit, uint32_t index)
{
    char prefix[64];
    snprintf(prefix, sizeof(prefix), ZC_USER_PREFIX "%s", zc_unit_prefix(index).text);
    bool ok = true;
    for (uint32_t i = 0; ok && i < unit->native.variable_count; i++)
        ok = zc_symbols_add(symbols, prefix, unit->native.variables[i].name, unit->addresses[i]);
    return ok;
}

static bool collect_variables(
    struct zc_symbols *symbols, struct zc_unit *const *units, uint32_t unit_count)
{
    size_t count = 0;
    for (uint32_t i = 0; i < unit_count; i++)
        count += units[i]->native.variable_count;
    bool ok = zc_symbols_init(symbols, count);
    for (uint32_t i = 0; ok && i < unit_count; i++)
        ok = add_variables(symbols, units[i], i);
    return ok;
}

static bool collect_entries(struct zc_symbols *symbols, const struct zc_native *native)
{
    bool ok = zc_symbols_init(symbols, native->kernel_count);
    for (uint32_t i = 0; ok && i < native->kernel_count; i++)
        ok = zc_symbols_add(symbols, ZC_KERNEL_PREFIX, native->kernels[i].name, NULL);
    return ok;
}

static bool describe_kernels(struct zc_code *code, const struct zc_native *native)
{
    code->kernels = calloc((size_t)native->kernel_count + 1, sizeof(*code->kernels));
    if (code->kernels == NULL)
        return false;
    code->kernel_count = native->kernel_count;
    for (uint32_t i = 0; i < code->kernel_count; i++)
        code->kernels[i].public = native->kernels[i];
    return true;
}

static bool load_code(struct zc_log *log, struct zc_code *code, const struct zc_native *native,
    struct zc_unit *const *units, uint32_t unit_count)
{
    struct zc_symbols variables = {0};
    struct zc_symbols entries = {0};
    bool ok = collect_variables(&variables, units, unit_count) && collect_entries(&entries, native);
    if (ok) {
        const struct zc_jit_request request = {.object = native->code,
            .has_debug_info = native->has_debug_info,
            .given = &variables,
            .wanted = &entries};
        ok = zc_jit_load(log, &request, &code->jit);
    }
    for (uint32_t i = 0; ok && i < code->kernel_count; i++) {
        code->kernels[i].entry = entries.list[i].address;
        code->kernels[i].object = native->code;
    }
    zc_symbols_finish(&variables);
    zc_symbols_finish(&entries);
    return ok;
}

static void code_finish(struct zc_code *code)
{
    zc_jit_close(code->jit);
    free(code->kernels);
    zc_native_finish(&code->native);
    free(code->bytes);
}

enum zc_build_result zc_program_create(
    struct zc_log *log, struct zc_unit *unit, struct zc_program **program)
{
    *program = NULL;
    struct zc_program *new = calloc(1, sizeof(*new));
    if (new == NULL) {
        zc_unit_unref(unit);
        return ZC_BUILD_OUT_OF_MEMORY;
    }
    atomic_init(&new->references, 1);
    new->unit = unit;
    pthread_mutex_init(&new->lock, NULL);
    if (unit->native.is_lazy)
        new->pieces = calloc(unit->native.kernel_count + 1, sizeof(*new->pieces));
    const bool is_complete = unit->native.imports.count == 0 && !unit->native.is_lazy;
    if (!describe_kernels(&new->code, &unit->native) ||
        (unit->native.is_lazy && new->pieces == NULL) ||
        (is_complete && !load_code(log, &new->code, &unit->native, &unit, 1))) {
        zc_program_destroy(new);
        return ZC_BUILD_FAILED;
    }
    *program = new;
    return ZC_BUILD_OK;
}

static void forget_libraries(struct zc_program *program)
{
    for (uint32_t i = 0; i < program->library_count; i++)
        zc_unit_unref(program->libraries[i]);
    free(program->libraries);
}

struct zc_program *zc_program_ref(struct zc_program *program)
{
    atomic_fetch_add(&program->references, 1);
    return program;
}

void zc_program_destroy(struct zc_program *program)
{
    if (program == NULL || atomic_fetch_sub(&program->references, 1) != 1)
        return;
    for (uint32_t i = 0; program->pieces != NULL && i < program->code.kernel_count; i++)
        code_finish(&program->pieces[i]);
    free(program->pieces);
    free(program->whole.data);
    code_finish(&program->code);
    forget_libraries(program);
    zc_unit_unref(program->unit);
    pthread_mutex_destroy(&program->lock);
    free(program);
}

static bool read_code(struct zc_log *log, struct zc_code *code, void *bytes, size_t size)
{
    code->bytes = bytes;
    const char *fault = zc_native_read(bytes, size, &code->native);
    if (fault != NULL)
        zc_log_add(log, "error: the linked code cannot be used: %s", fault);
    return fault == NULL && describe_kernels(code, &code->native);
}

bool zc_code_load(struct zc_log *log, struct zc_code *code, void *bytes, size_t size,
    struct zc_unit *const *units, uint32_t unit_count)
{
    *code = (struct zc_code){0};
    if (read_code(log, code, bytes, size) && load_code(log, code, &code->native, units, unit_count))
        return true;
    code_finish(code);
    *code = (struct zc_code){0};
    return false;
}

static struct zc_unit **ref_libraries(struct zc_unit *const *units, uint32_t unit_count)
{
    struct zc_unit **libraries = calloc(unit_count, sizeof(*libraries));
    for (uint32_t i = 1; libraries != NULL && i < unit_count; i++)
        libraries[i - 1] = zc_unit_ref(units[i]);
    return libraries;
}

bool zc_program_relink(struct zc_log *log, struct zc_program *program, void *bytes, size_t size,
    struct zc_unit *const *units, uint32_t unit_count)
{
    struct zc_code code;
    if (!zc_code_load(log, &code, bytes, size, units, unit_count))
        return false;
    struct zc_unit **libraries = ref_libraries(units, unit_count);
    if (libraries == NULL) {
        code_finish(&code);
        return false;
    }
    code_finish(&program->code);
    forget_libraries(program);
    program->code = code;
    program->libraries = libraries;
    program->library_count = unit_count - 1;
    return true;
}
