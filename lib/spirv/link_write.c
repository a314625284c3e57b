// SPDX-License-Identifier: MIT
//
// Writing linked modules section by section: once to measure, once into the words.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/link_parts.h"
#include "spirv/reader.h"
#include "spirv/rewrite.h"

// --- Names

// Does the function get a name of its own, because another one has its name?
static bool is_renamed(const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    return def && part->is_renamed[mez_spirv_def_index(part->module, def)];
}

// Compilers put numbers behind full stops, and no words; no two ids are the same.
static void write_new_name(
    struct mez_spirv_words *out, const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    const char *name = (const char *)(part->module->words + def->name);
    const uint32_t linked = mez_spirv_linked_id(part, id);
    uint32_t words[64] = {0};
    snprintf((char *)words, sizeof words, "%.200s.linked.%" PRIu32, name, linked);
    const size_t start = out->count;
    const uint32_t head[] = {0, linked};
    mez_spirv_add_words(out, head, 2);
    mez_spirv_add_words(out, words, strlen((const char *)words) / sizeof *words + 1);
    mez_spirv_close_instruction(out, start, MEZ_OP_Name);
}

// --- What stands for symbols whose types differ in what pointers point to
//
// Each module goes on with its own type: a function of that type calls the one that is there, and a pointer of that type is made
// of the variable's address.

// The ids of an adapter: its label and its call; then five for the result, and for each parameter.
enum { ID_LABEL, ID_CALL, ID_VALUES };
// Those of a value that passes from one type to another: pointers to each, a variable, its address, the value afterwards.
enum { OF_SOURCE_POINTER, OF_TARGET_POINTER, OF_VARIABLE, OF_ADDRESS, OF_VALUE, IDS_OF_VALUE };
_Static_assert((int)ID_VALUES == (int)MEZ_SPIRV_IDS_OF_ADAPTER &&
                   (int)IDS_OF_VALUE == (int)MEZ_SPIRV_IDS_OF_VALUE,
    "as many as link.c leaves room for");

static void add(struct mez_spirv_words *out, uint16_t opcode, const uint32_t *words, uint32_t count)
{
    const uint32_t head = (count + 1) << 16 | opcode;
    mez_spirv_add_words(out, &head, 1);
    mez_spirv_add_words(out, words, count);
}

#define ADD(out, opcode, ...)                                  \
    add(out, MEZ_OP_##opcode, (const uint32_t[]){__VA_ARGS__}, \
        (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))

static void write_adapted_variable(
    struct mez_spirv_words *out, const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    ADD(out, SpecConstantOp, mez_spirv_linked_id(part, def->type), mez_spirv_linked_id(part, id),
        MEZ_OP_Bitcast, mez_spirv_passes_to(part, id));
}

// A value that passes from one type to another.
struct value {
    uint32_t source_type, target_type;
    uint32_t source;
    uint32_t first_id; // of those that it needs
    bool is_pointer;
};

static uint32_t id_of(const struct value *value, uint32_t which)
{
    return value->first_id + which;
}

static bool is_same(const struct value *value)
{
    return value->source_type == value->target_type;
}

// Pointers are cast; what holds pointers is stored as one type and loaded as the other.
static bool needs_memory(const struct value *value)
{
    return !is_same(value) && !value->is_pointer;
}

static void add_pointer_types(struct mez_spirv_words *out, const struct value *value)
{
    if (!needs_memory(value))
        return;
    ADD(out, TypePointer, id_of(value, OF_SOURCE_POINTER), MEZ_STORAGE_FUNCTION,
        value->source_type);
    ADD(out, TypePointer, id_of(value, OF_TARGET_POINTER), MEZ_STORAGE_FUNCTION,
        value->target_type);
}

static void add_variable(struct mez_spirv_words *out, const struct value *value)
{
    if (needs_memory(value))
        ADD(out, Variable, id_of(value, OF_SOURCE_POINTER), id_of(value, OF_VARIABLE),
            MEZ_STORAGE_FUNCTION);
}

// Returns the id of the value afterwards.
static uint32_t add_cast(struct mez_spirv_words *out, const struct value *value)
{
    if (is_same(value))
        return value->source;
    if (value->is_pointer) {
        ADD(out, Bitcast, value->target_type, id_of(value, OF_VALUE), value->source);
    } else {
        ADD(out, Store, id_of(value, OF_VARIABLE), value->source);
        ADD(out, Bitcast, id_of(value, OF_TARGET_POINTER), id_of(value, OF_ADDRESS),
            id_of(value, OF_VARIABLE));
        ADD(out, Load, value->target_type, id_of(value, OF_VALUE), id_of(value, OF_ADDRESS));
    }
    return id_of(value, OF_VALUE);
}

// Both sides of an adapter.
struct sides {
    const struct mez_spirv_link_adapter *adapter;
    const struct mez_spirv_link_part *caller, *callee;
    const struct mez_spirv_function *function, *called;
    struct mez_spirv_instruction type, called_type;
};

static struct sides sides_of(
    const struct mez_spirv_linker *linker, const struct mez_spirv_link_adapter *adapter)
{
    struct sides sides = {.adapter = adapter, .caller = &linker->parts[adapter->part]};
    sides.function = &sides.caller->module->functions[adapter->function];
    uint32_t part;
    const struct mez_spirv_def *called =
        mez_spirv_linked_def(linker, mez_spirv_passes_to(sides.caller, sides.function->id), &part);
    sides.callee = &linker->parts[part];
    sides.called = mez_spirv_find_function(sides.callee->module, called->id);
    sides.type = mez_spirv_type_of_function(sides.caller->module, sides.function);
    sides.called_type = mez_spirv_type_of_function(sides.callee->module, sides.called);
    return sides;
}

static bool is_pointer(const struct mez_spirv_link_part *part, uint32_t type)
{
    const struct mez_spirv_type *found = mez_spirv_find_type(part->module, type);
    return found && found->opcode == MEZ_OP_TypePointer;
}

static struct value parameter_of(const struct sides *sides, uint32_t number)
{
    const struct mez_spirv_module *module = sides->caller->module;
    const uint32_t type = sides->type.words[3 + number];
    return (struct value){
        .source_type = mez_spirv_linked_id(sides->caller, type),
        .target_type = mez_spirv_linked_id(sides->callee, sides->called_type.words[3 + number]),
        .source = mez_spirv_linked_id(
            sides->caller, module->params[sides->function->first_param + number]),
        .first_id = sides->adapter->first_id + ID_VALUES + IDS_OF_VALUE * (number + 1),
        .is_pointer = is_pointer(sides->caller, type),
    };
}

static struct value result_of(const struct sides *sides)
{
    const uint32_t type = sides->type.words[2];
    return (struct value){
        .source_type = mez_spirv_linked_id(sides->callee, sides->called_type.words[2]),
        .target_type = mez_spirv_linked_id(sides->caller, type),
        .source = sides->adapter->first_id + ID_CALL,
        .first_id = sides->adapter->first_id + ID_VALUES,
        .is_pointer = is_pointer(sides->caller, type),
    };
}

static void write_adapter_types(struct mez_spirv_words *out, const struct mez_spirv_linker *linker)
{
    for (uint32_t i = 0; i < linker->adapters.count; i++) {
        const struct sides sides = sides_of(linker, &linker->adapters.items[i]);
        const struct value result = result_of(&sides);
        add_pointer_types(out, &result);
        for (uint32_t j = 0; j < sides.function->param_count; j++) {
            const struct value value = parameter_of(&sides, j);
            add_pointer_types(out, &value);
        }
    }
}

// Whether it is inlined is the compiler's to choose: Intel's crashes where functions that call each other are to be inlined.
static void add_head(struct mez_spirv_words *out, const struct sides *sides)
{
    const struct mez_spirv_module *module = sides->caller->module;
    const struct mez_spirv_instruction head =
        mez_spirv_instruction_at(module, sides->function->first);
    ADD(out, Function, mez_spirv_linked_id(sides->caller, head.words[1]),
        mez_spirv_linked_id(sides->caller, head.words[2]),
        head.words[3] & ~(uint32_t)(MEZ_FUNCTION_INLINE | MEZ_FUNCTION_DONT_INLINE),
        mez_spirv_linked_id(sides->caller, head.words[4]));
    for (uint32_t i = 0; i < sides->function->param_count; i++) {
        const struct value value = parameter_of(sides, i);
        ADD(out, FunctionParameter, value.source_type, value.source);
    }
}

static void add_variables(struct mez_spirv_words *out, const struct sides *sides)
{
    const struct value result = result_of(sides);
    add_variable(out, &result);
    for (uint32_t i = 0; i < sides->function->param_count; i++) {
        const struct value value = parameter_of(sides, i);
        add_variable(out, &value);
    }
}

// The casts come first, and then the words that name what they give: both are the same walk.
static void add_call(struct mez_spirv_words *out, const struct sides *sides)
{
    struct mez_spirv_words nowhere = {0};
    for (uint32_t i = 0; i < sides->function->param_count; i++) {
        const struct value value = parameter_of(sides, i);
        add_cast(out, &value);
    }
    const size_t start = out->count;
    const uint32_t head[] = {0, mez_spirv_linked_id(sides->callee, sides->called_type.words[2]),
        sides->adapter->first_id + ID_CALL,
        mez_spirv_passes_to(sides->caller, sides->function->id)};
    mez_spirv_add_words(out, head, 4);
    for (uint32_t i = 0; i < sides->function->param_count; i++) {
        const struct value value = parameter_of(sides, i);
        const uint32_t id = add_cast(&nowhere, &value);
        mez_spirv_add_words(out, &id, 1);
    }
    mez_spirv_close_instruction(out, start, MEZ_OP_FunctionCall);
}

static void add_return(struct mez_spirv_words *out, const struct sides *sides)
{
    const struct value result = result_of(sides);
    const struct mez_spirv_type *type =
        mez_spirv_find_type(sides->caller->module, sides->type.words[2]);
    if (type && type->opcode == MEZ_OP_TypeVoid) {
        add(out, MEZ_OP_Return, NULL, 0);
    } else {
        const uint32_t id = add_cast(out, &result);
        ADD(out, ReturnValue, id);
    }
}

static void write_adapter(struct mez_spirv_words *out, const struct mez_spirv_linker *linker,
    const struct mez_spirv_link_adapter *adapter)
{
    const struct sides sides = sides_of(linker, adapter);
    add_head(out, &sides);
    ADD(out, Label, adapter->first_id + ID_LABEL);
    add_variables(out, &sides);
    add_call(out, &sides);
    add_return(out, &sides);
    add(out, MEZ_OP_FunctionEnd, NULL, 0);
}

// --- Sections

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
    if (in.opcode == MEZ_OP_Name && is_renamed(part, in.words[1])) {
        write_new_name(&writer->out, part, in.words[1]);
        return true;
    }
    if (!result || !mez_spirv_passes_to(part, result))
        return false;
    if (in.opcode == MEZ_OP_Variable) // adapted functions are written behind all others
        write_adapted_variable(&writer->out, part, result);
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
    write_adapter_types(&writer->out, writer->linker);
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
    for (uint32_t i = 0; i < writer->linker->adapters.count; i++)
        write_adapter(&writer->out, writer->linker, &writer->linker->adapters.items[i]);
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
