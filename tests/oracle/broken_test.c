// SPDX-License-Identifier: MIT
//
// Broken modules: nothing that we refuse may be right. What Intel's compiler does not take, or takes in silence though
// kernels are missing, is judged by spirv-val where it says otherwise than we do. The reader is not a validator: what it lets
// pass may still fail in the compiler, whose log then says why.
//
// Usage: broken_test OCLOC SPIRV_VAL MODULE.spv

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../unit/spirv/files.h"
#include "compiler.h"
#include "folder.h"
#include "spirv/module.h"
#include "subjects.h"

enum { TRUNCATIONS = 12, FLIPS = 48, NAME_ROOM = 64 };

// One damaged copy.
struct damaged {
    char name[NAME_ROOM];
    void *bytes;
    size_t size;
    struct mez_spirv_problem problem; // ours; status OK: we accept it
};

struct all_damaged {
    struct damaged *items;
    size_t count, room;
    const uint32_t *words; // of the whole one
    size_t word_count;
};

// --- Damaging

static uint32_t *add(struct all_damaged *all, const char *name, size_t number)
{
    if (all->count == all->room) {
        fprintf(stderr, "no room for another damage\n");
        exit(1);
    }
    struct damaged *damaged = &all->items[all->count++];
    snprintf(damaged->name, sizeof damaged->name, "%s %zu", name, number);
    damaged->size = all->word_count * sizeof *all->words;
    damaged->bytes = malloc(damaged->size);
    if (!damaged->bytes)
        exit(1);
    memcpy(damaged->bytes, all->words, damaged->size);
    return damaged->bytes;
}

static void cut(struct all_damaged *all)
{
    for (size_t i = 1; i <= TRUNCATIONS; i++) {
        const size_t left = all->word_count * i / (TRUNCATIONS + 1);
        add(all, "cut to words:", left);
        all->items[all->count - 1].size = left * sizeof *all->words;
    }
    add(all, "cut within word", all->word_count - 1);
    all->items[all->count - 1].size -= 2;
}

static void spoil_header(struct all_damaged *all)
{
    add(all, "no magic", 0)[0] = 0;
    add(all, "version 2.0:", 1)[1] = 0x00020000;
    add(all, "no ids: bound", 0)[3] = 0;
    add(all, "few ids: bound", 5)[3] = 5;
    uint32_t *turned = add(all, "other byte order", 0);
    for (size_t i = 0; i < all->word_count; i++)
        turned[i] = __builtin_bswap32(turned[i]);
}

// The word at which the `number`-th instruction with this opcode begins; 0: there is none.
static size_t find(const struct all_damaged *all, uint16_t opcode, size_t number)
{
    for (size_t at = MEZ_SPIRV_HEADER_WORDS; at < all->word_count; at += all->words[at] >> 16) {
        if ((all->words[at] & 0xFFFF) == opcode && number-- == 0)
            return at;
    }
    return 0;
}

static void spoil_word(
    struct all_damaged *all, const char *name, uint16_t opcode, size_t operand, uint32_t value)
{
    const size_t at = find(all, opcode, 0);
    if (at)
        add(all, name, at)[at + operand] = value;
}

static void spoil_instructions(struct all_damaged *all)
{
    spoil_word(all, "instruction of no words at", MEZ_OP_TypePointer, 0, MEZ_OP_TypePointer);
    spoil_word(
        all, "instruction past the end at", MEZ_OP_TypePointer, 0, 0xFFFF0000 | MEZ_OP_TypePointer);
    spoil_word(all, "pointer to nothing at", MEZ_OP_TypePointer, 3, 0x1000);
    spoil_word(all, "unknown type of a load at", MEZ_OP_Load, 1, 0x1000);
    spoil_word(all, "loaded from nothing at", MEZ_OP_Load, 3, 0x1000);
    spoil_word(all, "id past the bound at", MEZ_OP_Load, 2, 0x7FFFFFFF);
    spoil_word(all, "kernel that is not a function at", MEZ_OP_EntryPoint, 2, 1);
    spoil_word(all, "no end of a function at", MEZ_OP_FunctionEnd, 0, 0x10000 | MEZ_OP_Nop);
    spoil_word(all, "no beginning of a function at", MEZ_OP_Function, 0, 0x50000 | MEZ_OP_Nop);
    spoil_word(all, "instruction of no known kind at", MEZ_OP_Load, 0, 0x40000 | 60000);
    spoil_word(all, "missing operand at", MEZ_OP_Load, 0, 0x20000 | MEZ_OP_Load);
}

// A small generator is enough: the same bits in every run.
static void flip_bits(struct all_damaged *all)
{
    uint64_t state = 1;
    for (size_t i = 0; i < FLIPS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const size_t word = (size_t)(state >> 33) % all->word_count;
        const unsigned bit = (unsigned)(state >> 27) % 32;
        add(all, "flipped bit", word * 32 + bit)[word] ^= UINT32_C(1) << bit;
    }
}

// --- Asking both

static void ask_us(struct damaged *damaged)
{
    struct mez_spirv_module *module = NULL;
    damaged->problem = (struct mez_spirv_problem){0};
    mez_spirv_module_create(damaged->bytes, damaged->size, &damaged->problem, &module);
    mez_spirv_module_destroy(&module);
}

static bool ask_both(const char *ocloc, struct all_damaged *all, struct compilation *compilations)
{
    for (size_t i = 0; i < all->count; i++) {
        ask_us(&all->items[i]);
        compilations[i] = (struct compilation){
            .bytes = all->items[i].bytes,
            .size = all->items[i].size,
            .device = "tgllp", // all versions of the compiler know it
        };
    }
    return compile_all(ocloc, compilations, all->count);
}

// False also where it can't be asked.
static bool is_invalid(const char *validator, const struct damaged *damaged)
{
    char folder[] = "/tmp/mez_oracle.XXXXXX", path[64], command[512];
    if (!mkdtemp(folder))
        return false;
    snprintf(path, sizeof path, "%s/module.spv", folder);
    snprintf(command, sizeof command, "%s --target-env spv1.4 %s >/dev/null 2>&1", validator, path);
    const bool written = write_bytes(path, damaged->bytes, damaged->size);
    const int status = written ? system(command) : 0;
    remove_folder(folder);
    return written && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

// --- Comparing

struct counts {
    size_t both_refuse, both_accept, in_silence, only_theirs, wrong;
    size_t spared_crashes, crashes; // of the compiler: where we refuse, and where not
};

static void count(const struct damaged *damaged, const struct compilation *answer,
    const char *validator, struct counts *counts)
{
    const bool crashed = !answer->builds && answer->about == ABOUT_CRASH;
    if (!damaged->problem.status) {
        *(answer->builds ? &counts->both_accept : &counts->only_theirs) += 1;
        counts->crashes += crashed;
    } else if (!answer->builds) {
        counts->both_refuse++;
        counts->spared_crashes += crashed;
    } else if (is_invalid(validator, damaged)) {
        counts->in_silence++;
    } else {
        counts->wrong++;
        fprintf(stderr, "%s: it is valid and builds, and we say: %s\n", damaged->name,
            damaged->problem.text);
    }
}

static int report(
    const struct all_damaged *all, const struct compilation *compilations, const char *validator)
{
    struct counts counts = {0};
    for (size_t i = 0; i < all->count; i++)
        count(&all->items[i], &compilations[i], validator, &counts);
    printf("both refuse: %zu, of which %zu would have ended the compiler's process\n",
        counts.both_refuse, counts.spared_crashes);
    printf("both accept: %zu\n", counts.both_accept);
    printf("we refuse, %zu times: what the compiler builds in silence and spirv-val refuses, as "
           "modules that end too early\n",
        counts.in_silence);
    printf("the compiler refuses, %zu times, of which %zu end its process: what only a validator "
           "sees\n",
        counts.only_theirs, counts.crashes);
    printf("%zu passed, %zu failed, 0 skipped\n", all->count - counts.wrong, counts.wrong);
    return counts.wrong != 0;
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 4 || !*arguments[1]) {
        printf("skip: there is no ocloc\n");
        return 77;
    }
    struct all_damaged all = {.room = TRUNCATIONS + FLIPS + 32};
    size_t size;
    void *bytes = read_whole_file(arguments[3], &size);
    all.words = bytes;
    all.word_count = size / sizeof *all.words;
    all.items = calloc(all.room, sizeof *all.items);
    struct compilation *compilations = calloc(all.room, sizeof *compilations);
    if (!all.items || !compilations)
        return 1;

    cut(&all);
    spoil_header(&all);
    spoil_instructions(&all);
    flip_bits(&all);
    const int code =
        ask_both(arguments[1], &all, compilations) ? report(&all, compilations, arguments[2]) : 1;

    for (size_t i = 0; i < all.count; i++)
        free(all.items[i].bytes);
    free(all.items);
    free(compilations);
    free(bytes);
    return code;
}
