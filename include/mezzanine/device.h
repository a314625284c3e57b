// SPDX-License-Identifier: MIT
//
// The devices of a context, and what each can do.
//
// A device may consist of parts, its sub-devices, such as the tiles of a large GPU. Each sub-device
// is a mez_device of the same context and can be used wherever a device can: for queues, memory,
// images and kernels. Work on the whole device uses all of its parts. docs/devices.md says which
// devices a program sees, and how users choose.
//
// A mez_device belongs to its context and lives as long as the context; programs don't destroy it.
//
// Thread-safety: safe; devices are immutable, except for what mez_device_get_memory_state asks
// the driver each time.

#ifndef MEZZANINE_DEVICE_H
#define MEZZANINE_DEVICE_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>
#include <mezzanine/target.h>

MEZ_BEGIN

typedef struct mez_device mez_device;

typedef enum mez_device_type {
    MEZ_DEVICE_OTHER = 0,
    MEZ_DEVICE_GPU = 1,
    MEZ_DEVICE_CPU = 2,
} mez_device_type;

#define MEZ_MAX_SUB_GROUP_SIZES 8

// What the driver reports. Read-only; strings live as long as the device.
typedef struct mez_device_info {
    const char *name;
    mez_device_type type;
    uint32_t vendor_id; // PCI
    uint32_t device_id; // PCI
    bool integrated;    // shares its memory with the host

    uint32_t api_version;    // of the driver: major << 16 | minor
    uint32_t driver_version; // as the driver numbers itself
    uint32_t spirv_version;  // the newest that is supported: major << 16 | minor

    bool fp16;          // half precision arithmetic
    bool fp64;          // double precision arithmetic
    bool int64_atomics; // atomics on 64-bit integers

    uint32_t max_group_size;       // work-items in a work-group
    uint32_t max_group_sizes[3];   // per dimension
    uint32_t max_group_counts[3];  // work-groups of a launch, per dimension
    uint32_t local_memory;         // bytes that a work-group can share
    uint32_t sub_group_size_count; // used entries of the next member
    uint32_t sub_group_sizes[MEZ_MAX_SUB_GROUP_SIZES];
    uint32_t max_argument_size; // bytes, all arguments of a kernel together

    uint64_t memory_size;    // bytes of device memory
    uint64_t max_alloc_size; // bytes of one allocation
    uint32_t compute_units;  // execution units; threads of the CPU driver

    // True if it is part of another device, also where the context lists the parts as devices
    // (ZE_FLAT_DEVICE_HIERARCHY=COMBINED).
    bool is_sub_device;
    uint32_t sub_device_number; // its number in that device, from 0
} mez_device_info;

// Returns NULL only if `device` is NULL.
MEZ_API const mez_device_info *mez_device_get_info(const mez_device *device);

// The name of the device's architecture, as compilers name their targets: "intel_gpu_tgllp", or
// "x86_64" for the CPU driver. "unknown" if the driver does not report it, or if the device is
// newer than the table of targets (docs/targets.md). Never NULL; lives as long as the process.
MEZ_API const char *mez_device_get_architecture(const mez_device *device);

// The device as a target, with what its driver reports: kernels are judged for it by mez_code_judge
// as the library judges them before it builds them, by the rules of the driver's compiler. NULL
// only for NULL; lives as long as the device.
MEZ_API const mez_target *mez_device_get_target(const mez_device *device);

// Does the device have this optional feature? `name` is that of an aspect of SYCL, such as "fp64"
// or "atomic64". False for unknown names.
MEZ_API bool mez_device_has_aspect(const mez_device *device, const char *name);

// The sub-devices of a device, numbered from 0. mez_context_get_device does not list them. The
// count is 0 for a device without parts, and the sub-device is NULL for a number that does not
// exist.
MEZ_API uint32_t mez_device_get_sub_device_count(const mez_device *device);
MEZ_API mez_device *mez_device_get_sub_device(const mez_device *device, uint32_t index);

// The device of which this one is a part; NULL for every device that mez_context_get_device lists.
MEZ_API mez_device *mez_device_get_parent(const mez_device *device);

// How much memory a device has, and how much of it no program uses. What this program has allocated
// counts as used, with its pools. The values may change at any time, and an allocation of `free`
// bytes may fail, also because the free memory need not be in one piece.
typedef struct mez_memory_state {
    uint64_t total; // bytes
    uint64_t free;  // bytes; 0 if not known
    bool free_is_known;
    // One sentence that says what the user can do about it; static. NULL if `free` is known.
    const char *why_unknown;
    uint64_t reserved[4]; // zero: mezzanine/base.h
} mez_memory_state;

// Asks three sources in this order: the driver, if it lists
// ZE_extension_device_usablemem_size_properties; Level Zero's Sysman, if the variable
// ZES_ENABLE_SYSMAN was 1 when Level Zero was initialised (the library never sets it); the host,
// for devices that share its memory. If none of them knows, free_is_known is false, and the call
// succeeds.
//
// MEZ_ERRC_INVALID_PARAMETER: `device` or `state` is NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY. What the
//     driver says, such as the loss of the device; *state then has the total only.
MEZ_API MEZ_CHECKED mez_error mez_device_get_memory_state_at(
    const mez_location *where, const mez_device *device, mez_memory_state *state);

// One of a device's memories.
typedef struct mez_device_memory {
    const char *name;       // the driver's; "" where it has none
    const char *kind;       // "HBM2", "GDDR6", "LPDDR5"; "" where the driver does not say
    uint64_t size;          // bytes
    uint64_t physical_size; // bytes that are built in; 0: not known
    uint32_t clock;         // the highest, MHz; 0: not known
    uint32_t bus_width;     // bits; 0: not known
} mez_device_memory;

typedef struct mez_device_cache {
    uint64_t size; // bytes; 0: not known
    // A kernel may take a part of it for local memory (zeKernelSetCacheConfig).
    bool user_controlled;
} mez_device_cache;

// A group of hardware queues with the same abilities. Its index in mez_device_details.queue_groups
// is Level Zero's ordinal.
typedef struct mez_queue_group {
    uint32_t queues;           // how many there are
    bool computes;             // they run kernels
    bool copies;               // they copy and fill
    bool cooperative;          // they run cooperative kernels
    bool metrics;              // metrics can be collected from them
    uint64_t max_fill_pattern; // bytes of the largest pattern of a fill
} mez_queue_group;

// What identifies a device, and which parts it has. Read-only; lives as long as the device.
typedef struct mez_device_details {
    // From the driver: the same in every process until the device or the driver changes. All zero
    // if the driver has none.
    uint8_t uuid[16];
    bool has_pci_address; // false also if the driver does not report it
    uint32_t pci_domain;
    uint32_t pci_bus;
    uint32_t pci_device;
    uint32_t pci_function;
    uint32_t core_clock; // MHz; 0: not known
    uint32_t memory_count;
    const mez_device_memory *const *memories;
    uint32_t cache_count;
    const mez_device_cache *const *caches;
    uint32_t queue_group_count;
    const mez_queue_group *const *queue_groups;
    uint32_t aspect_count;
    const char *const *aspects; // names, as mez_device_has_aspect takes them, in a fixed order
} mez_device_details;

// The first call for a device asks its driver, and later calls return the same pointer. On failure
// *details is NULL.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY. What the driver says, such as the
//     loss of the device. The call succeeds if the driver does not report some of the facts.
MEZ_API MEZ_CHECKED mez_error mez_device_get_details_at(
    const mez_location *where, mez_device *device, const mez_device_details **details);
#ifndef __cplusplus
#define mez_device_get_details(device, details) mez_device_get_details_at(MEZ_HERE, device, details)
#endif

// How a device's driver reports failed asserts by itself (the extension cl_intel_devicelib_assert).
// If it does, and the policy is to abort, Mezzanine leaves failed asserts to the driver.
typedef enum mez_native_asserts {
    MEZ_NATIVE_ASSERTS_NONE = 0,   // not at all: Mezzanine links its device library
    MEZ_NATIVE_ASSERTS_LISTED = 1, // the driver lists the extension
    // The driver does not list it, but its compiler defines the function that a failed assert
    // calls.
    MEZ_NATIVE_ASSERTS_COMPILED = 2,
} mez_native_asserts;

// The first call for a device may compile a tiny module. Thread-safety: safe.
// MEZ_ERRC_INVALID_PARAMETER: NULL; what the driver says.
MEZ_API MEZ_CHECKED mez_error mez_device_get_native_asserts_at(
    const mez_location *where, mez_device *device, mez_native_asserts *how);

#ifndef __cplusplus
#define mez_device_get_memory_state(device, state) \
    mez_device_get_memory_state_at(MEZ_HERE, device, state)
#define mez_device_get_native_asserts(device, how) \
    mez_device_get_native_asserts_at(MEZ_HERE, device, how)
#endif

MEZ_END

#endif
