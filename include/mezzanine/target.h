// SPDX-License-Identifier: MIT
//
// Targets describe what the devices of an architecture have. No device is needed to read them.
//
//     const mez_targets *targets;
//     mez_error err = mez_targets_get_default(&targets);
//     const mez_target *tgl = mez_targets_find(targets, "intel_gpu_tgllp", NULL);
//     if (tgl && !mez_target_has_aspect(tgl, "fp64"))
//         ...
//
// The library contains a table of targets, and YAML files can describe others (docs/targets.md). If
// a file does not say whether a target has a feature, kernels that require the feature are not
// refused.
//
// Part of libmezzanine-image (docs/toolchain.md), and of libmezzanine.
//
// Thread-safety: safe; a table never changes after it has been read.

#ifndef MEZZANINE_TARGET_H
#define MEZZANINE_TARGET_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

// A table of targets, and one of them, which lives as long as its table.
typedef struct mez_targets mez_targets;
typedef struct mez_target mez_target;

// Called with a warning, by the thread that called the library. `text` has no final newline and is
// valid during the call.
typedef void (*mez_warning_function)(void *user, const char *text);

typedef struct mez_targets_params {
    mez_warning_function warn; // gets "devices.yaml:12:5: ..."; NULL: warnings go to the log
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_targets_params;

// The default table: that of the file which the variable MEZ_DEVICE_CONFIG names, or else the table
// in the library. The first call reads it; it belongs to the library.
//
// MEZ_ERRC_FILE, MEZ_ERRC_INVALID_PARAMETER: the file is missing or not valid, in which case every
//     call returns the same error; or `targets` is NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_targets_get_default(const mez_targets **targets);

// Reads a file. `params` may be NULL. *targets is yours, to be given to mez_targets_destroy; NULL
// after an error.
//
// MEZ_ERRC_FILE: the file can't be read. MEZ_ERRC_INVALID_PARAMETER: the file is not a valid device
//     configuration, and the story has the line and the column; an argument is NULL; or `reserved`
//     is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_targets_load(
    const char *path, const mez_targets_params *params, mez_targets **targets);

// Frees the table with its targets and sets *targets to NULL; *targets may be NULL.
MEZ_API void mez_targets_destroy(mez_targets **targets);

// The targets in the order of the file. NULL if `index` is not below the count.
MEZ_API uint32_t mez_targets_get_count(const mez_targets *targets);
MEZ_API const mez_target *mez_targets_get_target(const mez_targets *targets, uint32_t index);

// Finds a target by its name, or else by an alias. "intel_gpu_" may be left out, and `-` may stand
// for `_`; capital letters matter. If there is no such target, the result is NULL, and *nearest
// (NULL: not wanted) is the most similar name, or NULL if none is similar.
MEZ_API const mez_target *mez_targets_find(
    const mez_targets *targets, const char *name, const char **nearest);

// The name, such as "intel_gpu_tgllp". NULL only for NULL.
MEZ_API const char *mez_target_get_name(const mez_target *target);

// Does the target have the aspect with this name of SYCL's ("fp64")? True if the file does not say
// which aspects the target has; false for a name that is not an aspect.
MEZ_API bool mez_target_has_aspect(const mez_target *target, const char *aspect);

// Writes the names of the aspects that the target is known to have, at most `capacity`, and returns
// how many there are. The names are static. `names` may be NULL if `capacity` is 0.
MEZ_API uint32_t mez_target_get_aspects(
    const mez_target *target, const char **names, uint32_t capacity);

// Other facts about a target. Numbers that are not known are 0.
typedef struct mez_target_limits {
    uint32_t max_group_size;     // work-items of a work-group
    uint32_t max_group_sizes[3]; // the same in each dimension: x (the fastest), y, z
    uint32_t max_local_memory;   // bytes of a work-group
    uint32_t max_argument_size;  // bytes of all arguments of a kernel together
    uint32_t sub_group_sizes[8];
    uint32_t sub_group_size_count;
    const char *compiler;         // the program that makes native code for it: "ocloc"; "": none
    const char *compiler_options; // written as in a shell: "-device tgllp"
    bool takes_spirv;             // its drivers accept SPIR-V
    uint32_t spirv_version;       // of a device: the newest it accepts, major << 16 | minor
    // Devices of the target may have other aspects than those that are listed, or none is known:
    // what is not listed is MEZ_MAY_HAVE.
    bool may_have_other_aspects;
    uint64_t reserved[7]; // zero: mezzanine/base.h
} mez_target_limits;

// Writes *limits. Its texts live as long as the target's table.
MEZ_API void mez_target_get_limits(const mez_target *target, mez_target_limits *limits);

MEZ_END

#endif
