// SPDX-License-Identifier: MIT

#include "many.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC = 0x07230203,
    VERSION_1_0 = 0x00010000,
    MEMORY_MODEL = 14,
    ENTRY_POINT = 15,
    CAPABILITY = 17,
    TYPE_VOID = 19,
    TYPE_FUNCTION = 33,
    FUNCTION = 54,
    FUNCTION_END = 56,
    FUNCTION_CALL = 57,
    DECORATE = 71,
    LABEL = 248,
    RETURN = 253,
    LINKAGE_ATTRIBUTES = 41,
    EXPORT = 0,
    IMPORT = 1,
    VOID_ID = 1,
    TYPE_ID = 2,
    FIRST_ID = 3,
};

struct maker {
    const struct many_module *module;
    mez_bytes *bytes;
    uint32_t kernels, imports, exports, chain, free; // first ids
};

const char *many_name(const char *prefix, uint32_t n)
{
    static char names[4][64];
    static unsigned next;
    char *name = names[next++ % 4];
    snprintf(name, sizeof names[0], "%s_%u", prefix, n);
    return name;
}

static void put(struct maker *m, uint16_t opcode, const uint32_t *operands, uint32_t count)
{
    mez_bytes_add_u32(m->bytes, (count + 1) << 16 | opcode);
    for (uint32_t i = 0; i < count; i++)
        mez_bytes_add_u32(m->bytes, operands[i]);
}

#define PUT(m, opcode, ...)                             \
    put((m), (opcode), (const uint32_t[]){__VA_ARGS__}, \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

// Operands, a name and one operand more, or none.
static void put_named(struct maker *m, uint16_t opcode, uint32_t first, uint32_t second,
    const char *name, const uint32_t *last)
{
    uint32_t operands[32] = {first, second};
    memcpy(&operands[2], name, strlen(name));
    uint32_t count = 2 + (uint32_t)strlen(name) / 4 + 1;
    if (last)
        operands[count++] = *last;
    put(m, opcode, operands, count);
}

static void put_interface(struct maker *m)
{
    static const uint32_t import = IMPORT, export = EXPORT;
    const struct many_module *module = m->module;
    for (uint32_t i = 0; i < module->kernels; i++)
        put_named(
            m, ENTRY_POINT, 6, m->kernels + i, many_name("kernel", module->first_kernel + i), NULL);
    for (uint32_t i = 0; i < module->imports; i++)
        put_named(
            m, DECORATE, m->imports + i, LINKAGE_ATTRIBUTES, many_name("function", i), &import);
    for (uint32_t i = 0; i < module->exports; i++)
        put_named(m, DECORATE, m->exports + i, LINKAGE_ATTRIBUTES,
            many_name("function", module->first_export + i), &export);
}

static void begin(struct maker *m, uint32_t id)
{
    PUT(m, FUNCTION, VOID_ID, id, 0, TYPE_ID);
    PUT(m, LABEL, m->free++);
}

static void call(struct maker *m, uint32_t id)
{
    PUT(m, FUNCTION_CALL, VOID_ID, m->free++, id);
}

static void end(struct maker *m)
{
    put(m, RETURN, NULL, 0);
    put(m, FUNCTION_END, NULL, 0);
}

static void put_kernel(struct maker *m, uint32_t number)
{
    const struct many_module *module = m->module;
    begin(m, m->kernels + number);
    for (uint32_t i = 0; i < module->imports; i++)
        call(m, m->imports + i);
    for (uint32_t i = number; i < module->exports; i += module->kernels)
        call(m, m->exports + i);
    if (module->chain > 0)
        call(m, m->chain);
    end(m);
}

static void put_functions(struct maker *m)
{
    const struct many_module *module = m->module;
    for (uint32_t i = 0; i < module->imports; i++) {
        PUT(m, FUNCTION, VOID_ID, m->imports + i, 0, TYPE_ID);
        put(m, FUNCTION_END, NULL, 0);
    }
    for (uint32_t i = 0; i < module->exports; i++) {
        begin(m, m->exports + i);
        end(m);
    }
    for (uint32_t i = 0; i < module->chain; i++) {
        begin(m, m->chain + i);
        if (i + 1 < module->chain)
            call(m, m->chain + i + 1);
        end(m);
    }
    for (uint32_t i = 0; i < module->kernels; i++)
        put_kernel(m, i);
}

// The header's bound of ids is known at the end.
static void set_bound(struct maker *m)
{
    memcpy(m->bytes->data + 3 * sizeof(uint32_t), &m->free, sizeof m->free);
}

void many_make(const struct many_module *module, mez_bytes *bytes)
{
    struct maker m = {.module = module, .bytes = bytes};
    m.kernels = FIRST_ID;
    m.imports = m.kernels + module->kernels;
    m.exports = m.imports + module->imports;
    m.chain = m.exports + module->exports;
    m.free = m.chain + module->chain;
    *bytes = (mez_bytes){0};
    const uint32_t header[] = {MAGIC, VERSION_1_0, 0, 0, 0};
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        mez_bytes_add_u32(bytes, header[i]);
    PUT(&m, CAPABILITY, 4);      // Addresses
    PUT(&m, CAPABILITY, 5);      // Linkage
    PUT(&m, CAPABILITY, 6);      // Kernel
    PUT(&m, MEMORY_MODEL, 2, 2); // Physical64, OpenCL
    put_interface(&m);
    PUT(&m, TYPE_VOID, VOID_ID);
    PUT(&m, TYPE_FUNCTION, TYPE_ID, VOID_ID);
    put_functions(&m);
    if (bytes->failed)
        abort();
    set_bound(&m);
}
