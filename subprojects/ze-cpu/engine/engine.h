// SPDX-License-Identifier: MIT
//
// The door between the two halves of ze-cpu.
//
// The host half (libze_cpu.so.1) holds Level Zero objects and moves bytes; it knows nothing of LLVM. The engine half
// (libze_cpu_engine.so) turns SPIR-V into native code. The host opens it at the first zeModuleCreate, from beside
// itself, so that a program that compiles nothing pays neither LLVM's load time (10 ms) nor its memory (50 MB).
//
// Thread-safety: build, load, destroy and look-up calls may come from any thread, and so may link, for different programs,
// as long as nobody looks at the one that is linked; a zc_worker belongs to one thread.

#ifndef ZE_CPU_ENGINE_H
#define ZE_CPU_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZC_ENGINE_VERSION 11

struct zc_program;
struct zc_worker;
struct zc_launch_races;

// What the simulated device can do; a program that uses more is refused with a build log that names function and
// feature, as Intel's compiler does.
struct zc_features {
    bool fp16;
    bool fp64;
    bool images;
    bool int64_atomics;
    uint32_t sub_group_sizes; // bit mask: the sum of the sizes, each of which is a power of two
    const char *device_name;  // for the log
};

// What kernels are checked for while they run, bits (checked.h).
#define ZC_CHECK_MEMORY 1u        // accesses outside of what is theirs
#define ZC_CHECK_DIVERGENCE 2u    // barriers that not all work-items of a group come to
#define ZC_CHECK_RACES 4u         // accesses of two work-items that nothing orders
#define ZC_CHECK_UNINITIALIZED 8u // uses of what nobody has written

// New values for specialization constants; those whose id no constant has are ignored.
struct zc_constants {
    uint32_t count;
    const uint32_t *ids;
    const void *const *values; // each as long as the constant's type says; a bool is one byte
};

struct zc_spirv {
    const void *bytes;
    size_t size;
    const char *flags; // build flags of this module, may be NULL
    struct zc_constants constants;
};

struct zc_build_request {
    const struct zc_spirv *modules; // linked together when there are several
    size_t module_count;
    const struct zc_features *features;
    bool native_asserts;    // the engine supplies the functions that report failed asserts
    bool exposes_variables; // kept for whoever asks, also in the native binary
    uint32_t checks;        // ZC_CHECK_...
};

struct zc_load_request {
    const void *bytes; // a native binary
    size_t size;
    const struct zc_features *features;
    bool native_asserts;
    uint32_t checks; // those that the code was built with
};

struct zc_link_request {
    struct zc_program *program;          // has imports and has not been linked
    struct zc_program *const *libraries; // searched in this order; `program` may be among them
    size_t library_count;
    const struct zc_features *features;
};

enum zc_build_result {
    ZC_BUILD_OK,
    ZC_BUILD_FAILED,      // compiler's fault or the input's, the log says which
    ZC_BUILD_LINK_FAILED, // two modules define the same symbol, or none does
    ZC_BUILD_NOT_NATIVE, // the native binary is damaged, or not for this engine, processor or device
    ZC_BUILD_OUT_OF_MEMORY,
};

enum zc_argument_kind {
    ZC_ARGUMENT_VALUE,  // bytes, also structs passed by value
    ZC_ARGUMENT_GLOBAL, // a pointer to global or constant memory
    ZC_ARGUMENT_LOCAL, // work-group memory: the caller gives a size; the blob holds its offset in local memory
    ZC_ARGUMENT_IMAGE,   // the blob holds the address of a struct zc_image (image.h)
    ZC_ARGUMENT_SAMPLER, // the blob holds its bits (image.h), widened to 8 bytes
};

// What a kernel may do to an image argument, bits.
#define ZC_IMAGE_READ 1u
#define ZC_IMAGE_WRITE 2u

// Which image types a kernel's parameter accepts.
enum zc_image_dimensions {
    ZC_IMAGE_1D,
    ZC_IMAGE_1D_ARRAY,
    ZC_IMAGE_1D_BUFFER,
    ZC_IMAGE_2D, // depth images as well
    ZC_IMAGE_2D_ARRAY,
    ZC_IMAGE_3D,
};

// In the blob of a kernel that is checked, a local argument's size follows its offset.
#define ZC_LOCAL_ARGUMENT_CHECKED 16u

struct zc_argument {
    enum zc_argument_kind kind;
    uint32_t size;   // bytes in the blob; 8 for pointers, images and samplers
    uint32_t offset; // in the blob
    // Of images:
    enum zc_image_dimensions image_dimensions;
    uint32_t image_access; // ZC_IMAGE_...
};

struct zc_kernel {
    const char *name;
    const struct zc_argument *arguments;
    uint32_t argument_count;
    uint32_t blob_size;              // bytes of the argument blob, 8-byte aligned
    uint32_t static_local_size;      // bytes of local memory that the kernel declares itself
    uint32_t required_group_size[3]; // 0, 0, 0: any
    uint32_t required_sub_group_size;
    uint32_t sub_group_size; // what the kernel runs with
    uint32_t private_size;   // bytes a work-item keeps across barriers
    bool has_barrier;
    bool runs_coroutines; // one for each work-item
    bool uses_assert;     // may report failed asserts to its group's listener
    uint32_t
        range_count; // of a checked kernel: accesses that remember where they were last allowed
};

// A failed assert. Texts may be NULL; they are the program's.
struct zc_assert {
    const char *expression;
    const char *file;
    const char *function;
    int32_t line;
    uint64_t global_id[3];
    uint64_t local_id[3];
};

// Called by the threads that run groups, by several at once.
struct zc_assert_listener {
    void (*failed)(struct zc_assert_listener *listener, const struct zc_assert *assert);
};

enum zc_permission {
    ZC_MEMORY_ALLOWED, // the range is set
    ZC_MEMORY_FORBIDDEN,
    ZC_MEMORY_UNKNOWN, // it is none of the caller's
};

struct zc_memory_range {
    uintptr_t begin, end;
};

struct zc_shadow;

// Whom checked kernels ask, from several threads.
struct zc_checker {
    uint32_t checks;               // ZC_CHECK_..., those that kernels were built with
    struct zc_launch_races *races; // where they are looked for: of this launch alone
    // May kernels access this address, and what else around it?
    enum zc_permission (*find)(
        const struct zc_checker *checker, uintptr_t address, struct zc_memory_range *range);
    struct zc_shadow *shadow; // the process's (shadow.h), with ZC_CHECK_UNINITIALIZED
};

struct zc_finding;

// What run_groups and a signal handler of its thread share. A handler may leave run_groups by a jump while `in_kernel` is
// set: nothing of the engine's is half done then, and the worker can be used again.
struct zc_watch {
    atomic_bool in_kernel; // the thread runs a kernel's code
    const atomic_bool
        *cancelled; // looked at once `in_kernel` is set: nothing is to be run any more
    // Leaves run_groups by a jump, too, for what a check has found; NULL: the groups were cancelled meanwhile.
    __attribute__((noreturn)) void (*leave)(
        struct zc_watch *watch, const struct zc_finding *finding);
};

// Where a worker was when it was left.
struct zc_place {
    uint64_t group_id[3];
    uint64_t local_id[3];
    bool has_local_id; // known for coroutines, and for code with debug information
    char file[256];    // with `line`: from debug information
    uint32_t line;     // 0: not known
};

// What a check has found.
struct zc_finding {
    char text[512]; // what the kernel did: "read 4 bytes ..."
    struct zc_place place;
    bool has_address;
    uintptr_t address;
    uint32_t allocation; // the number of the one that a value comes from; 0: not known
};

// Work-groups to run. The engine copies it; the blob is only read.
struct zc_group {
    uint64_t group_id[3]; // of the first
    uint64_t group_count[3];
    uint64_t local_size[3];
    uint64_t global_offset[3];
    uint32_t dimensions;
    uint32_t local_memory_size;          // static and argument memory together
    struct zc_assert_listener *listener; // NULL: failed asserts go unheard
    struct zc_watch *watch;              // NULL: nobody leaves the groups
    const struct zc_checker *checker;    // of kernels that are checked, which also need a watch
};

struct zc_engine {
    uint32_t version; // ZC_ENGINE_VERSION

    // *program and *log are set on every return; the log is malloc'ed text (possibly "") that the
    // caller frees; the program is NULL unless ZC_BUILD_OK. A program with unresolved imports builds,
    // lists them, and must not be run before it is linked.
    enum zc_build_result (*build)(
        const struct zc_build_request *request, struct zc_program **program, char **log);
    // Makes a program of the native binary of another, without compiling.
    enum zc_build_result (*load)(
        const struct zc_load_request *request, struct zc_program **program, char **log);
    // Compiles a program together with what it imports from others. It shares their variables, and
    // keeps them when the others are destroyed. Unless ZC_BUILD_OK nothing has changed, and the log
    // has a line for each symbol that was not found. What kernel() returned before is gone
    // afterwards, except for the names.
    enum zc_build_result (*link)(const struct zc_link_request *request, char **log);
    void (*destroy)(struct zc_program *program);

    uint32_t (*kernel_count)(const struct zc_program *program);
    const char *(*kernel_name)(const struct zc_program *program, uint32_t index);
    // Compiles the kernel, where the build of a large program has left that for later. NULL: it can't
    // be compiled.
    const struct zc_kernel *(*kernel)(const struct zc_program *program, uint32_t index);

    // Names of functions and variables that no module defined when the program was built, and of
    // those that it defines for others; the arrays live as long as the program.
    const char *const *(*imports)(const struct zc_program *program, uint32_t *count);
    const char *const *(*exports)(const struct zc_program *program, uint32_t *count);
    // Address of a program-scope variable by its link name; NULL where the program defines none.
    void *(*global)(const struct zc_program *program, const char *name, size_t *size);
    // What the build request said.
    bool (*exposes_variables)(const struct zc_program *program);
    // The native binary, which lives as long as the program. NULL: it can't be compiled. That of a linked program is the one it
    // had before: it is to be linked again.
    const void *(*native)(const struct zc_program *program, size_t *size);

    // Scratch memory of one thread that runs groups: local memory and the state kept across barriers.
    struct zc_worker *(*worker_create)(void);
    void (*worker_destroy)(struct zc_worker *worker);
    // The worker's kernel was left by a jump, on this thread; NULL: the engine need not know.
    void (*worker_left)(struct zc_worker *worker);
    // Who accessed which global memory in a launch, for ZC_CHECK_RACES; any number of threads may use it at once. NULL: there
    // is no memory.
    struct zc_launch_races *(*races_create)(void);
    void (*races_destroy)(struct zc_launch_races *races);
    // Runs `count` groups to their end, from group->group_id on, in order of x, y, z. False: out of
    // memory for a group's state, or cancelled.
    bool (*run_groups)(struct zc_worker *worker, const struct zc_kernel *kernel,
        const struct zc_group *group, uint64_t count, const void *blob);
    // After run_groups was left: where the worker was. `code` are the address of the instruction and then what may be
    // addresses that functions return to, innermost first.
    void (*locate)(const struct zc_worker *worker, const struct zc_kernel *kernel,
        const uintptr_t *code, size_t count, struct zc_place *place);
};

// The engine's only exported function.
typedef const struct zc_engine *(*zc_engine_get_fn)(void);
#define ZC_ENGINE_GET "zc_engine_get"
#define ZC_ENGINE_LIBRARY "libze_cpu_engine.so"

#endif
