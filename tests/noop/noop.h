// SPDX-License-Identifier: MIT
// The no-op driver: a Level Zero driver that does nothing, and a test's handle on it.
//
// A test links `noop_dep` and sets ZE_ENABLE_ALT_DRIVERS to the absolute path of libze_noop.so
// before the first zeInit (Meson: env: {'ZE_ENABLE_ALT_DRIVERS': noop_driver.full_path()}). The
// loader then opens that file, which holds only the table getters; everything else, this interface
// included, lives in libnoop.so, which both sides share. Two libraries, because a program that had
// the getters in its own link order would feed them to the loader in place of the loader's own.
//
// What it is for:
//   sequences       noop_calls("zeKernelSetArgumentValue"), noop_log()
//   error paths     noop_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_DEVICE_LOST), noop_live_total()
//   odd devices     noop_configure()
//   slow devices    noop_hold(), noop_release()
//   instruction counts: an entry point that nobody watches costs about ten instructions.
//
// Past specification 1.4: zeDriverGetExtensionFunctionAddress gives out what noop_config.api_version has, and
// zexCounterBasedEventCreate2 where ZEX_counter_based_event is among the extensions. Counter-based events are made so, by
// zeEventCounterBasedCreate, or from pools where ZE_experimental_event_pool_counter_based is listed. They start complete and
// refuse to be set or reset; while calls are watched (logged, counted exactly or planned to fail), a list that is not in
// order, or is of another device than a single one, refuses to signal them. A host function is called by a thread of the driver's.
//
// What it does: creates hand out real objects, counted per kind until they are destroyed; host
// allocations stand for every kind of memory; modules list the kernels of the SPIR-V that they were
// given; events, fences and queues complete at once unless held; nothing runs and nothing is copied
// (see noop_config.execute_copies). Entry points that have no behaviour here return
// ZE_RESULT_ERROR_UNSUPPORTED_FEATURE. A destroy that gets an object of another kind, or one that
// is gone, aborts the test with a message.
//
// Environment, for programs that can't call these functions (read once, at load; noop_reset
// cancels both):
//   NOOP_FAIL=function:nth:code[,...]   as noop_fail; nth 0: every call; code as in C (0x70000004)
//   NOOP_DEVICES=n                      as noop_config.devices
//
// Thread-safety: every function may be called from any thread, at any time.
#ifndef NOOP_H
#define NOOP_H

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NOOP_API __attribute__((visibility("default")))

// Forgets counts, plans and log, ends a hold, waits for host functions, and goes back to the default configuration. Objects
// stay, and stay counted.
NOOP_API void noop_reset(void);

// --- Counting

// Calls of one function since the last reset, failed ones included. Aborts for a name that Level
// Zero doesn't have: a misspelt name would otherwise count as "never called".
NOOP_API uint64_t noop_calls(const char *function);

// Launches that immediate lists were given and regular lists executed since the last reset, as often as they did; the append
// is counted only while calls are counted exactly, as below.
NOOP_API uint64_t noop_launches(void);

// Calls of all functions since the last reset.
NOOP_API uint64_t noop_calls_total(void);

// Calls are counted without locked instructions, so that the driver adds none to a measurement;
// concurrent calls of the same function may then count once. Switch this on where several threads
// call and the number matters. It is on anyway while a failure is planned, the log is kept, or
// completion is held.
NOOP_API void noop_count_exactly(bool exactly);

// --- Order

// Starts the log of calls, empty. It keeps the newest 4096.
NOOP_API void noop_log_start(void);

// Writes the names of the newest calls, oldest first, at most `capacity`. Returns how many calls
// were made since noop_log_start, which may be more than were kept. The names are static. `names`
// may be NULL with a capacity of 0.
NOOP_API size_t noop_log(const char **names, size_t capacity);

struct noop_append {
    const char *function; // static
    ze_command_list_handle_t list;
    uint32_t ordinal; // of the list's queue group
    ze_event_handle_t signal;
    ze_event_pool_flags_t signal_flags; // of the signalled event's pool
    uint32_t wait_count;
    ze_event_handle_t waits[8]; // the first of them
};

// The newest appends to command lists since noop_log_start, failed ones included, oldest first, at most `capacity`; the newest
// 1024 are kept. Returns how many there were. Handles are those that the application sees, unless the loader wraps them.
NOOP_API size_t noop_appends(struct noop_append *appends, size_t capacity);

// What the last command queue or immediate list was asked for with.
NOOP_API ze_command_queue_desc_t noop_last_queue(void);

// --- Failures

// Fails the nth call from now (1: the next one) of the function, or of any function where
// `function` is NULL, with `code`. The failing call does nothing else, except that destroy and free
// functions still destroy and free: otherwise a test could not distinguish a leak of the library's from
// one that the failure forced on it. Up to 64 plans wait at the same time.
NOOP_API void noop_fail(const char *function, uint64_t nth, ze_result_t code);

// Fails every call from now on, until noop_reset.
NOOP_API void noop_fail_every(const char *function, ze_result_t code);

// Number of calls that a plan made fail since the last reset. To walk every error path of some
// code: run it with noop_fail(NULL, n, code) for n = 1, 2, ... until nothing fires any more.
NOOP_API uint64_t noop_fired(void);

// --- Between two calls

// Calls the callback before the function does anything the next time, once, in the thread that calls the function. A later
// noop_before takes the place of an earlier one; noop_reset drops it.
NOOP_API void noop_before(const char *function, void (*callback)(void *user), void *user);

// --- Objects

enum noop_kind {
    NOOP_CONTEXT,
    NOOP_COMMAND_QUEUE,
    NOOP_COMMAND_LIST,
    NOOP_EVENT_POOL,
    NOOP_EVENT,
    NOOP_FENCE,
    NOOP_MODULE,
    NOOP_BUILD_LOG,
    NOOP_KERNEL,
    NOOP_IMAGE,
    NOOP_SAMPLER,
    NOOP_MEMORY, // allocations, and memory of other processes that is open
    NOOP_KIND_COUNT
};

// Objects that were created and not yet destroyed.
NOOP_API int64_t noop_live(enum noop_kind kind);
NOOP_API int64_t noop_live_total(void);

// The buffer of a program-scope variable, as zeModuleGetGlobalPointer gave it out last, or NULL:
// zeroed, 1 MiB, owned by the module. Any name exists in every module. A test may write here
// what a kernel would have written.
NOOP_API void *noop_global(const char *name);

// The first 16 bytes of what zeKernelSetArgumentValue was given for this index last, of whatever kernel, by calls that were watched: while
// a failure is planned, the log is kept or completion is held. Zeros at first. For tests in which one thread sets arguments.
NOOP_API const void *noop_argument(uint32_t index);

// How many linked modules, and parts of programs, import or export the symbol.
NOOP_API uint32_t noop_importers(const char *symbol);
NOOP_API uint32_t noop_exporters(const char *symbol);

// Calls of zeModuleCreate since the last reset that were given code to compile, and those that were given a native binary.
NOOP_API uint64_t noop_compilations(void);
NOOP_API uint64_t noop_native_loads(void);

// Copies the build flags of the last zeModuleCreate, at most `size` bytes with the final NUL; "" where it had none.
NOOP_API void noop_build_flags(char *buffer, size_t size);

// The specialization constants that one input of the last zeModuleCreate was given, at most `capacity`. Returns how many there
// were. Values are read as the 8 bytes at their address, of which the test knows how many count.
struct noop_constant {
    uint32_t id;
    uint64_t value;
};
NOOP_API uint32_t noop_constants(
    uint32_t input, struct noop_constant *constants, uint32_t capacity);

// --- Completion

// While held, what is submitted does not complete: events, fences and queues report
// ZE_RESULT_NOT_READY, waits block until their timeout. One execution of command lists is one
// submission, and so is one append to an immediate list. Ending the hold completes everything. Wait
// lists are not looked at: submissions complete in the order in which they were made. Appends to
// immediate lists return at once even where the list is synchronous.
NOOP_API void noop_hold(bool hold);

// Completes the n oldest submissions that are held; later ones stay held.
NOOP_API void noop_release(uint64_t n);

// Number of submissions that are held.
NOOP_API uint64_t noop_pending(void);

// --- Configuration

enum {
    NOOP_MAX_DEVICES = 8,
    NOOP_MAX_SUB_DEVICES = 4,
    NOOP_MAX_MEMORY_MODULES = 4,
    NOOP_MAX_QUEUE_GROUPS = 8,
    NOOP_MAX_SUB_GROUP_SIZES = 8
};

// Read the number of a kernel's arguments from its module.
#define NOOP_ARGUMENTS_OF_MODULE UINT32_MAX

struct noop_queue_group {
    ze_command_queue_group_property_flags_t flags;
    uint32_t queues;
    size_t max_fill_pattern; // bytes
};

// Start from noop_config_default and change what the test is about; defaults stand beside each
// member. Strings are not copied: they must outlive their use.
struct noop_config {
    // The driver.
    ze_api_version_t api_version;  // 1.4; later ones offer later functions as extension functions
    uint32_t driver_version;       // as Intel's: 1.3.24595
    const char *const *extensions; // none; names, NULL at the end. Each has version 1.0
    // None; names, NULL at the end, of functions that are not given out in spite of the version.
    const char *const *missing;

    // Each device. Sizes are in bytes.
    uint32_t devices;                 // 1
    uint32_t sub_devices;             // of each device: 0
    ze_device_type_t type;            // GPU
    const char *name;                 // "no-op device"
    uint32_t vendor_id;               // 0x8086
    uint32_t device_id;               // 0x9a49
    uint32_t ip_version;              // 0; reported where ZE_extension_device_ip_version is listed
    uint32_t max_image_size;          // in each dimension: 2048; 0: no images
    ze_device_property_flags_t flags; // none
    uint64_t memory_size;             // 8 GiB
    uint64_t max_allocation_size;     // 4 GiB
    // 5 GiB. Reported by Sysman, which needs no environment here, and by zeDeviceGetProperties where
    // ZE_extension_device_usablemem_size_properties is listed.
    uint64_t free_memory;
    // That Sysman knows of a device, each with its share of size and free: 1. With sub-devices
    // module i lies on sub-device i, as long as there are any.
    uint32_t memory_modules;
    ze_memory_access_cap_flags_t host_memory;   // read and write, atomic
    ze_memory_access_cap_flags_t device_memory; // read and write, atomic
    ze_memory_access_cap_flags_t shared_memory; // read and write, atomic
    ze_memory_access_cap_flags_t system_memory; // of malloc and the stack: none
    ze_device_module_flags_t module_flags;      // fp16, fp64, 64-bit atomics
    uint32_t spirv_version;                     // ZE_MAKE_VERSION(1, 2)
    uint32_t max_arguments_size;                // 2048
    uint32_t max_group_size;                    // work-items, in all and in each dimension: 512
    uint32_t max_group_count;                   // in each dimension: UINT32_MAX
    uint32_t max_local_memory;                  // 65536

    uint32_t sub_group_sizes[NOOP_MAX_SUB_GROUP_SIZES]; // 8, 16, 32; ends at the first 0

    // One that computes and copies, one that copies; ends at the first without queues.
    struct noop_queue_group queue_groups[NOOP_MAX_QUEUE_GROUPS];

    // Memory shared with other processes: zeMemGetIpcHandle moves nothing, but opens a memfd for the
    // allocation, whose descriptor the handle begins with and zeMemFree closes.
    bool ipc_without_descriptor; // the handle begins with -1, and nothing is opened. False
    bool ipc_leaves_descriptor;  // zeMemFree does not close it. False

    // Each module and kernel.
    uint32_t kernel_arguments;       // NOOP_ARGUMENTS_OF_MODULE
    uint32_t required_group_size[3]; // 0: none
    const char *resolved_imports;    // none; what the driver itself resolves, separated by spaces
    const char *build_log;           // ""
    const char *left_out; // none; a kernel that modules of several do not have in the end
    // The parts of a program are not linked with each other: only zeModuleDynamicLink does that. False.
    bool programs_stay_unlinked;

    // Copies and fills of memory really happen: when they are submitted, even if held. False.
    bool execute_copies;
};

NOOP_API struct noop_config noop_config_default(void);

// Takes effect on the next query: devices that were reported earlier stay valid handles.
NOOP_API void noop_configure(const struct noop_config *config);

#ifdef __cplusplus
}
#endif
#endif
