// SPDX-License-Identifier: MIT
//
// Walks through a module and applies the rules of rewriting.h. Most modules have nothing to rewrite and are left alone.

#include "rewriting.h"
#include "instructions.h"

#include <stdlib.h>
#include <string.h>

// How many words may come of a module; no compiler's comes near.
#define MOST_GROWTH 16
#define MOST_ADDED (1u << 20)

struct rule {
    uint32_t opcode;
    bool (*rewrite)(struct zc_rewriting *r, struct zc_source source);
    uint32_t least; // words that an instruction has that the rule is for
};

// An extraction of five words has one index.
static const struct rule rules[] = {
    {ZC_OP_CONSTANT_NULL, zc_rewrite_plain, 3},
    {ZC_OP_COPY_MEMORY, zc_rewrite_pointer, 3},
    {ZC_OP_GROUP_MEMBER_DECORATE, zc_rewrite_plain, 4},
    {ZC_OP_COMPOSITE_CONSTRUCT, zc_rewrite_composite, 4},
    {ZC_OP_COMPOSITE_EXTRACT, zc_rewrite_composite, 6},
    {ZC_OP_COMPOSITE_INSERT, zc_rewrite_composite, 7},
    {ZC_OP_IMAGE, zc_rewrite_plain, 4},
    {ZC_OP_QUANTIZE_TO_F16, zc_rewrite_plain, 4},
    {ZC_OP_I_ADD_CARRY, zc_rewrite_wide, 5},
    {ZC_OP_I_SUB_BORROW, zc_rewrite_wide, 5},
    {ZC_OP_U_MUL_EXTENDED, zc_rewrite_wide, 5},
    {ZC_OP_S_MUL_EXTENDED, zc_rewrite_wide, 5},
    {ZC_OP_SIZE_OF, zc_rewrite_pointer, 4},
    {ZC_OP_COPY_LOGICAL, zc_rewrite_composite, 4},
    {ZC_OP_PTR_EQUAL, zc_rewrite_pointer, 5},
    {ZC_OP_PTR_NOT_EQUAL, zc_rewrite_pointer, 5},
    {ZC_OP_PTR_DIFF, zc_rewrite_pointer, 5},
};

static const struct rule *find_rule(struct zc_source source)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].opcode == (source.words[0] & 0xffff))
            return source.length >= rules[i].least ? &rules[i] : NULL;
    }
    return NULL;
}

static struct zc_source source_at(const struct zc_words *words, size_t at)
{
    return (struct zc_source){words->data + at, words->data[at] >> 16};
}

static bool has_work(const struct zc_words *words)
{
    for (size_t at = ZC_SPIRV_HEADER_WORDS; at < words->count; at += words->data[at] >> 16) {
        if (find_rule(source_at(words, at)) != NULL)
            return true;
    }
    return false;
}

// ---- writing ----

static bool reserve(struct zc_rewriting *r, size_t more)
{
    if (r->count + more <= r->capacity)
        return true;
    r->is_too_large |= r->count + more > MOST_GROWTH * r->words->count + MOST_ADDED;
    if (r->is_too_large)
        return false;
    const size_t capacity = (r->count + more) * 2;
    uint32_t *data = realloc(r->data, capacity * sizeof(*data));
    if (data == NULL) {
        r->is_out_of_memory = true;
        return false;
    }
    r->data = data;
    r->capacity = capacity;
    return true;
}

void zc_rewriting_copy(struct zc_rewriting *r, const uint32_t *words, size_t count)
{
    if (!reserve(r, count))
        return;
    memcpy(r->data + r->count, words, count * sizeof(*words));
    r->count += count;
}

void zc_rewriting_write(
    struct zc_rewriting *r, uint32_t opcode, const uint32_t *operands, size_t count)
{
    const uint32_t first = (uint32_t)(count + 1) << 16 | opcode;
    zc_rewriting_copy(r, &first, 1);
    zc_rewriting_copy(r, operands, count);
}

uint32_t zc_rewriting_value(
    struct zc_rewriting *r, uint32_t opcode, uint32_t type, const uint32_t *operands, size_t count)
{
    const uint32_t id = r->bound++, head[3] = {(uint32_t)(count + 3) << 16 | opcode, type, id};
    zc_rewriting_copy(r, head, 3);
    zc_rewriting_copy(r, operands, count);
    return id;
}

// ---- reading ----

struct zc_source zc_rewriting_find(const struct zc_rewriting *r, uint32_t id)
{
    if (id >= r->read_bound || r->definitions[id] == 0)
        return (struct zc_source){0};
    return source_at(r->words, r->definitions[id]);
}

struct zc_source zc_rewriting_find_as(
    const struct zc_rewriting *r, uint32_t id, uint32_t opcode, uint32_t least)
{
    const struct zc_source source = zc_rewriting_find(r, id);
    const bool fits =
        source.length >= least && source.length > 0 && (source.words[0] & 0xffff) == opcode;
    return fits ? source : (struct zc_source){0};
}

uint32_t zc_rewriting_type_of(const struct zc_rewriting *r, uint32_t id)
{
    const struct zc_source source = zc_rewriting_find(r, id);
    const struct zc_instruction *known =
        source.length > 2 ? zc_instruction_find(source.words[0] & 0xffff) : NULL;
    return known != NULL && known->result == ZC_RESULT_TYPED ? source.words[1] : 0;
}

// No constant may be added here, as all come before the functions: -1 is what lacks no bit of 0.
uint32_t zc_rewriting_one(struct zc_rewriting *r, uint32_t type, uint32_t value)
{
    const uint32_t zero = ZC_VALUE(r, ZC_OP_I_SUB, type, value, value);
    return ZC_VALUE(r, ZC_OP_I_SUB, type, zero, ZC_VALUE(r, ZC_OP_NOT, type, zero));
}

static void note_definition(struct zc_rewriting *r, size_t at)
{
    static const char name[] = "OpenCL.std";
    const struct zc_source source = source_at(r->words, at);
    const uint32_t opcode = source.words[0] & 0xffff;
    const struct zc_instruction *known = zc_instruction_find(opcode);
    const uint32_t place = known == NULL || known->result == ZC_RESULT_NONE ? 0
                           : known->result == ZC_RESULT_TYPED               ? 2
                                                                            : 1;
    if (place == 0 || source.length <= place || source.words[place] >= r->read_bound)
        return;
    r->definitions[source.words[place]] = at;
    if (opcode == ZC_OP_EXT_INST_IMPORT && source.length == 2 + (sizeof(name) + 3) / 4 &&
        memcmp(source.words + 2, name, sizeof(name)) == 0)
        r->opencl_std = source.words[1];
    if (opcode == ZC_OP_TYPE_FLOAT && source.length > 2 && source.words[2] == 16)
        r->half = source.words[1];
}

// Damaged modules may say that there are more ids than there are words.
static bool start(struct zc_rewriting *r, const struct zc_words *words)
{
    *r = (struct zc_rewriting){.words = words, .bound = words->data[ZC_SPIRV_BOUND]};
    r->read_bound = r->bound < words->count ? r->bound : (uint32_t)words->count;
    r->definitions = calloc((size_t)r->read_bound + 1, sizeof(*r->definitions));
    if (r->definitions == NULL)
        return false;
    for (size_t at = ZC_SPIRV_HEADER_WORDS; at < words->count; at += words->data[at] >> 16)
        note_definition(r, at);
    zc_rewriting_copy(r, words->data, ZC_SPIRV_HEADER_WORDS);
    return !r->is_out_of_memory;
}

// ---- walking ----

// What rules may need is there before it is needed, whether or not one does.
static void add_missing(struct zc_rewriting *r, uint32_t opcode)
{
    static const uint32_t name[] = {0x6e65704f, 0x732e4c43, 0x00006474}; // "OpenCL.std"
    if (opcode == ZC_OP_MEMORY_MODEL && r->opencl_std == 0) {
        r->opencl_std = r->bound++;
        ZC_WRITE(r, ZC_OP_EXT_INST_IMPORT, r->opencl_std, name[0], name[1], name[2]);
    }
    if (opcode == ZC_OP_FUNCTION && r->half == 0) {
        r->half = r->bound++;
        ZC_WRITE(r, ZC_OP_TYPE_FLOAT, r->half, 16);
    }
}

static void rewrite_all(struct zc_rewriting *r)
{
    const struct zc_words *words = r->words;
    for (size_t at = ZC_SPIRV_HEADER_WORDS; at < words->count; at += words->data[at] >> 16) {
        const struct zc_source source = source_at(words, at);
        const struct rule *rule = find_rule(source);
        add_missing(r, source.words[0] & 0xffff);
        if (rule == NULL || !rule->rewrite(r, source))
            zc_rewriting_copy(r, source.words, source.length);
    }
}

bool zc_words_rewrite(struct zc_log *log, struct zc_words *words)
{
    if (!has_work(words))
        return true;
    struct zc_rewriting r;
    bool ok = start(&r, words);
    if (ok) {
        rewrite_all(&r);
        ok = !r.is_out_of_memory && !r.is_too_large;
    }
    free(r.definitions);
    if (!ok) {
        free(r.data);
        zc_log_add(log, "error: %s",
            r.is_too_large ? "the module is too large when copies and decorations are spelled out"
                           : "out of memory");
        return false;
    }
    r.data[ZC_SPIRV_BOUND] = r.bound;
    free(words->data);
    *words = (struct zc_words){r.data, r.count};
    return true;
}
