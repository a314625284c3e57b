// SPDX-License-Identifier: MIT
// What the files of the no-op driver share: how an entry point begins, what its objects hold.
#ifndef NOOP_INTERNAL_H
#define NOOP_INTERNAL_H

#include "entries.h"
#include "noop.h"
#include "table.h"

#include <stdatomic.h>
#include <string.h>
#include <ze_newer.h>

// -fvisibility covers definitions only; this spares a load of the address for each variable
// declared here.
#pragma GCC visibility push(hidden)

typedef ze_result_t noop_function(void);

struct noop_slot {
    const char *getter;
    const char *function;
    uint32_t index;
    uint32_t since; // first API version that has it
    noop_function *address;
};

extern const struct noop_slot noop_slots[NOOP_ENTRY_COUNT];

// --- plan.c: counting, failing, logging

extern _Atomic uint64_t noop_counts[NOOP_ENTRY_COUNT];
extern _Atomic bool noop_watching;

// The slow way in, taken while a failure is planned, the log is kept, exact counts are asked for or
// completion is held.
ze_result_t noop_watch(enum noop_entry entry);
ze_result_t noop_watch_answer(enum noop_entry entry, ze_result_t answer);

void noop_plan_reset(void);
void noop_plan_hold(bool hold);
void noop_plan_parse(const char *plans);

// For noop_appends and noop_last_queue.
void noop_log_append(enum noop_entry entry, ze_command_list_handle_t list, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits);
void noop_log_queue(const ze_command_queue_desc_t *description);

static inline void noop_count(enum noop_entry entry)
{
    const uint64_t count = atomic_load_explicit(&noop_counts[entry], memory_order_relaxed);
    atomic_store_explicit(&noop_counts[entry], count + 1, memory_order_relaxed);
}

static inline ze_result_t noop_enter(enum noop_entry entry)
{
    if (__builtin_expect(atomic_load_explicit(&noop_watching, memory_order_relaxed), 0))
        return noop_watch(entry);
    noop_count(entry);
    return ZE_RESULT_SUCCESS;
}

// For an entry point whose whole work is its answer: as noop_enter, then `answer` unless a failure
// was planned. The call in tail position keeps the stack frame out of it.
static inline ze_result_t noop_answer(enum noop_entry entry, ze_result_t answer)
{
    if (__builtin_expect(atomic_load_explicit(&noop_watching, memory_order_relaxed), 0))
        return noop_watch_answer(entry, answer);
    noop_count(entry);
    return answer;
}

// First line of every other entry point.
#define NOOP_ENTER(name)                                      \
    do {                                                      \
        const ze_result_t planned_ = noop_enter(NOOP_##name); \
        if (planned_ != ZE_RESULT_SUCCESS)                    \
            return planned_;                                  \
    } while (0)

#define NOOP_UNSUPPORTED(name)                          \
    __attribute__((weak)) ze_result_t noop_##name(void) \
    {                                                   \
        NOOP_ENTER(name);                               \
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;     \
    }

// An entry point whose whole effect lies on the device, which is not there. It needs none of its
// arguments.
#define NOOP_SUCCEED(name)        \
    ze_result_t noop_##name(void) \
    {                             \
        NOOP_ENTER(name);         \
        return ZE_RESULT_SUCCESS; \
    }

// --- config.c

// noop_config.execute_copies, cheap to ask for.
extern _Atomic bool noop_executes_copies;

// A copy, because a test may configure again while other threads ask.
struct noop_config noop_config_get(void);
void noop_config_reset(void);
bool noop_config_lists(const struct noop_config *config, const char *extension);

// --- driver.c

// Is the extension among those of the configuration?
bool noop_lists(const char *extension);

// --- object.c

struct noop_object {
    enum noop_kind kind;
    uint32_t alive;
};

// Returns zeroed memory of `size` bytes that begins with a noop_object, or NULL.
void *noop_object_create(enum noop_kind kind, size_t size);
// Aborts unless it is a live object of that kind.
void noop_object_check(const void *object, enum noop_kind kind);
void noop_object_destroy(void *object, enum noop_kind kind);
// Destroys unless NULL, and returns what the destroying entry point has to: `planned`, if that is a
// failure.
ze_result_t noop_object_end(void *object, enum noop_kind kind, ze_result_t planned);
void noop_count_live(enum noop_kind kind, int64_t difference);

#define NOOP_CREATE(kind, out)                                   \
    ((*(out) = noop_object_create(kind, sizeof **(out))) != NULL \
            ? ZE_RESULT_SUCCESS                                  \
            : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)

// --- completion.c: tickets show when something completes

// Complete already; never submitted. What lies between is the number of a held submission.
#define NOOP_TICKET_DONE 0
#define NOOP_TICKET_NEVER UINT64_MAX

extern _Atomic bool noop_held;

// The ticket of a new submission: done unless held.
uint64_t noop_ticket_draw_held(void);

static inline uint64_t noop_ticket_draw(void)
{
    const bool held = atomic_load_explicit(&noop_held, memory_order_relaxed);
    return held ? noop_ticket_draw_held() : NOOP_TICKET_DONE;
}

// Calls the function from a thread of the driver's own once the ticket is complete.
void noop_ticket_call(uint64_t ticket, void (*function)(void *data), void *data);
// Waits for all calls; nothing is held.
void noop_ticket_end_calls(void);

ze_result_t noop_ticket_status(_Atomic uint64_t *ticket);
ze_result_t noop_ticket_wait(_Atomic uint64_t *ticket, uint64_t timeout_ns);

static inline void noop_ticket_set(_Atomic uint64_t *ticket, uint64_t value)
{
    atomic_store_explicit(ticket, value, memory_order_release);
}

// --- list.c

struct noop_command;

// Lets what the regular list recorded happen now; its events complete with the ticket.
void noop_list_execute(ze_command_list_handle_t list, uint64_t ticket);
void noop_list_forget_launches(void);

// --- memory.c

struct noop_allocation {
    struct noop_allocation *next;
    char *base;
    size_t size;
    ze_memory_type_t type;
    ze_device_handle_t device;
    uint64_t id;
    bool imported; // another process's, which zeMemCloseIpcHandle gives back
    int fd;        // of its IPC handle; -1: none
};

// Host memory of that size, counted and known from now on. Copies the rest of what is given.
ze_result_t noop_memory_create(
    const struct noop_allocation *wanted, size_t alignment, void **pointer);
// Forgets and frees what begins there. False: nothing of that sort does.
bool noop_memory_destroy(const void *base, bool imported);
bool noop_memory_look_up(const void *address, struct noop_allocation *found);
// Makes `fd` the descriptor of what begins there, unless it has one; returns that.
int noop_memory_set_descriptor(const void *base, int fd);

// --- spirv.c

struct noop_spirv_kernel {
    uint32_t function; // result id
    uint32_t arguments;
    const char *name;
};

struct noop_spirv_symbol {
    const char *name;
    bool import; // else export
};

// What the driver wants to know of a SPIR-V module. Names point into its words, which must outlive
// this.
struct noop_spirv {
    struct noop_spirv_kernel *kernels;
    size_t kernel_count;
    struct noop_spirv_symbol *symbols;
    size_t symbol_count;
};

// Returns MODULE_BUILD_FAILURE for what is not a SPIR-V module; then there is nothing to finish.
ze_result_t noop_spirv_init(struct noop_spirv *spirv, const uint32_t *words, size_t count);
void noop_spirv_finish(struct noop_spirv *spirv);

// --- module.c

struct noop_binary {
    uint32_t *words;
    size_t size; // bytes
    struct noop_spirv spirv;
};

struct noop_global_buffer {
    struct noop_global_buffer *next_of_module;
    struct noop_global_buffer *next_of_all;
    char *name;
    uint64_t content[1 << 17];
};

void noop_modules_reset(void); // what is counted

// NULL where the module has no kernel of that name.
const struct noop_spirv_kernel *noop_module_find_kernel(
    ze_module_handle_t module, const char *name);

// --- Objects behind the handles

struct _ze_driver_handle_t {
    char unused; // there is one driver, and it has no state
};

struct _ze_device_handle_t {
    ze_device_handle_t parent; // NULL: a root device
    uint32_t index;
};

struct _ze_context_handle_t {
    struct noop_object object;
};

struct _ze_command_queue_handle_t {
    struct noop_object object;
    _Atomic uint64_t ticket; // of the last submission
};

struct _ze_command_list_handle_t {
    struct noop_object object;
    bool immediate;
    bool in_order;
    bool closed;
    ze_device_handle_t device;
    uint32_t ordinal;              // of its queue group
    _Atomic uint64_t ticket;       // immediate: of the last submission
    struct noop_command *commands; // regular: what can be noticed when it executes
    size_t command_count;
    size_t command_capacity;
};

struct _ze_fence_handle_t {
    struct noop_object object;
    _Atomic uint64_t ticket;
};

struct _ze_event_pool_handle_t {
    struct noop_object object;
    uint32_t size; // events
    bool counter_based;
    ze_event_pool_flags_t flags;
};

struct _ze_event_handle_t {
    struct noop_object object;
    ze_event_pool_flags_t flags; // of its pool
    _Atomic uint64_t ticket;
    bool counter_based; // stands for the last command that was to signal it, and is never reset
    ze_device_handle_t device; // of a single one; NULL: of all
};

struct _ze_module_handle_t {
    struct noop_object object;
    struct noop_binary *binaries; // one, or the parts of a program
    uint32_t binary_count;
    bool linked;  // by zeModuleDynamicLink
    bool library; // built with -library-compilation: others can be linked to it
    struct noop_global_buffer *globals;
    struct _ze_module_handle_t *next; // alive, the newest first
};

struct _ze_module_build_log_handle_t {
    struct noop_object object;
    const char *text;
};

struct _ze_kernel_handle_t {
    struct noop_object object;
    uint32_t arguments;
    ze_kernel_indirect_access_flags_t indirect_access;
    char name[];
};

struct _ze_image_handle_t {
    struct noop_object object;
};

struct _ze_sampler_handle_t {
    struct noop_object object;
};

#pragma GCC visibility pop

#endif
