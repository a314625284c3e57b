// SPDX-License-Identifier: MIT
//
// A command: one thing for the device to do, described but not yet in a command list.

#ifndef MEZ_TASK_COMMAND_H
#define MEZ_TASK_COMMAND_H

#include "base/process.h"
#include "kernel/use.h"

typedef enum mez_command_kind {
    MEZ_COMMAND_KERNEL,
    MEZ_COMMAND_COPY,
    MEZ_COMMAND_FILL,
    MEZ_COMMAND_COPY_2D,
    MEZ_COMMAND_PREFETCH, // no events: neither waited for nor signalled
    MEZ_COMMAND_ADVISE,   // the same
    MEZ_COMMAND_NOTHING,  // keeps its place in the order: waits and signals, no more
    MEZ_COMMAND_LIST,     // a list that the user has filled: not appended, but run as it is
    MEZ_COMMAND_HOST,     // a function of the user's; the driver never sees it
    MEZ_COMMAND_REPLAY,   // a recorded list: the same
    MEZ_COMMAND_COPY_3D,
} mez_command_kind;

// For people.
MEZ_HIDDEN extern const char mez_command_kind_names[][12];

// Extent and pitches of a copy in three dimensions.
typedef struct mez_box {
    uint32_t width; // bytes
    uint32_t rows, slices;
    uint32_t to_row_pitch, to_slice_pitch;
    uint32_t from_row_pitch, from_slice_pitch;
} mez_box;

typedef struct mez_command {
    mez_command_kind kind;
    const mez_location *where; // of the user's call; NULL: unknown
    const char *debug_name;    // of the task; NULL: none
    bool elsewhere;            // for the queue's companion (companion.h), which exists
    // Once a traced queue has taken it (traced.h); NULL: not reported.
    struct mez_traced_task *traced;
    union {
        struct {
            mez_kernel *kernel;
            const mez_range *range;
            const mez_args *args;
            bool cooperative;
            // A prepared launch's own; NULL: the queue's, found when it takes the task.
            mez_kernel_use *use;
        } launch;
        struct {
            void *to;
            const void *from;
            size_t size;
        } copy;
        struct {
            void *to;
            const void *from;
            uint32_t to_pitch;
            uint32_t from_pitch;
            uint32_t width; // bytes
            uint32_t rows;
        } copy_2d;
        struct {
            void *to;
            const void *from;
            const mez_box *box;
        } copy_3d;
        struct {
            void *to;
            const void *pattern;
            size_t pattern_size;
            size_t size;
        } fill;
        struct {
            const void *memory;
            size_t size;
            ze_device_handle_t device; // of an advice
            ze_memory_advice_t advice;
        } hint;
        struct {
            struct mez_batch *batch;
            bool *taken; // set when the queue has taken the batch over
        } list;
        struct {
            mez_host_function function; // NULL: there is only something to wait for
            void *user;
            bool after_all; // comes after everything that the queue was given before it
        } host;
        struct mez_encoding *replay; // see readback.h
    };
} mez_command;

// Bytes that are copied.
static inline size_t mez_box_size(const mez_box *box)
{
    return (size_t)box->width * box->rows * box->slices;
}

// Is all set already?
static inline bool mez_command_is_prepared(const mez_command *command)
{
    if (command->kind != MEZ_COMMAND_KERNEL)
        return true;
    return !command->launch.cooperative &&
           mez_kernel_use_is_same(command->launch.use, command->launch.range, command->launch.args);
}

// Plans and sets what a launch needs; other commands need nothing. The caller holds the queue's lock.
// Errors: MEZ_ERRC_ND_RANGE, what the driver says.
mez_error mez_command_prepare(const mez_command *command, const mez_device *device);

// Appends a prepared command to a list. `signal` may be NULL.
mez_error mez_command_append(const mez_command *command, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *wait);

// The module whose record must be read back behind the command; NULL: none.
static inline mez_module *mez_command_asserting_module(const mez_command *command)
{
    return command->kind == MEZ_COMMAND_KERNEL ? command->launch.use->asserting_module : NULL;
}

// --- Commands that outlive the call which described them: range, arguments and pattern are copied, kernel or recorded list are
// kept. Memory that they read and write stays the user's.

// A copy of a command whose arguments, where it has some, have been checked; a launch has a list of arguments then, which may be
// empty. Free it with mez_command_free. Error: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_command_copy(const mez_command *command, mez_command **copy);

// The same into memory of the caller's, which has so many bytes and the alignment of malloc. Ends with mez_command_finish.
size_t mez_command_copy_size(const mez_command *command);
mez_command *mez_command_copy_to(const mez_command *command, void *memory);

// Releases the kernel or list of a copy, and frees its memory. NULL does nothing.
void mez_command_free(mez_command *copy);
// Only releases them: the memory is the caller's.
void mez_command_finish(mez_command *copy);

#endif
