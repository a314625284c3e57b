// SPDX-License-Identifier: MIT
//
// Writing linked modules section by section: once to measure, once into the words.

#include "base/alloc.h"
#include "spirv/id_operands.h"
#include "spirv/ids.h"
#include "spirv/link_parts.h"
#include "spirv/words.h"

struct writer {
    const struct mez_spirv_linker *linker;
    struct mez_spirv_words out;
    uint32_t *next;                             // for each part: the next piece
    const struct mez_spirv_link_place *globals; // in their order
    uint32_t global_count;
    const struct mez_spirv_link_part *line_part;
    uint32_t line; // of that part: word of the OpLine that holds; 0: none
    const struct mez_spirv_link_part *broken; // uses what stands in a function that is left out
};

static bool is_declared_before(
    const struct mez_spirv_linker *linker, uint32_t part, const uint32_t *capability)
{
    for (uint32_t p = 0; p < part; p++) {
        const struct mez_spirv_module *module = linker->parts[p].module;
        for (uint32_t i = 0; i < module->capability_count; i++) {
            if (module->capabilities[i] == *capability)
                return true;
        }
    }
    return false;
}

static bool is_extended_before(
    const struct mez_spirv_linker *linker, uint32_t part, const char *extension)
{
    for (uint32_t p = 0; p < part; p++) {
        const struct mez_spirv_module *module = linker->parts[p].module;
        for (uint32_t i = 0; i < module->extension_count; i++) {
            if (strcmp(module->extensions[i], extension) == 0)
                return true;
        }
    }
    return false;
}

static void write_declarations(struct writer *writer)
{
    const struct mez_spirv_linker *linker = writer->linker;
    for (uint32_t p = 0; p < linker->count; p++) {
        const struct mez_spirv_module *module = linker->parts[p].module;
        for (uint32_t i = 0; i < module->capability_count; i++) {
            const uint32_t words[] = {2u << 16 | MEZ_OP_Capability, module->capabilities[i]};
            if (!is_declared_before(linker, p, &module->capabilities[i]))
                mez_spirv_add_words(&writer->out, words, 2);
        }
    }
    for (uint32_t p = 0; p < linker->count; p++) {
        const struct mez_spirv_module *module = linker->parts[p].module;
        for (uint32_t i = 0; i < module->extension_count; i++) {
            const uint32_t *name = (const uint32_t *)module->extensions[i];
            if (!is_extended_before(linker, p, module->extensions[i]))
                mez_spirv_add_words(&writer->out, name - 1, name[-1] >> 16);
        }
    }
}

// Whether the id stands inside a function that is left out: no valid module uses it elsewhere.
static bool is_lost(const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    return def->function != MEZ_SPIRV_NO_INDEX && !mez_spirv_is_linked(part, id);
}

// Only variables themselves may be a kernel's interface.
static uint32_t id_in(const struct mez_spirv_link_part *part, uint16_t opcode, uint32_t id)
{
    const bool is_interface =
        opcode == MEZ_OP_EntryPoint && !mez_spirv_find_function(part->module, id);
    const uint32_t target = is_interface ? mez_spirv_passes_to(part, id) : 0;
    return target ? target : mez_spirv_linked_id(part, id);
}

// Copies an instruction, or its first `count` words, with the ids of the result.
static void write_part_of(struct writer *writer, const struct mez_spirv_link_part *part,
    struct mez_spirv_instruction in, uint32_t count)
{
    const size_t start = writer->out.count;
    mez_spirv_add_words(&writer->out, in.words, count);
    if (!writer->out.words)
        return;
    struct mez_spirv_id_iter iter = mez_spirv_ids(part->module, in);
    struct mez_spirv_id id;
    while (mez_spirv_next_id(&iter, &id)) {
        const uint32_t linked = id_in(part, in.opcode, id.value);
        if (linked && id.at - in.at < count)
            writer->out.words[start + (id.at - in.at)] = linked;
        if (linked && id.kind == MEZ_ID_USE && is_lost(part, id.value))
            writer->broken = part;
    }
}

// A source line may name a text that nothing defines: such a number would be another id in the result.
static bool has_its_ids(const struct mez_spirv_link_part *part, struct mez_spirv_instruction in)
{
    return in.opcode != MEZ_OP_Line || mez_spirv_linked_id(part, in.words[1]);
}

static void write_instruction(
    struct writer *writer, const struct mez_spirv_link_part *part, struct mez_spirv_instruction in)
{
    if (has_its_ids(part, in))
        write_part_of(writer, part, in, in.length);
}

// The group, then those of its targets that are there, with what belongs to each.
static void write_group(struct writer *writer, const struct mez_spirv_link_part *part,
    struct mez_spirv_instruction in, struct mez_spirv_subjects subjects)
{
    const size_t start = writer->out.count;
    write_part_of(writer, part, in, subjects.first);
    for (uint32_t i = subjects.first; i + subjects.step <= in.length; i += subjects.step) {
        const uint32_t target = mez_spirv_linked_id(part, in.words[i]);
        if (!mez_spirv_is_linked(part, in.words[i]) || mez_spirv_passes_to(part, in.words[i]))
            continue;
        mez_spirv_add_words(&writer->out, &target, 1);
        mez_spirv_add_words(&writer->out, in.words + i + 1, subjects.step - 1);
    }
    mez_spirv_close_instruction(&writer->out, start, in.opcode);
}

static bool is_group(uint16_t opcode)
{
    return opcode == MEZ_OP_GroupDecorate || opcode == MEZ_OP_GroupMemberDecorate;
}

// What is said of a variable says nothing of a pointer to another one; an adapted function is nobody's import or export.
static bool is_of_adapted(
    const struct mez_spirv_link_part *part, struct mez_spirv_instruction in, uint32_t subject)
{
    const bool links = in.opcode == MEZ_OP_Decorate && in.length > 2 &&
                       in.words[2] == MEZ_DECORATION_LINKAGE_ATTRIBUTES;
    return mez_spirv_passes_to(part, subject) &&
           (links || !mez_spirv_find_function(part->module, subject));
}

// Whether the piece is left out: what it defines is another's, or what it speaks of is. One module has one memory model.
static bool is_left_out(const struct writer *writer, const struct mez_spirv_link_part *part,
    struct mez_spirv_instruction in)
{
    const uint32_t result = mez_spirv_result_of(in);
    if (result && !mez_spirv_is_linked(part, result))
        return true;
    if (in.opcode == MEZ_OP_MemoryModel)
        return part != &writer->linker->parts[0];
    const struct mez_spirv_subjects subjects = mez_spirv_subjects(part->module, in);
    const bool describes = in.opcode == MEZ_OP_ExtInst;
    if (!subjects.step || describes || is_group(in.opcode))
        return false;
    const uint32_t subject = in.words[subjects.first];
    return !mez_spirv_is_linked(part, subject) || is_of_adapted(part, in, subject);
}

static void write_line(struct writer *writer, const struct mez_spirv_link_part *part, uint32_t line)
{
    static const uint32_t no_line = 1u << 16 | MEZ_OP_NoLine;
    if (line == writer->line && (!line || part == writer->line_part))
        return;
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(part->module, line);
    const bool known = line && has_its_ids(part, in);
    if (known)
        write_instruction(writer, part, in);
    else if (writer->line)
        mez_spirv_add_words(&writer->out, &no_line, 1);
    writer->line = known ? line : 0;
    writer->line_part = part;
}

// False: it is to be written as it is.
static bool write_otherwise(
    struct writer *writer, const struct mez_spirv_link_part *part, struct mez_spirv_instruction in)
{
    const uint32_t result = mez_spirv_result_of(in);
    if (in.opcode == MEZ_OP_Name && mez_spirv_is_renamed(part, in.words[1])) {
        mez_spirv_write_new_name(&writer->out, part, in.words[1]);
        return true;
    }
    if (!result || !mez_spirv_passes_to(part, result))
        return false;
    if (in.opcode == MEZ_OP_Variable) // adapted functions are written behind all others
        mez_spirv_write_adapted_variable(&writer->out, part, result);
    return true;
}

static void write_piece(struct writer *writer, const struct mez_spirv_link_part *part,
    const struct mez_spirv_piece *piece)
{
    const struct mez_spirv_instruction first = mez_spirv_instruction_at(part->module, piece->first);
    if (is_left_out(writer, part, first))
        return;
    if (write_otherwise(writer, part, first))
        return;
    write_line(writer, part, piece->line);
    if (is_group(first.opcode)) {
        write_group(writer, part, first, mez_spirv_subjects(part->module, first));
        return;
    }
    mez_spirv_each_instruction(part->module, in, piece->first, piece->end)
        write_instruction(writer, part, in);
    if (first.opcode == MEZ_OP_Function)
        writer->line = 0;
}

// The pieces of one section of all modules.
static void write_section(struct writer *writer, enum mez_spirv_section section)
{
    for (uint32_t p = 0; p < writer->linker->count; p++) {
        const struct mez_spirv_link_part *part = &writer->linker->parts[p];
        uint32_t *next = &writer->next[p];
        for (; *next < part->pieces->count && part->pieces->pieces[*next].section == section;
             ++*next) {
            if (section != MEZ_SPIRV_SECTION_GLOBALS)
                write_piece(writer, part, &part->pieces->pieces[*next]);
        }
    }
}

static void write_globals(struct writer *writer)
{
    for (uint32_t i = 0; i < writer->global_count; i++) {
        const struct mez_spirv_link_place place = writer->globals[i];
        const struct mez_spirv_link_part *part = &writer->linker->parts[place.part];
        write_piece(writer, part, &part->pieces->pieces[place.piece]);
    }
    mez_spirv_write_adapter_types(&writer->out, writer->linker);
}

static void write_header(struct writer *writer)
{
    const struct mez_spirv_linker *linker = writer->linker;
    uint32_t minor = 0;
    for (uint32_t i = 0; i < linker->count; i++) {
        const uint32_t other = linker->parts[i].module->minor_version;
        minor = other > minor ? other : minor;
    }
    const uint32_t header[MEZ_SPIRV_HEADER_WORDS] = {MEZ_SPIRV_MAGIC, 1u << 16 | minor << 8,
        linker->parts[0].module->generator, linker->bound, 0};
    mez_spirv_add_words(&writer->out, header, MEZ_SPIRV_HEADER_WORDS);
}

static void write_module(struct writer *writer)
{
    for (uint32_t i = 0; i < writer->linker->count; i++)
        writer->next[i] = 0;
    writer->line = 0;
    writer->out.count = 0;
    write_header(writer);
    write_declarations(writer);
    for (int section = 0; section < MEZ_SPIRV_SECTION_COUNT; section++) {
        write_section(writer, (enum mez_spirv_section)section);
        if (section == MEZ_SPIRV_SECTION_GLOBALS)
            write_globals(writer);
    }
    for (uint32_t i = 0; i < writer->linker->adapter_count; i++)
        mez_spirv_write_adapter(&writer->out, writer->linker, &writer->linker->adapters[i]);
}

// Once to measure, once into the words.
static enum mez_spirv_status write_twice(struct writer *writer)
{
    write_module(writer);
    if (writer->out.count > UINT32_MAX - UINT16_MAX)
        return mez_spirv_fail(writer->linker->problem, MEZ_SPIRV_TOO_LARGE, 0,
            "together the modules have more words than SPIR-V allows");
    writer->out.words = mez_alloc_array(writer->out.count, sizeof *writer->out.words);
    if (!writer->out.words)
        return mez_spirv_link_no_memory(writer->linker);
    write_module(writer);
    if (!writer->broken)
        return MEZ_SPIRV_OK;
    mez_free_memory(writer->out.words);
    return mez_spirv_fail(writer->linker->problem, MEZ_SPIRV_CONFLICT, 0,
        "'%.80s' uses ids of a function outside it", writer->broken->name);
}

enum mez_spirv_status mez_spirv_link_write(
    struct mez_spirv_linker *linker, uint32_t **words, uint32_t *word_count)
{
    struct writer writer = {.linker = linker};
    struct mez_spirv_link_place *globals;
    enum mez_spirv_status status = mez_spirv_link_order(linker, &globals, &writer.global_count);
    writer.globals = globals;
    writer.next = status ? NULL : mez_alloc_array(linker->count, sizeof *writer.next);
    if (!status)
        status = writer.next ? write_twice(&writer) : mez_spirv_link_no_memory(linker);
    mez_free_memory(writer.next);
    mez_free_memory(globals);
    if (status)
        return status;
    *words = writer.out.words;
    *word_count = (uint32_t)writer.out.count;
    return status;
}
