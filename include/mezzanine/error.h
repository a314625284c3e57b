// SPDX-License-Identifier: MIT
//
// Errors are values with a story.
//
// A mez_error is eight bytes, returned in a register. It is an error code: a number (`value`) in a
// category. It also has the number of a story, which says what failed, where, in which object, what
// the driver reported, and what to do. The process keeps a limited number of stories, and drops the
// oldest when new ones come; mez_error_retain keeps one for as long as you need it.
//
//     mez_error err = mez_kernel_load(ctx, "saxpy.cl", "saxpy", &kernel);
//     if (mez_error_is(err, MEZ_ERRC_KERNEL_NOT_SUPPORTED))
//         return fall_back();
//     if (mez_failed(err))
//         mez_error_print(stderr, err);
//
// Portable programs compare with conditions (mez_error_is); several codes may match one condition.
// Native codes are available too: in the category MEZ_CATEGORY_LEVEL_ZERO, `value` is a
// ze_result_t.
//
// Thread-safety: everything here is safe from any thread.

#ifndef MEZZANINE_ERROR_H
#define MEZZANINE_ERROR_H

#include <stdio.h>

#include <mezzanine/base.h>

MEZ_BEGIN

typedef struct mez_error {
    int32_t value;   // 0: success; else a code of the category
    uint32_t origin; // low 8 bits: mez_category; high 24 bits: number of the story, 0: none
} mez_error;

typedef enum mez_category {
    MEZ_CATEGORY_SUCCESS = 0, // only for success
    MEZ_CATEGORY_RUNTIME = 1, // found by Mezzanine: the value is one of the runtime conditions
    // Reported by a device, a driver or a compiler: the value is one of the device conditions.
    MEZ_CATEGORY_DEVICE = 2,
    MEZ_CATEGORY_LEVEL_ZERO = 3, // the value is a ze_result_t
} mez_category;

// What went wrong, in portable terms. The same numbers are the codes of the categories runtime
// (0x1xx) and device (0x2xx).
typedef enum mez_condition {
    MEZ_SUCCESS = 0,

    // Runtime: how the library was called, and what it could see before a device was asked.
    MEZ_ERRC_KERNEL = 0x101,   // no such kernel in the image, or the kernel can't be created
    MEZ_ERRC_ACCESSOR = 0x102, // a buffer's accessor does not fit its use
    MEZ_ERRC_ND_RANGE = 0x103, // a range the kernel or the device can't run
    MEZ_ERRC_EVENT = 0x104,    // an event can't be waited for or signalled
    MEZ_ERRC_INVALID_PARAMETER = 0x105, // an argument of the call is wrong
    // Count, size or kind of the kernel's arguments, or an address that the device can't be given.
    MEZ_ERRC_KERNEL_ARGUMENT = 0x106,
    MEZ_ERRC_KERNEL_NOT_SUPPORTED = 0x107, // the kernel needs what this device does not have
    MEZ_ERRC_INVALID_IMAGE = 0x108,        // bytes that are not a device image, or a damaged one
    MEZ_ERRC_FILE = 0x109, // a file can't be read or written, or no compiler is installed
    MEZ_ERRC_OUT_OF_HOST_MEMORY = 0x10a, // malloc or another allocation on the host failed
    MEZ_ERRC_TIMEOUT = 0x10b,            // a wait reached its time limit; tasks go on
    // The call is valid, but not in this state. All calls that need a driver return this in a child
    // of fork(), if a driver had been initialised before, and at the end of the program, when the
    // driver ends: docs/processes.md.
    MEZ_ERRC_WRONG_STATE = 0x10c,
    MEZ_ERRC_STRAY_WRITE = 0x10d, // somebody wrote where nothing is allocated

    // Device: what the driver, its compiler or the device said.
    MEZ_ERRC_COMPILE_PROGRAM = 0x201,   // a compiler refused the code: see the build log
    MEZ_ERRC_LINK_PROGRAM = 0x202,      // symbols missing or defined twice
    MEZ_ERRC_INVALID_OBJECT = 0x203,    // the driver does not accept a handle or argument of ours
    MEZ_ERRC_MEMORY_ALLOCATION = 0x204, // the device has no memory for it
    MEZ_ERRC_PLATFORM = 0x205,          // no driver, no device, no permission
    MEZ_ERRC_PROFILING = 0x206,         // times are not available
    MEZ_ERRC_FEATURE_NOT_SUPPORTED = 0x207, // the driver does not implement it
    MEZ_ERRC_DEVICE_LOST = 0x208,           // the device hung, or was reset or removed
    MEZ_ERRC_ASSERT = 0x209,                // a device-side assert failed
    MEZ_ERRC_NOT_READY = 0x20a,             // not finished yet: neither success nor failure
    MEZ_ERRC_UNKNOWN = 0x20b,               // a code this version does not know
} mez_condition;

static inline mez_error mez_ok(void)
{
    mez_error ok = {0, 0};
    return ok;
}

static inline bool mez_failed(mez_error error)
{
    return error.value != 0;
}

// Ignores an error on purpose: mez_error_ignore(mez_queue_flush(queue)). Without it, compilers warn
// where the error of a call is not used.
static inline void mez_error_ignore(mez_error error)
{
    (void)error;
}

static inline mez_category mez_error_get_category(mez_error error)
{
    return (mez_category)(error.origin & 0xffu);
}

// An error with this code and without a story: for comparisons, or where only the number is known.
static inline mez_error mez_error_of(mez_category category, int32_t value)
{
    mez_error error;
    error.value = value;
    error.origin = (uint32_t)category;
    return error;
}

// Do both have the same code in the same category? Stories are not compared.
static inline bool mez_error_is_equal(mez_error a, mez_error b)
{
    return a.value == b.value && mez_error_get_category(a) == mez_error_get_category(b);
}

// The condition that the code stands for; MEZ_ERRC_UNKNOWN for a native code that this version does
// not know.
MEZ_API mez_condition mez_error_get_condition(mez_error error);

// Does the code match the condition? The portable way to compare.
MEZ_API bool mez_error_is(mez_error error, mez_condition condition);

// The family of a condition, which is the category whose codes have the same numbers:
// MEZ_CATEGORY_RUNTIME or MEZ_CATEGORY_DEVICE.
static inline mez_category mez_condition_get_category(mez_condition condition)
{
    return (mez_category)((uint32_t)condition >> 8);
}

// Does the error belong to the category? A native code belongs to its own category and to the
// family of its condition. So mez_error_is_in(error, MEZ_CATEGORY_DEVICE) is true of every error
// that a device, a driver or a compiler reported, whatever its code.
MEZ_API bool mez_error_is_in(mez_error error, mez_category category);

// The code's own name, such as "ZE_RESULT_ERROR_DEVICE_LOST" or "MEZ_ERRC_ND_RANGE". Static; never
// NULL.
MEZ_API const char *mez_error_get_name(mez_error error);

// One sentence on what the code means in general. Static; never NULL.
MEZ_API const char *mez_error_get_message(mez_error error);

// The same for a condition: "MEZ_ERRC_ND_RANGE", and what it means. Static; never NULL.
MEZ_API const char *mez_condition_get_name(mez_condition condition);
MEZ_API const char *mez_condition_get_message(mez_condition condition);

// "success", "mezzanine runtime", "mezzanine device", "level_zero"; "unknown" for a number that is
// not a category. Static; never NULL.
MEZ_API const char *mez_category_get_name(mez_category category);

// Writes the whole story (at most `size` bytes with the final NUL) and returns its length without
// the NUL, like snprintf: a result >= size means that the text was cut. If the story has been
// dropped for newer ones, the text of the code is written instead.
MEZ_API size_t mez_error_get_story(mez_error error, char *buffer, size_t size);

// Prints the story to `stream`, followed by a newline. Success prints nothing.
MEZ_API void mez_error_print(FILE *stream, mez_error error);

// The parts of a story, for programs that read it. A story has a headline, causes, and fields,
// which are named texts such as "kernel", "build log" or "called from" (docs/errors.md lists the
// names that later versions keep). The functions below write texts as mez_error_get_story does:
// they write at most `size` bytes with the final NUL and return the length of the whole text. Where
// the story lacks the part, they write an empty text. Retain the error while you read its parts,
// because its story may be dropped for newer ones in between.

// What failed, as the caller of the library sees it.
MEZ_API size_t mez_error_get_headline(mez_error error, char *buffer, size_t size);

// Why it failed. Cause 0 is the cause of the headline, and each later one is the cause of the one
// before it, so the last is what failed first. Where there are no causes, the headline is what
// failed first.
MEZ_API size_t mez_error_get_cause_count(mez_error error);
MEZ_API size_t mez_error_get_cause(mez_error error, size_t index, char *buffer, size_t size);

// Facts about the failure, in the order in which they were added. Several fields may have the same
// name. *name, unless `name` is NULL, is set to the field's name, which is static, or to NULL where
// there is no such field.
MEZ_API size_t mez_error_get_field_count(mez_error error);
MEZ_API size_t mez_error_get_field(
    mez_error error, size_t index, const char **name, char *buffer, size_t size);

// Writes the first field of that name, or an empty text where there is none.
MEZ_API size_t mez_error_find_field(mez_error error, const char *name, char *buffer, size_t size);

// Writes the error as JSON, as one object on one line, in the way of mez_error_get_story: text that
// does not fit is cut, and is then not valid JSON. Control characters and bytes that are not UTF-8
// stand in the strings as in the story, as \n or \xff. All members are always present:
//
//     {"category":"level_zero","value":1879048193,"name":"ZE_RESULT_ERROR_DEVICE_LOST",
//      "message":"the device ...","condition":"MEZ_ERRC_DEVICE_LOST",
//      "family":"mezzanine device","headline":"queue \"main\": ...","causes":["..."],
//      "fields":[{"name":"call","text":"zeFenceHostSynchronize ..."}]}
MEZ_API size_t mez_error_get_json(mez_error error, char *buffer, size_t size);

// Keeps the story until mez_error_release, however many errors come after it. Each retain needs one
// release. Returns the same error, so that calls can be nested. Errors without a story can be
// retained and released as well, which does nothing.
MEZ_API mez_error mez_error_retain(mez_error error);
MEZ_API void mez_error_release(mez_error error);

// Called with the error of a task that is found after its submission has returned, once for each
// error. The context's completion thread, which belongs to the library, calls it without holding a
// lock. The function may submit tasks, and may wait for queues and events, except for those that
// wait for a host task or a callback. It must not destroy its queue or the context. The story is
// retained until the function returns.
typedef void (*mez_error_function)(void *user, mez_error error);

// Part of mez_context_params and mez_queue_params. A queue without a handler uses the one of its
// context. The struct is copied; the function and what `user` points to must live as long as the
// queues that use them.
//
// The completion thread watches every task of a queue with a handler, so that errors are reported
// even if nobody waits for the queue; this can make submissions slower. mez_queue_wait still
// returns the first error since the last wait, which the handler gets as well.
typedef struct mez_error_handler {
    mez_error_function function; // NULL: none
    void *user;
    uint64_t reserved[2]; // must be zero: mezzanine/base.h
} mez_error_handler;

MEZ_END

#endif
