// SPDX-License-Identifier: MIT
//
// Devices: what a context found, best first, and what each can do.
//
// A device may have parts, its sub-devices: tiles of a large GPU, say. Each is a mez_device of the
// same context and can be used wherever a device can: for queues, memory, images and kernels. Work
// on the device itself uses all of its parts. docs/devices.md says which devices a program sees,
// and how users choose.
//
// A mez_device belongs to its context and lives as long as it; there is nothing to destroy.
//
// Thread-safety: safe; devices are immutable, except for what mez_device_get_memory_state asks
// the driver each time.

#ifndef MEZZANINE_DEVICE_H
#define MEZZANINE_DEVICE_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

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
    uint32_t spirv_version;  // newest that the driver promises: major << 16 | minor

    bool fp16;          // half precision arithmetic
    bool fp64;          // double precision arithmetic
    bool int64_atomics; // atomics on 64-bit integers

    uint32_t max_group_size;       // work-items in a work-group
    uint32_t max_group_sizes[3];   // per dimension
    uint32_t max_group_counts[3];  // work-groups of a launch, per dimension
    uint32_t local_memory;         // bytes that a work-group can share
    uint32_t sub_group_size_count; // entries used in the next field
    uint32_t sub_group_sizes[MEZ_MAX_SUB_GROUP_SIZES];
    uint32_t max_argument_size; // bytes, all arguments of a kernel together

    uint64_t memory_size;    // bytes of device memory
    uint64_t max_alloc_size; // bytes of one allocation
    uint32_t compute_units;  // execution units; threads of the CPU driver

    // Part of another device? Also true of parts that the context lists as devices
    // (ZE_FLAT_DEVICE_HIERARCHY=COMBINED).
    bool is_sub_device;
    uint32_t sub_device_number; // which part, from 0; 0 where it is none
} mez_device_info;

// Never NULL for a device that is not.
MEZ_API const mez_device_info *mez_device_get_info(const mez_device *device);

// The name of its architecture, as the targets of compilers are called: "intel_gpu_tgllp", or
// "x86_64" for the CPU driver. "unknown" where the driver reports too little, or for a device that
// is newer than the table of targets (docs/targets.md). Never NULL; lives as long as the process.
MEZ_API const char *mez_device_get_architecture(const mez_device *device);

// Does it have the optional feature that SYCL calls by that name, such as "fp64" or "atomic64"?
// False for names that are not known.
MEZ_API bool mez_device_has_aspect(const mez_device *device, const char *name);

// The parts of a device, numbered from 0. mez_context_get_device does not list them. 0 and NULL
// where there is none.
MEZ_API uint32_t mez_device_get_sub_device_count(const mez_device *device);
MEZ_API mez_device *mez_device_get_sub_device(const mez_device *device, uint32_t index);

// The device that this one was reached from as a part; NULL for all that mez_context_get_device
// lists.
MEZ_API mez_device *mez_device_get_parent(const mez_device *device);

// How much memory a device has and how much of that nobody uses: no program of this machine, this
// one with its pools included. It changes at any time, so it is advice, no promise: an allocation
// of `free` bytes may fail, also because it must be in one piece.
typedef struct mez_memory_state {
    uint64_t total; // bytes
    uint64_t free;  // bytes; 0 where it is not known
    bool free_is_known;
    // One sentence that says what would help; static. NULL where the free memory is known.
    const char *why_unknown;
    uint64_t reserved[4]; // zero: mezzanine/base.h
} mez_memory_state;

// Takes it from the first of these that knows: the driver, where it lists
// ZE_extension_device_usablemem_size_properties; Level Zero's Sysman, where the variable
// ZES_ENABLE_SYSMAN was 1 when Level Zero was initialised (we never set it); the host, for devices
// that share its memory. Where none can, free_is_known is false, which is no error.
//
// MEZ_ERRC_INVALID_PARAMETER: no device or no `state`. MEZ_ERRC_OUT_OF_HOST_MEMORY. What the driver
//     says where its answer is a failure, such as a lost device. *state then has the total only.
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

// Queues of the hardware that can do the same. The place in the list is Level Zero's ordinal.
typedef struct mez_queue_group {
    uint32_t queues;           // how many there are
    bool computes;             // they run kernels
    bool copies;               // they copy and fill
    bool cooperative;          // they run cooperative kernels
    bool metrics;              // they can be measured
    uint64_t max_fill_pattern; // bytes of the largest pattern of a fill
} mez_queue_group;

// What identifies a device, and what it is made of. Read-only; lives as long as the device.
typedef struct mez_device_details {
    // The driver's, the same in each process as long as neither device nor driver changes. Zeros:
    // the driver has none.
    uint8_t uuid[16];
    bool has_pci_address; // false also where the driver does not say
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

// The first call for a device asks its driver, others return the same. On failure *details is NULL.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY. What the driver says, a lost
//     device for one; what it does not know is not a failure.
MEZ_API MEZ_CHECKED mez_error mez_device_get_details_at(
    const mez_location *where, mez_device *device, const mez_device_details **details);
#ifndef __cplusplus
#define mez_device_get_details(device, details) mez_device_get_details_at(MEZ_HERE, device, details)
#endif

// How a device's driver reports failed asserts by itself, under the name cl_intel_devicelib_assert.
// Where it does, and no other policy than abort is asked for, Mezzanine leaves them to it.
typedef enum mez_native_asserts {
    MEZ_NATIVE_ASSERTS_NONE = 0,   // not at all: Mezzanine links its device library
    MEZ_NATIVE_ASSERTS_LISTED = 1, // the driver lists the extension
    // The driver does not list it, but its compiler brings the function that a failed assert calls.
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
