// SPDX-License-Identifier: MIT
//
// One build, from SPIR-V to native code: the state that its stages share, and the stages in the
// order in which engine.c calls them. Each stage has its own file, which explains what it does and
// why.
//
// Stages that can fail return false after they have written the reason to the build's log. A build
// belongs to one thread; different builds share nothing but target.h's constants.

#ifndef ZC_ENGINE_BUILD_H
#define ZC_ENGINE_BUILD_H

#include "context.h"
#include "engine.h"
#include "log.h"
#include "mode.h"
#include "native.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

// A pointer to local memory that a kernel is given, and the bytes that are there.
struct zc_local_argument {
    LLVMValueRef pointer, size;
    unsigned index;
};

// What a build knows about a kernel.
struct zc_kernel_build {
    struct zc_kernel *info; // what the program will say of it
    LLVMValueRef body;      // the user's function
    // The function that run_groups calls: runs the body for one or all work-items.
    LLVMValueRef wrapper;
    LLVMValueRef context;        // the wrapper's own copy of struct zc_context
    struct zc_meeting *meetings; // see fission.h
    uint32_t meeting_count;
    struct zc_local_argument *local_arguments; // where the kernel is checked
    uint32_t local_argument_count;
};

// Types that nearly every stage needs.
struct zc_types {
    LLVMTypeRef void_type, i1, i8, i32, i64, pointer;
};

struct zc_build {
    const struct zc_features *features;
    struct zc_log log;
    // What to return when a stage fails; ZC_BUILD_FAILED unless a stage changes it.
    enum zc_build_result failure;
    bool optimise;
    enum zc_mode mode;
    bool has_debug_info;          // some module has
    uint32_t checks;              // ZC_CHECK_...
    uint32_t inlined_image_calls; // see images.c
    bool may_be_lazy;             // if the module is large, see lazy.h
    bool is_lazy;                 // it is: only described, not compiled
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout; // borrowed from `module`
    struct zc_types types;
    // What the native binary will say. The names and the arguments are the build's own.
    struct zc_kernel_build *kernels;
    struct zc_kernel *infos; // of the kernels
    uint32_t kernel_count;
    struct zc_variable *variables;
    uint32_t variable_count;
    struct zc_names imports;
    struct zc_names exports;
    LLVMMemoryBufferRef code;     // NULL: there are imports
    LLVMMemoryBufferRef data;     // NULL: there are no variables
    LLVMMemoryBufferRef linkable; // NULL: nothing is imported or exported
};

// translate.c: SPIR-V to bitcode, by the translator that the variable names if it is set. NULL on failure; the caller disposes of the
// buffer.
#define ZC_TRANSLATOR_VARIABLE "ZE_CPU_LLVM_SPIRV"
LLVMMemoryBufferRef zc_translate(struct zc_log *log, const struct zc_spirv *spirv);

// module.c: parse all modules, check each (features.c), link them into one, add native asserts, note
// what it exports and misses, put the variables apart (variables.c).
bool zc_module_load(struct zc_build *build, const struct zc_build_request *request);
bool zc_module_find_kernels(struct zc_build *build);
// NULL on failure; takes the buffer.
LLVMModuleRef zc_parse_bitcode(struct zc_build *build, LLVMMemoryBufferRef bitcode);
// Links a module into the build's; `module` is gone afterwards, whatever the result.
bool zc_link_modules(struct zc_build *build, LLVMModuleRef module);
// Makes functions of the kernels, which nobody calls.
void zc_module_forget_kernels(LLVMModuleRef module);
// Removes what would keep LLVM from compiling the module for the host: conventions, attributes.
void zc_module_normalise(LLVMModuleRef module);

// variables.c: notes the variables, compiles them to build->data, and leaves declarations.
bool zc_variables_split(struct zc_build *build);

// features.c: does the module use anything that the device lacks?
bool zc_features_check(struct zc_build *build, LLVMModuleRef module);

// printf_lowering.c: printf calls become calls of the run-time function zc_printf.
void zc_printf_lower(struct zc_build *build);

// assert_lowering.c: native asserts. Gives the functions that report a failed assert their body;
// false: there is no memory.
#define ZC_ASSERT_FAIL "__devicelib_assert_fail"
#define ZC_ASSERT_FAIL_OF_C "__assert_fail"
// Their calls arrive here; no module can have a function of this name, which therefore is not an import.
#define ZC_ASSERT_RUNTIME "zc.assert_fail"
bool zc_assert_define(struct zc_build *build);
// Notes which kernels may fail one.
void zc_assert_note_kernels(struct zc_build *build);

// debug_info.c: keeps debug information right.
bool zc_debug_info_is_there(LLVMModuleRef module);
bool zc_debug_info_choose_version(struct zc_build *build);
void zc_debug_info_describe_wrappers(struct zc_build *build);

// trap.c: stops in the debugger at failed asserts.
void zc_trap_insert(struct zc_build *build);

// division.c: integer divisions by zero, and of the smallest number by -1, do not end the process.
void zc_division_guard(struct zc_build *build);

// dimensions.c: ids and sizes of dimensions that are not there.
void zc_dimensions_answer(struct zc_build *build);

// resolve.c: give every builtin that the module calls a body.
bool zc_builtins_resolve(struct zc_build *build);
// generate.c: the body of a builtin that is easier to emit than to write in OpenCL C. False: not
// one of those.
bool zc_builtins_generate(struct zc_build *build, LLVMValueRef function, const char *name);
// local_atomics.c: atomic operations; the old value.
LLVMValueRef zc_atomic_update(
    struct zc_build *build, LLVMAtomicRMWBinOp operation, LLVMValueRef pointer, LLVMValueRef value);
LLVMValueRef zc_atomic_exchange_if_equal(
    struct zc_build *build, LLVMValueRef pointer, LLVMValueRef expected, LLVMValueRef value);
// Calls a builtin at the builder's place; NULL where there is none for these types.
LLVMValueRef zc_builtins_call(struct zc_build *build, const char *name, LLVMTypeRef result,
    LLVMValueRef *arguments, unsigned count);
// The same for builtins that take whole vectors; NULL: it is none.
LLVMValueRef zc_whole_vectors_call(struct zc_build *build, const char *name, LLVMTypeRef result,
    const LLVMValueRef *arguments, unsigned count);

// async_copy.c: gives GroupAsyncCopy a body.
bool zc_async_copy_define(struct zc_build *build, LLVMValueRef function, const char *mangled);

// Is this the name of a builtin, which no module has to define? Copies the part between prefix and
// parameters.
bool zc_builtin_name(const char *mangled, char *name, size_t size);

// arguments.c: lay out the argument blob, read the kernel's required sizes.
bool zc_arguments_describe(struct zc_build *build, struct zc_kernel_build *kernel);
// Loads the arguments at the builder's place in the wrapper. `values` has one place for each
// parameter.
void zc_arguments_load(
    struct zc_build *build, struct zc_kernel_build *kernel, LLVMValueRef *values);
// Calls the body with them. Structs are copied first: the body may write to its parameter.
void zc_arguments_call_body(
    struct zc_build *build, struct zc_kernel_build *kernel, LLVMValueRef *values);

// users.c: marks each function that uses `value`, directly, through constants or through calls of
// functions that do.
struct zc_mark {
    bool (*is_set)(LLVMValueRef function);
    void (*set)(struct zc_build *build, LLVMValueRef function);
};
void zc_mark_users(struct zc_build *build, LLVMValueRef value, const struct zc_mark *mark);

// inlining.c: everything that needs to know its work-item moves into the wrappers.
bool zc_inline_work_item_functions(struct zc_build *build);

// memory_check.c: guards accesses to memory, and looks for races, where that is wanted; false: there is no memory for it.
bool zc_checks_insert(struct zc_build *build);
// race_check.c: calls what finds data races. Guards have not been inlined yet.
bool zc_race_check_insert(struct zc_build *build);
// In the body of an atomic operation: what its semantics order, where races are looked for.
void zc_race_check_note_order(struct zc_build *build, LLVMValueRef pointer, LLVMValueRef semantics);

// unwritten_check.c: finds uses of what nobody has written, where that is wanted.
bool zc_unwritten_check_insert(struct zc_build *build);
// shadow_lookup.c: where that finds the shadow of memory.
void zc_shadow_define_lookups(struct zc_build *build);
// Where the call asks for the shadow of a load of local memory, all of which lies in one region, it is found without.
void zc_shadow_find_local(struct zc_build *build, LLVMValueRef call);

// wrapper.c: the work-item loops around a kernel that never waits.
void zc_wrapper_create(struct zc_build *build, struct zc_kernel_build *kernel);
// Adds the function, without a body. NULL: there is no memory.
#define ZC_WRAPPER_CONTEXT 0 // its parameters
#define ZC_WRAPPER_BLOB 1
#define ZC_WRAPPER_LOCAL_MEMORY 2
#define ZC_WRAPPER_ITEMS 3 // memory for what work-items keep
#define ZC_WRAPPER_PARAMETERS 4
LLVMValueRef zc_wrapper_add(
    struct zc_build *build, const struct zc_kernel_build *kernel, LLVMTypeRef result);
// The kernel that has this wrapper. NULL: it is another function.
struct zc_kernel_build *zc_kernel_of_wrapper(const struct zc_build *build, LLVMValueRef function);
// A pointer into the group's block of local memory.
LLVMValueRef zc_local_pointer(struct zc_build *build, const struct zc_kernel_build *kernel,
    LLVMValueRef offset, LLVMTypeRef type);
void zc_wrapper_mark_parallel(struct zc_build *build, struct zc_kernel_build *kernel);
// Address of word `index` of the wrapper's context.
LLVMValueRef zc_context_word(
    struct zc_build *build, const struct zc_kernel_build *kernel, unsigned index);

// Makes the wrapper's copy of its context.
void zc_wrapper_copy_context(struct zc_build *build, struct zc_kernel_build *kernel);
// A size of the group, known or loaded.
LLVMValueRef zc_group_size(
    struct zc_build *build, const struct zc_kernel_build *kernel, unsigned dimension);

// work_item_loop.c: loops over work-items, whose rounds do not depend on each other.
struct zc_loop {
    LLVMBasicBlockRef head;
    LLVMValueRef index, end;
    uint64_t step;
};
// From first, which is less than end; the builder is inside afterwards.
struct zc_loop zc_loop_open(struct zc_build *build, LLVMValueRef function, LLVMValueRef first,
    LLVMValueRef end, uint64_t step);
void zc_loop_close(
    struct zc_build *build, LLVMValueRef function, const struct zc_loop *loop, bool is_independent);
// Says that an access to memory of its own, or of all, does not depend on those of other work-items.
void zc_access_set_independent(struct zc_build *build, LLVMValueRef access);
// Gives the loop that ends in a branch the property of that name.
void zc_loop_set_property(struct zc_build *build, LLVMValueRef branch, const char *name);

// fission.c: kernels are cut into loops over work-items where these meet. Prepares the bodies.
bool zc_fission_prepare(struct zc_build *build);
// Makes the wrapper; false: it has to be made another way.
bool zc_fission_create(struct zc_build *build, struct zc_kernel_build *kernel);
// Work-items of a strip, and how what they keep is aligned.
#define ZC_STRIP 64
#define ZC_ITEM_ALIGNMENT 64

// coroutine.c: kernels that wait at barriers run as one coroutine for each work-item.
void zc_coroutine_define_wait(struct zc_build *build);
void zc_coroutine_create(struct zc_build *build, struct zc_kernel_build *kernel);
void zc_coroutine_lower_waits(struct zc_build *build, struct zc_kernel_build *kernel);
// wait_order.c: numbers the waits for sub-groups, so that who waits at a lower one is behind.
void zc_wait_order_write(struct zc_build *build, LLVMValueRef function);
// After all waits are lowered: removes what stands for a suspension that fails.
void zc_coroutine_forget_never(struct zc_build *build);
void zc_coroutine_note_frame_size(struct zc_build *build, struct zc_kernel_build *kernel);

// local_memory.c: variables in local memory become offsets into the group's block.
bool zc_local_memory_lower(struct zc_build *build, struct zc_kernel_build *kernel);

// optimise.c: LLVM's passes, verifier and code generator.
bool zc_run_passes(struct zc_build *build, LLVMModuleRef module, const char *passes);
bool zc_verify(struct zc_build *build, const char *stage);
// *object is the caller's to dispose of.
bool zc_emit_object(struct zc_build *build, LLVMModuleRef module, LLVMMemoryBufferRef *object);

// ir.c: small helpers around the C API.
const char *zc_name_of(LLVMValueRef value);
// The function's metadata of that name, a node; NULL: it has none.
LLVMValueRef zc_note_of(LLVMValueRef function, const char *name);
unsigned zc_address_space(LLVMValueRef global);
// Does the module define it for others?
bool zc_is_shared_symbol(LLVMValueRef value);
// A constant that lies among the variables (variables.c), and whose value is known here, too.
bool zc_is_known_constant(LLVMValueRef value);
void zc_rename(LLVMValueRef value, const char *prefix, const char *name);
// A user's function may be called sinf or memcpy, as the functions that generated code needs: '.'
// sets them apart, since no C name has one.
#define ZC_USER_PREFIX "user."
#define ZC_KERNEL_PREFIX "kernel." // of wrappers
void zc_set_apart(LLVMValueRef value);
unsigned zc_attribute_kind(const char *name);
void zc_add_attribute(LLVMContextRef context, LLVMValueRef function, const char *name);
// An unnamed block at the end of the function.
LLVMBasicBlockRef zc_append_block(struct zc_build *build, LLVMValueRef function);
// A function of the engine's that LLVM inlines wherever it is called. It has no lines of the program's. The builder is left in its first
// block.
LLVMValueRef zc_begin_inlined(struct zc_build *build, LLVMTypeRef type, const char *name);
void zc_add_parameter_attribute(LLVMContextRef context, LLVMValueRef function, unsigned index,
    const char *name, uint64_t value);
LLVMValueRef zc_call_intrinsic(struct zc_build *build, const char *name, LLVMTypeRef *overloads,
    unsigned overload_count, LLVMValueRef *arguments, unsigned argument_count);
bool zc_has_prefix(const char *text, const char *prefix);
LLVMValueRef zc_const_i32(struct zc_build *build, uint64_t value);
LLVMValueRef zc_const_i64(struct zc_build *build, uint64_t value);
// A constant of the module's own; its address.
LLVMValueRef zc_add_constant(struct zc_build *build, LLVMValueRef value);
LLVMValueRef zc_add_text(struct zc_build *build, const char *text, size_t length);
LLVMValueRef zc_declare_runtime(struct zc_build *build, const char *name, LLVMTypeRef type);
// Calls a function of the run-time half, with at most four arguments, at the builder's place.
LLVMValueRef zc_call_runtime(struct zc_build *build, const char *name, LLVMTypeRef result,
    LLVMValueRef *arguments, unsigned count);
// The branch is hardly ever taken to its first block, which LLVM moves out of the way.
void zc_set_unlikely(struct zc_build *build, LLVMValueRef branch);
// The file that an instruction comes from, as a text, and the line there; a null pointer and 0 where there is no debug information.
LLVMValueRef zc_source_place(struct zc_build *build, LLVMValueRef instruction, uint64_t *line);
// base + bytes
LLVMValueRef zc_byte_offset(struct zc_build *build, LLVMValueRef base, uint64_t bytes);

#endif
