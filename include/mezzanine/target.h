// SPDX-License-Identifier: MIT
//
// Targets: what the devices of an architecture have, without a device at hand.
//
//     const mez_targets *targets;
//     mez_error err = mez_targets_get_default(&targets);
//     const mez_target *tgl = mez_targets_find(targets, "intel_gpu_tgllp", NULL);
//     if (tgl && !mez_target_has_aspect(tgl, "fp64"))
//         ...
//
// A table of them is built in; files in YAML describe others (docs/targets.md). What a file does
// not say of a target is not known, and what is not known refuses nothing.
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

// Called with one thing that may surprise, which is no failure. `text` has no line end behind it
// and is valid during the call; calls come from the thread that made the call of the library.
typedef void (*mez_warning_function)(void *user, const char *text);

typedef struct mez_targets_params {
    mez_warning_function warn; // "devices.yaml:12:5: ..."; NULL: the log gets them
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_targets_params;

// The table of the process: of the file that the variable MEZ_DEVICE_CONFIG names, else the one
// that is built in. It is read by the first call and belongs to the library.
//
// MEZ_ERRC_FILE, MEZ_ERRC_INVALID_PARAMETER: the file is missing or wrong, and every call returns
// the same; or `targets` is NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_targets_get_default(const mez_targets **targets);

// Reads a file. `params` may be NULL. *targets is yours, to be given to mez_targets_destroy; NULL
// after an error.
//
// MEZ_ERRC_FILE: it can't be read. MEZ_ERRC_INVALID_PARAMETER: it is not a device configuration,
// and the story has the line and the column; NULL; `reserved` is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_targets_load(
    const char *path, const mez_targets_params *params, mez_targets **targets);

// Sets *targets to NULL; NULL inside is fine. Nobody may use its targets any more.
MEZ_API void mez_targets_destroy(mez_targets **targets);

// In the order of the file. NULL where `index` is past the last.
MEZ_API uint32_t mez_targets_get_count(const mez_targets *targets);
MEZ_API const mez_target *mez_targets_get_target(const mez_targets *targets, uint32_t index);

// By name, else by alias. "intel_gpu_" may be left out, and `-` stands for `_`; capitals matter.
// NULL: there is none of that name; *nearest (NULL: not wanted) is then a name that was perhaps
// meant, whatever its capitals, else NULL.
MEZ_API const mez_target *mez_targets_find(
    const mez_targets *targets, const char *name, const char **nearest);

// "intel_gpu_tgllp". NULL for NULL alone.
MEZ_API const char *mez_target_get_name(const mez_target *target);

// Does it have the aspect, by its name in SYCL ("fp64"), as far as is known? True where the file
// says nothing of the target's aspects; false for a name that is not an aspect.
MEZ_API bool mez_target_has_aspect(const mez_target *target, const char *aspect);

// Writes the names of the aspects that it is known to have, `capacity` at most, which are static,
// and returns how many there are. `names` may be NULL where `capacity` is 0.
MEZ_API uint32_t mez_target_get_aspects(
    const mez_target *target, const char **names, uint32_t capacity);

// What else is known of a target. Numbers that are not known are 0.
typedef struct mez_target_limits {
    uint32_t max_group_size;     // work-items of a work-group
    uint32_t max_group_sizes[3]; // the same in each dimension: x (the fastest), y, z
    uint32_t max_local_memory;   // bytes of a work-group
    uint32_t max_argument_size;  // bytes of all arguments of a kernel together
    uint32_t sub_group_sizes[8];
    uint32_t sub_group_size_count;
    const char *compiler;         // the program that makes native code for it: "ocloc"; "": none
    const char *compiler_options; // as in a shell: "-device tgllp"
    bool takes_spirv;             // its drivers do
    uint64_t reserved[8];         // zero: mezzanine/base.h
} mez_target_limits;

// Fills *limits, whose texts live as long as the target's table.
MEZ_API void mez_target_get_limits(const mez_target *target, mez_target_limits *limits);

MEZ_END

#endif
