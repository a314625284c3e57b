// SPDX-License-Identifier: MIT
//
// What we know of a SPIR-V module, and reading one. Every field is for reading; names and strings point
// into the module's own words and live as long as it does.
//
// Ids are SPIR-V's ids. Positions ("word", "first", "end") are word offsets from the start of the
// module.
//
// Thread-safety: a module never changes after mez_spirv_module_create, so any thread may read it.

#ifndef MEZ_SPIRV_MODULE_H
#define MEZ_SPIRV_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spirv/opcodes.h"

#define MEZ_SPIRV_NO_INDEX UINT32_MAX

// The definition of an id: the instruction whose result it is.
struct mez_spirv_def {
    uint32_t id;
    uint32_t word; // of the defining instruction
    uint32_t type; // id of the result's type; 0 where the result has none
    // Index of the function it stands in; MEZ_SPIRV_NO_INDEX at module scope, where OpFunction is
    // too.
    uint32_t function;
    uint32_t global; // number among those at module scope; MEZ_SPIRV_NO_INDEX inside a function
    uint32_t index;  // in `types` or `functions` for those; else MEZ_SPIRV_NO_INDEX
    uint32_t name;   // word of the OpName string, 0: none
    uint32_t link;   // word of the linkage name, 0: none
    enum mez_spirv_linkage linkage;
    // Code of a function uses it otherwise than as the pointer through which the whole is loaded or
    // stored. Says something of variables only.
    bool escapes;
};

// What a value of a type holds, itself or in a component. What a pointer points to is not held.
enum mez_spirv_holds {
    MEZ_HOLDS_HALF = 1 << 0,
    MEZ_HOLDS_DOUBLE = 1 << 1,
    MEZ_HOLDS_IMAGE = 1 << 2,
    MEZ_HOLDS_MATRIX = 1 << 3,      // joint or cooperative
    MEZ_HOLDS_LONE_DOUBLE = 1 << 4, // one that is not part of a vector
};

struct mez_spirv_type {
    uint32_t id;
    uint32_t word;
    uint16_t opcode;
    uint32_t holds;     // bits of enum mez_spirv_holds
    uint32_t width;     // int, float: bits
    uint32_t component; // id of the element's, pointee's, image's or function result's type
    uint64_t count;     // vector, array: components
    uint32_t storage;   // pointer: enum mez_spirv_storage_class
    uint64_t size;      // bytes, as OpenCL C lays it out; 0: no size, or one that does not fit
    uint64_t alignment; // bytes; 0 where size is 0
};

// Execution modes of an entry point; a wrapper function's, where the kernel has one.
struct mez_spirv_modes {
    bool has_local_size, has_local_size_hint;
    uint32_t local_size[3], local_size_hint[3]; // x, y, z
    uint32_t sub_group_size;                    // 0: free
    uint32_t local_size_word, sub_group_size_word;
};

struct mez_spirv_function {
    uint32_t id;
    uint32_t type;                     // id of its OpTypeFunction
    uint32_t first, end;               // words from OpFunction to behind OpFunctionEnd
    uint32_t first_param, param_count; // in the module's `params`
    bool has_body;
    bool address_taken;
    bool is_kernel_code; // clang's function of a kernel's code, whose name is the kernel's here
    struct mez_spirv_modes modes;
    const char *name; // linkage name, else the entry point's, else OpName, else "%id"; never NULL
    char unnamed[12]; // room for "%4194303"
};

struct mez_spirv_entry_point {
    const char *name;
    uint32_t model; // enum mez_spirv_execution_model
    // Index in `functions`. llvm-spirv since 14 makes a nameless wrapper that calls the kernel's
    // body.
    uint32_t function;
    uint32_t word;
};

// A function or program-scope variable that is resolved when modules are linked.
struct mez_spirv_symbol {
    const char *name;
    uint32_t id;
    bool is_function;
    enum mez_spirv_linkage linkage;
};

struct mez_spirv_decoration {
    uint32_t target; // id
    uint32_t kind;   // enum mez_spirv_decoration_kind, or another number of the specification
    uint32_t word;   // of the first extra operand
    uint32_t length; // extra operands, in words
};

struct mez_spirv_module {
    uint32_t *words; // host byte order
    uint32_t word_count;
    uint32_t minor_version; // of 1.x
    uint32_t generator;
    uint32_t bound;
    uint32_t addressing_model, memory_model;
    // Of the last OpSource, as 200000 for OpenCL C 2.0; 0: there is none.
    uint32_t source_language, source_version;
    bool has_unknown_opcodes; // then an id may be defined by an instruction that we cannot read

    uint32_t *capabilities;
    const char **extensions;
    struct mez_spirv_def *defs; // in the order of the file
    uint32_t *def_slots;        // hash table from id to index in defs, MEZ_SPIRV_NO_INDEX: free
    uint32_t *globals;          // index in defs of what stands at module scope, by its number there
    struct mez_spirv_type *types;
    struct mez_spirv_decoration *decorations; // by target; read with mez_spirv_next_decoration
    struct mez_spirv_function *functions;
    // Indexes of the functions whose address is taken, by type and then in the order of the file.
    uint32_t *address_taken;
    uint32_t *params; // ids of all functions' parameters
    struct mez_spirv_entry_point *entry_points;
    struct mez_spirv_symbol *imports; // variables that are built in are none
    struct mez_spirv_symbol *exports; // entry points are none

    uint32_t global_count; // definitions at module scope
    uint32_t capability_count, extension_count, def_count, def_slot_count, type_count;
    uint32_t decoration_count, function_count, param_count, entry_point_count;
    uint32_t import_count, export_count, address_taken_count;
};

// One instruction. At or past the end of the module: opcode OpNop, length 0.
struct mez_spirv_instruction {
    const uint32_t *words;
    uint32_t at;
    uint16_t opcode, length;
};

struct mez_spirv_instruction mez_spirv_instruction_at(
    const struct mez_spirv_module *module, uint32_t at);

// Visits the instructions that begin in [from, to).
#define mez_spirv_each_instruction(module, it, from, to)                                         \
    for (struct mez_spirv_instruction it = mez_spirv_instruction_at(module, from); it.at < (to); \
         it = mez_spirv_instruction_at(module, it.at + it.length))

enum mez_spirv_operand_kind {
    MEZ_OPERAND_TYPE,   // id of the result's type
    MEZ_OPERAND_RESULT, // id of the result
    MEZ_OPERAND_ID,
    MEZ_OPERAND_MAYBE_ID, // of an instruction we do not know: id or literal
    MEZ_OPERAND_LITERAL,  // one word of it
    MEZ_OPERAND_STRING,
};

struct mez_spirv_operand {
    enum mez_spirv_operand_kind kind;
    uint32_t value; // its first word
    uint32_t at;    // word offset
};

struct mez_spirv_operand_iter {
    const struct mez_spirv_module *module;
    struct mez_spirv_instruction instruction;
    const char *layout;
    uint32_t next; // word in the instruction
};

struct mez_spirv_operand_iter mez_spirv_operands(
    const struct mez_spirv_module *module, struct mez_spirv_instruction instruction);

// False behind the last operand.
bool mez_spirv_next_operand(struct mez_spirv_operand_iter *iter, struct mez_spirv_operand *operand);

// How many of `available` words a literal string fills; 0 when it does not end there.
uint32_t mez_spirv_string_words(const uint32_t *words, uint32_t available);

// Look-ups by id; NULL where the id is not defined or is something else.
const struct mez_spirv_def *mez_spirv_find_def(const struct mez_spirv_module *module, uint32_t id);
const struct mez_spirv_type *mez_spirv_find_type(
    const struct mez_spirv_module *module, uint32_t id);
const struct mez_spirv_function *mez_spirv_find_function(
    const struct mez_spirv_module *module, uint32_t id);

// The type of a value; NULL where the id is not a value.
const struct mez_spirv_type *mez_spirv_value_type(
    const struct mez_spirv_module *module, uint32_t id);

// The type of the elements, of what is pointed to, of an image or of a function's result; NULL where
// there is none, or the type is NULL.
const struct mez_spirv_type *mez_spirv_component(
    const struct mez_spirv_module *module, const struct mez_spirv_type *type);

// The type of the value that an atomic instruction reads or writes; NULL: it is not atomic.
const struct mez_spirv_type *mez_spirv_atomic_type(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in);

// The value of an integer constant (a specialisation constant's default); false where the id is
// something else.
bool mez_spirv_constant(const struct mez_spirv_module *module, uint32_t id, uint64_t *value);

enum mez_spirv_ext_set mez_spirv_ext_set(const struct mez_spirv_module *module, uint32_t id);

// An instruction that only carries debug information, such as OpExtInst DebugValue.
bool mez_spirv_is_debug(
    const struct mez_spirv_module *module, struct mez_spirv_instruction instruction);

// The first entry point of that name; NULL: none.
const struct mez_spirv_entry_point *mez_spirv_find_entry_point(
    const struct mez_spirv_module *module, const char *name);

// Walks the decorations of an id, those that reach it through a decoration group too; members'
// decorations are not kept.
struct mez_spirv_decoration_iter {
    const struct mez_spirv_module *module;
    uint32_t target, next, next_in_group, group; // group: id, 0 outside one
};

struct mez_spirv_decoration_iter mez_spirv_decorations(
    const struct mez_spirv_module *module, uint32_t id);
bool mez_spirv_next_decoration(
    struct mez_spirv_decoration_iter *iter, struct mez_spirv_decoration *decoration);

bool mez_spirv_is_decorated(const struct mez_spirv_module *module, uint32_t id, uint32_t kind);

// As above with `value` as the first extra operand.
bool mez_spirv_is_decorated_with(
    const struct mez_spirv_module *module, uint32_t id, uint32_t kind, uint32_t value);

// The first extra operand of the first decoration of that kind, else `otherwise`.
uint32_t mez_spirv_decoration_value(
    const struct mez_spirv_module *module, uint32_t id, uint32_t kind, uint32_t otherwise);

// "OpFMul", or "opcode 6123" written into `room`.
#define MEZ_SPIRV_OPCODE_ROOM 16
const char *mez_spirv_opcode_name(uint16_t opcode, char room[MEZ_SPIRV_OPCODE_ROOM]);

// --- Failures
//
// What is wrong with a module, in a form that needs no memory and knows nothing of the library's errors.

enum mez_spirv_status {
    MEZ_SPIRV_OK = 0,
    MEZ_SPIRV_NO_MEMORY,   // the host has no memory left
    MEZ_SPIRV_NOT_SPIRV,   // something else; the text says what and what to do with it
    MEZ_SPIRV_TRUNCATED,   // begins as SPIR-V and ends too early
    MEZ_SPIRV_BAD_VERSION, // SPIR-V of a version we do not know
    MEZ_SPIRV_MALFORMED,   // breaks a rule of the binary form
    MEZ_SPIRV_TOO_LARGE,   // more words than a 32-bit offset reaches
    MEZ_SPIRV_NOT_FOUND,   // the module has no kernel of that name
    MEZ_SPIRV_CONFLICT,    // modules that can't be linked with each other
};

struct mez_spirv_problem {
    enum mez_spirv_status status;
    size_t word; // where in the module, counted in words from its first; 0 where that says nothing
    char text[240]; // one sentence without a full stop
};

// Fill `problem` (NULL allowed) and return `status`, so that a check can end with `return
// mez_spirv_fail(...)`.
__attribute__((format(printf, 4, 5))) enum mez_spirv_status mez_spirv_fail(
    struct mez_spirv_problem *problem, enum mez_spirv_status status, size_t word,
    const char *format, ...);

// --- Reading
//
// Intel's compiler exits the process on bytes that are not SPIR-V, so nothing may see a module before it
// was read here. What is checked is the binary form, not the whole specification.

// Reads `size` bytes of either byte order, at any alignment. The bytes are copied: they may be
// freed afterwards.
//
// On success *module is the caller's, to be given back to mez_spirv_module_destroy. Otherwise
// *module is NULL, *problem (NULL allowed) says why, and the status is one of
//   NOT_SPIRV    empty, or something else: the text guesses what and says what to do with it
//   TRUNCATED    ends in the header, in a word, in an instruction or in a function
//   BAD_VERSION  not 1.0 to 1.6
//   MALFORMED    an instruction, string, id or entry point breaks the binary form
//   TOO_LARGE    16 GiB or more
//   NO_MEMORY
//
// Takes time and memory in proportion to `size`. Instructions we do not know are kept as they are.
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_module_create(const void *bytes, size_t size,
    struct mez_spirv_problem *problem, struct mez_spirv_module **module);

// Frees the module and sets *module to NULL; NULL inside is fine.
void mez_spirv_module_destroy(struct mez_spirv_module **module);

// What the bytes look like and what to do with them, worded to follow "this is not SPIR-V: it is ";
// NULL: no idea.
const char *mez_spirv_recognise(const void *bytes, size_t size);

#endif
