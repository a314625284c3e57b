// SPDX-License-Identifier: MIT
//
// Targets: what devices of an architecture have, without a device at hand. A device that is at hand describes itself by the same
// struct (device/target.c), so that whoever judges a kernel need not know which of the two he has.
//
//     const mez_targets *targets;
//     MEZ_TRY(mez_targets_get_default(&targets));
//     const mez_target *target = mez_targets_find(targets, "intel_gpu_tgllp", NULL);
//
// A device configuration file describes them in YAML: docs/targets.md. What it does not say of a target is not known, and what is
// not known refuses nothing.
//
// Thread-safety: safe; a table is immutable once it is read.

#ifndef MEZ_TARGET_TARGET_H
#define MEZ_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mezzanine/target.h>

#include "aspect/aspect.h"
#include "base/error.h"

// Most entries of a target's lists; a file that has more is refused.
enum {
    MEZ_TARGET_ALIASES = 8,
    MEZ_TARGET_IP_VERSIONS = 16,
    MEZ_TARGET_PCI_IDS = 64,
    MEZ_TARGET_SUB_GROUP_SIZES = 8,
    MEZ_TARGET_UNNAMED_ASPECTS = 32,
};

#define MEZ_PCI_VENDOR_INTEL 0x8086

// What a device whose architecture nobody knows is called.
#define MEZ_TARGET_UNKNOWN "unknown"

// Device ids of Intel, both ends included.
typedef struct mez_pci_range {
    uint16_t first, last;
} mez_pci_range;

struct mez_target {
    const char *name; // "intel_gpu_tgllp"
    const char *aliases[MEZ_TARGET_ALIASES];
    uint32_t alias_count;

    // Which devices it is. An ip version is architecture:10 release:8 reserved:8 revision:6, so 12.0.0 is 0x03000000; the first is
    // the newest.
    uint32_t ip_versions[MEZ_TARGET_IP_VERSIONS];
    uint32_t ip_version_count;
    mez_pci_range pci_ids[MEZ_TARGET_PCI_IDS];
    uint32_t pci_id_count;

    mez_aspects aspects;
    uint32_t unnamed_aspects[MEZ_TARGET_UNNAMED_ASPECTS]; // numbers for which we have no name
    uint32_t unnamed_aspect_count;
    bool aspects_known;             // false: the file does not say, and the sets are empty
    bool may_support_other_aspects; // devices of this target may have more than listed

    uint32_t sub_group_sizes[MEZ_TARGET_SUB_GROUP_SIZES];
    uint32_t sub_group_size_count; // 0: not known
    uint32_t max_group_size;       // work-items of a work-group; 0: not known
    uint32_t max_group_sizes[3];   // x (the fastest), y, z; 0: not known
    uint32_t max_local_memory;     // bytes of a work-group; 0: not known
    uint32_t max_argument_size;    // bytes, all arguments of a kernel together; 0: not known

    const char *aot_toolchain; // program that compiles for it: "ocloc"; "" : none
    const char *aot_options;   // its options, as one writes them in a shell: "-device tgllp"

    // Of a device that is at hand; 0: not known.
    uint32_t compiler;      // that its driver has: a mez_igc
    uint32_t spirv_version; // newest that the device promises: major << 16 | minor
};

// --- What a target can do

// Does it have the aspect, as far as is known?
bool mez_target_has(const mez_target *target, mez_aspect aspect);

// The same by number, as property sets carry it; numbers without a name are found where the file lists them, too.
bool mez_target_has_number(
    const mez_target *target, mez_aspect_numbering numbering, uint32_t number);

bool mez_target_has_sub_group_size(const mez_target *target, uint32_t size);

// Is it devices of that ip version, whatever the revision?
bool mez_target_has_ip(const mez_target *target, uint32_t ip_version);

// Do its devices take SPIR-V? All do but those of other vendors, as far as their names are known: ptx64, nvidia_gpu_..., amd_gpu_...
bool mez_target_takes_spirv(const mez_target *target);

// Values of fixed targets below this are aspects; from here on they are ip versions.
#define MEZ_FIXED_TARGET_IP 0x1000000u

// Is a value of a "fixed_target" list this target: an aspect that it has, or its ip version except for the revision? Targets of which
// nothing is known may be any device.
bool mez_target_is(const mez_target *target, mez_aspect_numbering numbering, uint32_t value);

// --- Tables of targets

// Those that programs may call are in mezzanine/target.h.

// Reads the `size` bytes of a file that messages call `origin`. Otherwise as mez_targets_load.
mez_error mez_targets_read(const char *origin, const void *bytes, size_t size,
    const mez_targets_params *warnings, mez_targets **targets);

// By the ip version of a device, whatever its revision. NULL: there is none, as for 0.
const mez_target *mez_targets_find_ip(const mez_targets *targets, uint32_t ip_version);

// By the PCI ids of a device. NULL: there is none, or the vendor is not Intel.
const mez_target *mez_targets_find_pci(
    const mez_targets *targets, uint32_t vendor_id, uint32_t device_id);

// --- Native code
//
// Does code that was compiled for one device run on another?

typedef enum mez_native_fit {
    MEZ_NATIVE_FITS = 0, // compiled for this device, or for one whose code it runs
    MEZ_NATIVE_MAY_FIT,  // unknown: the driver will decide
    MEZ_NATIVE_MISFIT,
} mez_native_fit;

// Do code and device go together, by the names of their targets as the device configuration has them? A name that is not known
// there, or "", may be anything.
mez_native_fit mez_native_compare(const char *code, const char *device);

// --- Values as texts
//
// As a device configuration file has them. Each function returns false for a text that is none.

// Decimal, or hexadecimal behind 0x; no sign, no space.
bool mez_value_number(const char *text, uint32_t *number);

// true, false; yes, no, on and off as YAML 1.1 has them; in small letters, capitals, or with a capital.
bool mez_value_bool(const char *text, bool *value);

// 12.55.8, 12.55 (revision 0), or the number, 0x030dc008.
bool mez_value_ip(const char *text, uint32_t *ip_version);

// 0x9a49, or 0x4f80-0x4f84.
bool mez_value_pci(const char *text, mez_pci_range *range);

// An ip version without what does not matter for programs.
static inline uint32_t mez_ip_release(uint32_t ip_version)
{
    return ip_version >> 6;
}

#endif
