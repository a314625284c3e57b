// SPDX-License-Identifier: MIT
//
// SPIR-V as llvm-spirv may see it:
// - every instruction must lie within the module, every function have an end and every entry point
//   a function: llvm-spirv takes some truncated modules for whole ones;
// - FuncParamAttr decorations NoWrite and NoReadWrite are dropped (llvm-spirv-15 aborts on some of
//   them; they are only hints for optimisers), and so are hints at a work-group size by id;
// - SPIR-V 1.5 and 1.6 are presented as 1.4, the newest that llvm-spirv-15 accepts. What kernels
//   use of the newer versions has been there as extensions before;
// - what ze-cpu never has is refused (refused_words.c);
// - debug information names no address spaces (debug_words.c);
// - composites are made by insertions (composites.c);
// - what llvm-spirv-15 does not know becomes what it does (rewriting.c), or is dropped where it is only for people.

#include "words.h"
#include "debug_words.h"
#include "instructions.h"

#include <stdlib.h>
#include <string.h>

#define SPIRV_MAGIC 0x07230203u
#define SPIRV_NEWEST_ACCEPTED 0x00010400u
#define SPIRV_NEWEST_KNOWN 0x00010600u

enum {
    OP_SOURCE_CONTINUED = 2,
    OP_SOURCE = 3,
    OP_ENTRY_POINT = 15,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_DECORATE = 71,
    OP_EXECUTION_MODE_ID = 331,
    OP_DECORATE_STRING = 5632,
    OP_MEMBER_DECORATE_STRING = 5633,
};
enum { SOURCE_LENGTH = 4 };
enum { MODE_LOCAL_SIZE_HINT_ID = 39 };
enum { DECORATION_FUNC_PARAM_ATTR = 38, ATTRIBUTE_NO_WRITE = 6, ATTRIBUTE_NO_READ_WRITE = 7 };

// The functions of entry points, which come before all functions.
struct awaited {
    bool *ids; // of each id below `bound`: it is an entry point's function and has not come yet
    uint32_t bound;
    size_t count;
};

// Entry points may share a function.
static void await(struct awaited *awaited, uint32_t id)
{
    if (id >= awaited->bound || awaited->ids[id])
        return;
    awaited->ids[id] = true;
    awaited->count++;
}

static void arrive(struct awaited *awaited, uint32_t id)
{
    if (id >= awaited->bound || !awaited->ids[id])
        return;
    awaited->ids[id] = false;
    awaited->count--;
}

static void follow(struct awaited *awaited, const uint32_t *instruction, size_t length)
{
    const uint32_t opcode = instruction[0] & 0xffff;
    if (length < 3)
        return;
    if (opcode == OP_ENTRY_POINT)
        await(awaited, instruction[2]);
    else if (opcode == OP_FUNCTION)
        arrive(awaited, instruction[2]);
}

static bool is_dropped(const uint32_t *instruction, uint32_t length)
{
    switch (instruction[0] & 0xffff) {
    case OP_SOURCE_CONTINUED:
    case OP_DECORATE_STRING:
    case OP_MEMBER_DECORATE_STRING:
        return true;
    case OP_DECORATE:
        return length == 4 && instruction[2] == DECORATION_FUNC_PARAM_ATTR &&
               (instruction[3] == ATTRIBUTE_NO_WRITE || instruction[3] == ATTRIBUTE_NO_READ_WRITE);
    case OP_EXECUTION_MODE_ID:
        return length > 2 && instruction[2] == MODE_LOCAL_SIZE_HINT_ID;
    default:
        return false;
    }
}

// The text of the source, behind language, version and file: llvm-spirv-15 takes it for what follows.
static void drop_source_text(uint32_t *instruction)
{
    if ((instruction[0] & 0xffff) == OP_SOURCE && instruction[0] >> 16 > SOURCE_LENGTH)
        instruction[0] = SOURCE_LENGTH << 16 | OP_SOURCE;
}

static bool header_is_sane(struct zc_log *log, const void *spirv, size_t size)
{
    uint32_t header[ZC_SPIRV_HEADER_WORDS];
    if (size < sizeof(header) || size % sizeof(uint32_t) != 0) {
        zc_log_add(log, "error: not SPIR-V: a module can't have %zu bytes", size);
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
static bool compact(
    struct zc_words *words, struct zc_debug_words *debug, struct awaited *awaited, size_t *at)
{
    uint32_t *data = words->data;
    size_t kept = ZC_SPIRV_HEADER_WORDS;
    bool in_function = false;
    size_t length;
    for (*at = ZC_SPIRV_HEADER_WORDS; *at < words->count; *at += length) {
        const uint32_t opcode = data[*at] & 0xffff;
        length = data[*at] >> 16;
        if (length == 0 || length > words->count - *at)
            return false;
        follow(awaited, data + *at, length);
        in_function = opcode == OP_FUNCTION || (in_function && opcode != OP_FUNCTION_END);
        if (is_dropped(data + *at, (uint32_t)length))
            continue;
        memmove(data + kept, data + *at, length * sizeof(uint32_t));
        drop_source_text(data + kept);
        kept += zc_debug_words_plain(debug, data + kept);
    }
    words->count = kept;
    return !in_function && awaited->count == 0;
}

static bool clean(struct zc_log *log, struct zc_words *words)
{
    struct zc_debug_words debug;
    size_t at = 0;
    if (words->data[1] > SPIRV_NEWEST_ACCEPTED)
        words->data[1] = SPIRV_NEWEST_ACCEPTED;
    const bool has_marks = zc_debug_words_init(&debug, words->data[ZC_SPIRV_BOUND]);
    struct awaited awaited = {.bound = debug.bound};
    awaited.ids = calloc((size_t)awaited.bound + 1, sizeof(*awaited.ids));
    const bool has_memory = has_marks && awaited.ids != NULL;
    const bool ok = has_memory && compact(words, &debug, &awaited, &at);
    free(awaited.ids);
    zc_debug_words_finish(&debug);
    if (has_memory && !ok)
        zc_log_add(log, "error: truncated or damaged SPIR-V at word %zu", at);
    return ok;
}

bool zc_words_read(struct zc_log *log, const struct zc_spirv *spirv, struct zc_words *words)
{
    if (!header_is_sane(log, spirv->bytes, spirv->size))
        return false;
    *words = (struct zc_words){malloc(spirv->size), spirv->size / sizeof(uint32_t)};
    if (words->data == NULL)
        return false;
    memcpy(words->data, spirv->bytes, spirv->size);
    if (clean(log, words) && zc_instructions_accept(log, words) &&
        zc_specialise(log, words, &spirv->constants) && zc_composites_spell_out(log, words) &&
        zc_words_rewrite(log, words))
        return true;
    free(words->data);
    return false;
}
