// SPDX-License-Identifier: MIT

#include "kernel/change.h"
#include "queue/direct.h"
#include "queue/slow.h"
#include "traced_calls.h"

mez_error mez_queue_check_kernel(const mez_queue *queue, const mez_kernel *kernel)
{
    if (mez_kernel_platform(kernel) != queue->platform)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "kernel \"%s\" belongs to another context than queue \"%s\"",
            mez_kernel_get_name(kernel), queue->name);
    if (queue->engine->computes)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "queue \"%s\" is on the %s engine of device \"%s\", which runs no kernels", queue->name,
        queue->engine->name, queue->device->info.name);
}

MEZ_TRACE_BODY mez_error submit(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    mez_command command = {.kind = MEZ_COMMAND_KERNEL, .where = where};
    command.launch.kernel = kernel;
    command.launch.range = range;
    command.launch.args = args;
    command.launch.cooperative = task && task->cooperative;
    mez_error error = mez_queue_check_kernel(queue, kernel);
    if (!mez_failed(error))
        error = mez_queue_submit_task(queue, &command, task);
    return mez_failed(error) ? mez_queue_add_launch_facts(error, where, queue, kernel, task)
                             : error;
}

MEZ_TRACED_CALL(mez_submit, submit)

// Not inlined: its frame would be paid for by the launches that need no check.
__attribute__((noinline)) static mez_error submit_checked(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE_OF("mez_submit", queue, where);
    MEZ_REQUIRE_OF("mez_submit", kernel, where);
    MEZ_REQUIRE_OF("mez_submit", range, where);
    MEZ_TRACE_LONG(submit, where, queue, kernel, range, args, task);
}

// What came of a try to append a launch.
typedef enum attempt {
    APPENDED,
    FAILED,
    NO_EVENT, // is ready: nothing was done, and the task takes the long way
    CHANGED,  // another launch than the last of the kernel: nothing was done
    OTHER,    // the same, and more of it than the arguments
    UNLISTED, // there is no list for it: nothing was done
} attempt;

// Everything is set: the launch is appended. The caller holds the lock.
MEZ_QUICK_PATH attempt append_launch(const mez_location *where, mez_queue *queue,
    const mez_kernel *kernel, mez_kernel_use *use, const mez_task_params *task, mez_error *failure)
{
    mez_event *event;
    if (!mez_fast_event(queue, task, &event))
        return NO_EVENT;
    mez_probe_quick_begin(queue, MEZ_COMMAND_KERNEL, kernel, where);
    const mez_error error = ZE(zeCommandListAppendLaunchKernel, queue->list, use->ze,
        &use->plan.group_count, mez_fast_signal(event), 0, NULL);
    mez_probe_task_end(queue, event, error, mez_queue_last_task(queue) + 1);
    if (__builtin_expect(mez_failed(error), 0)) {
        *failure = error;
        mez_fast_failed(task, event);
        return FAILED;
    }
    const uint64_t number = mez_fast_appended(queue, task, event);
    mez_used_kernels_note(&queue->kernels, use, number);
    mez_fast_note(queue, number, MEZ_COMMAND_KERNEL, kernel, where, task);
    mez_lock_release(&queue->lock);
    return APPENDED;
}

// --- Launches that need more than to be appended

// The caller holds the lock, which is let go.
__attribute__((cold, noinline)) static mez_error report_launch(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_task_params *task, mez_error error)
{
    mez_lock_release(&queue->lock);
    if (task && task->event)
        *task->event = NULL;
    return mez_queue_add_launch_facts(error, where, queue, kernel, task);
}

static inline mez_error append_kernel(mez_direct *direct, const mez_kernel_use *use)
{
    return ZE(zeCommandListAppendLaunchKernel, direct->list, use->ze, &use->plan.group_count,
        mez_fast_signal(direct->event), direct->wait_count, mez_direct_waits(direct));
}

__attribute__((noinline)) static mez_error append_posting(
    mez_queue *queue, mez_direct *direct, mez_kernel_use *use)
{
    MEZ_TRY(mez_mailboxes_aim(&queue->mailboxes, use, mez_queue_last_task(queue) + 1));
    MEZ_TRY(append_kernel(direct, use));
    mez_immediate_watch_posts(queue);
    return mez_ok();
}

__attribute__((noinline)) static mez_error append_asserting(
    mez_queue *queue, mez_direct *direct, mez_kernel_use *use)
{
    mez_readback *readback = mez_immediate_take_readback(queue, use->asserting_module);
    if (!readback)
        return mez_error_no_memory("an assert's record");
    const mez_error error = append_kernel(direct, use);
    if (mez_failed(error))
        mez_immediate_give_readback(queue, readback);
    else
        mez_immediate_read_back(queue, readback, direct->list);
    return error;
}

// All is set: appends the launch, and what its asserts need.
MEZ_QUICK_PATH mez_error append_direct(mez_queue *queue, mez_direct *direct, mez_kernel_use *use)
{
    if (__builtin_expect(!use->asserting_module, 1))
        return append_kernel(direct, use);
    return use->posts ? append_posting(queue, direct, use) : append_asserting(queue, direct, use);
}

// With what the task waits for in `direct`; lists take tasks now. The caller holds the lock, which is let go.
MEZ_QUICK_PATH mez_error launch_direct(const mez_location *where, mez_queue *queue,
    mez_kernel *kernel, const mez_range *range, const mez_args *args, const mez_task_params *task,
    mez_direct *direct)
{
    mez_error error;
    bool same;
    mez_change change = MEZ_CHANGE_MADE;
    mez_kernel_use *use = mez_used_kernels_take(&queue->kernels, kernel, range, args, &same);
    if (__builtin_expect(!same, 0))
        change = use ? mez_kernel_use_change(use, range, args, &error) : MEZ_CHANGE_UNCHECKED;
    if (__builtin_expect(change == MEZ_CHANGE_FAILED, 0))
        return report_launch(where, queue, kernel, task, error);
    if (change == MEZ_CHANGE_UNCHECKED || !mez_direct_begin(queue, task, true, direct)) {
        mez_lock_release(&queue->lock);
        return submit_checked(where, queue, kernel, range, args, task);
    }
    mez_probe_quick_begin(queue, MEZ_COMMAND_KERNEL, kernel, where);
    error = append_direct(queue, direct, use);
    mez_probe_task_end(queue, direct->event, error, mez_queue_last_task(queue) + 1);
    if (__builtin_expect(mez_failed(error), 0)) {
        mez_fast_failed(task, direct->event);
        return report_launch(where, queue, kernel, task, error);
    }
    const uint64_t number = mez_direct_appended(queue, task, direct);
    if (__builtin_expect(use->follows != use, 0))
        mez_used_kernels_expect_next(&queue->kernels, use);
    mez_used_kernels_note(&queue->kernels, use, number);
    mez_fast_note(queue, number, MEZ_COMMAND_KERNEL, kernel, where, task);
    mez_lock_release(&queue->lock);
    return mez_ok();
}

// The caller holds the lock, which is let go.
__attribute__((noinline)) static mez_error submit_unlocked(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    mez_lock_release(&queue->lock);
    return submit_checked(where, queue, kernel, range, args, task);
}

// A launch that no list takes just like that. Not inlined, as are those below: launches that need none of it would pay for its frame.
__attribute__((noinline, nonnull(6))) static mez_error submit_other(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    mez_direct direct;
    // In two conditions: compilers would compute a value of the pointers before the branch.
    if (!queue || __builtin_expect(!kernel, 0))
        return submit_checked(where, queue, kernel, range, args, task);
    if (!range || !queue->lists || !mez_direct_prepare(queue, task, &direct))
        return submit_checked(where, queue, kernel, range, args, task);
    mez_lock_take(&queue->lock);
    if (queue->list_count == 0)
        return submit_unlocked(where, queue, kernel, range, args, task);
    return launch_direct(where, queue, kernel, range, args, task, &direct);
}

// The same of one that waits for nothing. The caller holds the lock, which is let go.
__attribute__((noinline)) static mez_error launch_unlisted(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    mez_direct direct;
    direct.wait_count = 0; // alone: setting the whole struct to 0 would be a tenth of the launch
    return launch_direct(where, queue, kernel, range, args, task, &direct);
}

// --- Launches that are one append

// Of the last one's range. The caller holds the lock, which is let go.
__attribute__((cold, noinline)) static mez_error launch_unchecked(const mez_location *where,
    mez_queue *queue, mez_kernel_use *use, const mez_args *args, const mez_task_params *task)
{
    const mez_range range = use->plan.range;
    return submit_unlocked(where, queue, use->kernel, &range, args, task);
}

// The kernel is launched with sets of arguments in turn: gets another use for one of them. Without memory it is as it was. The caller
// holds the lock, which is let go.
__attribute__((cold, noinline)) static mez_error launch_with_variant(const mez_location *where,
    mez_queue *queue, mez_kernel_use *use, const mez_args *args, const mez_task_params *task)
{
    const mez_range range = use->plan.range;
    mez_kernel *kernel = use->kernel;
    mez_kernel_use *variant = NULL;
    mez_lock_release(&queue->lock);
    mez_log_error(MEZ_TOPIC_QUEUE,
        mez_kernel_use_create(kernel, queue->device, &queue->kernels.all, &variant));
    if (variant) {
        mez_lock_take(&queue->lock);
        mez_used_kernels_add_variant(&queue->kernels, kernel, variant);
        mez_lock_release(&queue->lock);
    }
    return submit_checked(where, queue, kernel, &range, args, task);
}

// Of a kernel with variants, of which another than this may be the same. The caller holds the lock, which is let go.
__attribute__((noinline)) static mez_error launch_variant(const mez_location *where,
    mez_queue *queue, mez_kernel_use *expected, const mez_range *wanted, const mez_args *args,
    const mez_task_params *task)
{
    mez_error failure;
    bool same;
    const mez_range range = *wanted; // that of a variant, perhaps
    mez_kernel *kernel = expected->kernel;
    mez_kernel_use *use = mez_used_kernels_choose(&queue->kernels, expected, &range, args, &same);
    const mez_change change =
        same ? MEZ_CHANGE_MADE : mez_kernel_use_change(use, &range, args, &failure);
    if (change == MEZ_CHANGE_UNCHECKED)
        return submit_unlocked(where, queue, kernel, &range, args, task);
    if (change == MEZ_CHANGE_FAILED)
        return report_launch(where, queue, kernel, task, failure);
    mez_used_kernels_expect_next(&queue->kernels, use);
    switch (append_launch(where, queue, kernel, use, task, &failure)) {
    case APPENDED:
        return mez_ok();
    case FAILED:
        return report_launch(where, queue, kernel, task, failure);
    default:
        return submit_unlocked(where, queue, kernel, &range, args, task);
    }
}

// Of a launch that fits, arguments differ from the last ones: the first of them is `first`.
MEZ_QUICK_PATH mez_error launch_with_changes(const mez_location *where, mez_queue *queue,
    mez_kernel_use *use, const mez_args *args, const mez_task_params *task, uint32_t first)
{
    if (mez_kernel_use_has_variants(use))
        return launch_variant(where, queue, use, &use->plan.range, args, task);
    if (__builtin_expect(
            mez_kernel_use_note_return(use, &use->arguments[first], &args->items[first]), 0))
        return launch_with_variant(where, queue, use, args, task);
    mez_error failure;
    mez_kernel_use_renew_setting(use);
    const mez_change change = mez_arguments_change(use, args, first, &failure);
    if (__builtin_expect(change == MEZ_CHANGE_FAILED, 0))
        return report_launch(where, queue, use->kernel, task, failure);
    if (__builtin_expect(change == MEZ_CHANGE_UNCHECKED, 0))
        return launch_unchecked(where, queue, use, args, task);
    switch (append_launch(where, queue, use->kernel, use, task, &failure)) {
    case APPENDED:
        return mez_ok();
    case FAILED:
        return report_launch(where, queue, use->kernel, task, failure);
    default:
        return launch_unchecked(where, queue, use, args, task);
    }
}

__attribute__((noinline)) static mez_error plain_with_changes(const mez_location *where,
    mez_queue *queue, mez_kernel_use *use, const mez_args *args, uint32_t first)
{
    return launch_with_changes(where, queue, use, args, NULL, first);
}

__attribute__((noinline, nonnull(5))) static mez_error task_with_changes(const mez_location *where,
    mez_queue *queue, mez_kernel_use *use, const mez_args *args, const mez_task_params *task,
    uint32_t first)
{
    return launch_with_changes(where, queue, use, args, task, first);
}

// --- Launches that queues collect

// Appends to whatever the queue has for it. The caller holds the lock, here and below.
static mez_error append_collected(mez_queue *queue, mez_command *command, mez_event *event)
{
    const mez_task task = {.command = command, .event = event};
    const mez_error error = mez_queue_append_now(queue, &task);
    mez_probe_task_end(queue, event, error, mez_queue_last_task(queue));
    return error;
}

// Can the queue take the launch just now, and is all at hand that it needs?
static bool can_collect(mez_queue *queue, const mez_task_params *task)
{
    const unsigned slow = atomic_load_explicit(&queue->slow, memory_order_relaxed);
    return queue->list_count == 0 &&
           (slow & ~(MEZ_SLOW_UNWATCHED | MEZ_SLOW_VALIDATED | MEZ_SLOW_DOZES)) == 0 &&
           (!task || (mez_task_is_plain(task) && !queue->discard_events && !task->debug_name)) &&
           !(queue->ops->crowded && queue->ops->crowded(queue));
}

// All is set, as far as that needs no check, of a launch that is not the same as the last.
__attribute__((noinline)) static mez_change set_collected(
    mez_queue *queue, const mez_command *command, mez_error *error)
{
    mez_kernel_use *use = command->launch.use;
    if (mez_kernel_use_is_same(
            use, command->launch.range, command->launch.args)) // with large values
        return MEZ_CHANGE_MADE;
    *error = mez_queue_before_setting(queue);
    if (mez_failed(*error))
        return MEZ_CHANGE_FAILED;
    return mez_kernel_use_change(use, command->launch.range, command->launch.args, error);
}

// Does the launch differ from the last one, and is a variant worth while?
MEZ_QUICK_PATH bool wants_variant(mez_kernel_use *use, const mez_range *range, const mez_args *args)
{
    if (mez_kernel_use_has_variants(use) || use->asserting_module ||
        !mez_kernel_use_fits(use, range) || !args || args->count != use->argument_count)
        return false;
    for (size_t i = 0; i < args->count; i++)
        if (!mez_is_clearly_set(&use->arguments[i], &args->items[i]))
            return mez_kernel_use_note_return(use, &use->arguments[i], &args->items[i]);
    return false;
}

// Lets the lock go, also where the launch takes the long way.
MEZ_QUICK_PATH mez_error launch_collected(const mez_location *where, mez_queue *queue,
    mez_kernel *kernel, const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    mez_error error;
    mez_event *event;
    bool same;
    mez_command command;
    command.kind = MEZ_COMMAND_KERNEL;
    command.where = where;
    command.debug_name = NULL;
    command.elsewhere = false;
    command.traced = NULL;
    command.launch.kernel = kernel;
    command.launch.range = range;
    command.launch.args = args;
    command.launch.cooperative = false;
    command.launch.use = mez_used_kernels_take(&queue->kernels, kernel, range, args, &same);
    mez_queue_take_up_seen(queue);
    if (!command.launch.use || !can_collect(queue, task))
        return submit_unlocked(where, queue, kernel, range, args, task);
    if (!same && wants_variant(command.launch.use, range, args))
        return launch_with_variant(where, queue, command.launch.use, args, task);
    const mez_change change = same ? MEZ_CHANGE_MADE : set_collected(queue, &command, &error);
    if (change == MEZ_CHANGE_FAILED)
        return report_launch(where, queue, kernel, task, error);
    if (change == MEZ_CHANGE_UNCHECKED || !mez_fast_event(queue, task, &event))
        return submit_unlocked(where, queue, kernel, range, args, task);
    mez_probe_quick_begin(queue, MEZ_COMMAND_KERNEL, kernel, where);
    error = append_collected(queue, &command, event);
    if (mez_failed(error)) {
        mez_event_unref(event); // the user's reference; the task's is gone
        return report_launch(where, queue, kernel, task, error);
    }
    if (__builtin_expect(command.launch.use->follows != command.launch.use, 0))
        mez_used_kernels_expect_next(&queue->kernels, command.launch.use);
    mez_lock_release(&queue->lock);
    if (event)
        *task->event = event;
    return error;
}

__attribute__((noinline)) static mez_error plain_collected(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args)
{
    return launch_collected(where, queue, kernel, range, args, NULL);
}

__attribute__((noinline, nonnull(6))) static mez_error task_collected(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    return launch_collected(where, queue, kernel, range, args, task);
}

// A launch that differs from the last of its kernel in more than that, or has no event ready.
__attribute__((noinline)) static mez_error launch_other(const mez_location *where, mez_queue *queue,
    mez_kernel *kernel, const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    mez_error failure;
    mez_kernel_use *use = mez_used_kernels_look_up(&queue->kernels, kernel);
    if (use && use->asserting_module)
        return launch_unlisted(where, queue, kernel, range, args, task);
    if (!use)
        return submit_unlocked(where, queue, kernel, range, args, task);
    if (mez_kernel_use_has_variants(use))
        return launch_variant(where, queue, use, range, args, task);
    const mez_change change = mez_kernel_use_change(use, range, args, &failure);
    if (__builtin_expect(change == MEZ_CHANGE_FAILED, 0))
        return report_launch(where, queue, kernel, task, failure);
    if (__builtin_expect(change == MEZ_CHANGE_UNCHECKED, 0))
        return submit_unlocked(where, queue, kernel, range, args, task);
    switch (append_launch(where, queue, kernel, use, task, &failure)) {
    case APPENDED:
        return mez_ok();
    case FAILED:
        return report_launch(where, queue, kernel, task, failure);
    default:
        return submit_unlocked(where, queue, kernel, range, args, task);
    }
}

// A launch that is the same as the last of its kernel has passed all checks. Else *first is the first argument that may differ. Takes
// the lock; only a launch that is appended lets it go.
MEZ_QUICK_PATH attempt launch(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task,
    mez_kernel_use **found, uint32_t *first, mez_error *failure)
{
    const ze_command_list_handle_t list = mez_fast_begin(queue);
    mez_used_kernel_slot *slot = mez_used_kernels_look_once(&queue->kernels, kernel);
    if (!list)
        return UNLISTED;
    if (!slot)
        return OTHER;
    mez_kernel_use *use = slot->use;
    if (!mez_kernel_use_fits_quickly(use, range))
        return OTHER;
    *found = use;
    if (!args)
        return use->argument_count == 0 ? append_launch(where, queue, kernel, use, task, failure)
                                        : OTHER;
    if (args->count != use->argument_count)
        return OTHER;
    const mez_set_argument *set = use->arguments;
    const mez_arg *item = args->items;
    for (size_t left = args->count; left > 0; left--, set++, item++)
        if (!mez_is_clearly_set(set, item)) {
            *first = (uint32_t)(args->count - left);
            return CHANGED;
        }
    slot->use = use->follows;
    return append_launch(where, queue, kernel, use, task, failure);
}

__attribute__((noinline)) static mez_error submit_plain(const mez_location *where, mez_queue *queue,
    mez_kernel *kernel, const mez_range *range, const mez_args *args)
{
    mez_error failure;
    mez_kernel_use *use;
    uint32_t first;
    if (!queue)
        return submit_checked(where, queue, kernel, range, args, NULL);
    if (__builtin_expect(!kernel, 0) || __builtin_expect(!range, 0))
        return submit_checked(where, queue, kernel, range, args, NULL);
    switch (launch(where, queue, kernel, range, args, NULL, &use, &first, &failure)) {
    case APPENDED:
        return mez_ok();
    case FAILED:
        return report_launch(where, queue, kernel, NULL, failure);
    case CHANGED:
        return plain_with_changes(where, queue, use, args, first);
    case UNLISTED:
        return queue->list_count == 0 ? plain_collected(where, queue, kernel, range, args)
                                      : launch_unlisted(where, queue, kernel, range, args, NULL);
    default:
        return launch_other(where, queue, kernel, range, args, NULL);
    }
}

__attribute__((noinline, nonnull(6))) static mez_error submit_task(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    mez_error failure;
    mez_kernel_use *use;
    uint32_t first;
    if (__builtin_expect(!kernel, 0) || __builtin_expect(!range, 0))
        return submit_checked(where, queue, kernel, range, args, task);
    switch (launch(where, queue, kernel, range, args, task, &use, &first, &failure)) {
    case APPENDED:
        return mez_ok();
    case FAILED:
        return report_launch(where, queue, kernel, task, failure);
    case CHANGED:
        return task_with_changes(where, queue, use, args, task, first);
    case UNLISTED:
        return queue->list_count == 0 ? task_collected(where, queue, kernel, range, args, task)
                                      : launch_unlisted(where, queue, kernel, range, args, task);
    default:
        return launch_other(where, queue, kernel, range, args, task);
    }
}

// On a queue that gives no events, a task without a name is one without parameters.
static mez_error submit_with_params(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    if (!queue || !mez_task_is_plain(task))
        return submit_other(where, queue, kernel, range, args, task);
    if (!queue->discard_events)
        return submit_task(where, queue, kernel, range, args, task);
    if (task->event)
        *task->event = NULL;
    return task->debug_name ? submit_other(where, queue, kernel, range, args, task)
                            : submit_plain(where, queue, kernel, range, args);
}

mez_error mez_submit_at(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    MEZ_PROBE_CALL_BEGIN(mez_submit, where);
    const mez_error error = task ? submit_with_params(where, queue, kernel, range, args, task)
                                 : submit_plain(where, queue, kernel, range, args);
    return MEZ_PROBE_CALL_END("mez_submit", error);
}

MEZ_TRACE_BODY mez_error barrier(
    const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    mez_command command = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    return mez_queue_add_facts(mez_queue_submit_task(queue, &command, task), where, queue, task);
}

MEZ_TRACED_SPAN(mez_barrier, barrier, MEZ_TRACE_BARRIER, "enqueue.barrier")

// One that waits for no events, on a list in order. The caller holds the lock.
static inline bool append_barrier(const mez_location *where, mez_queue *queue,
    ze_command_list_handle_t list, const mez_task_params *task, mez_error *error)
{
    mez_event *event;
    if (!list || !mez_fast_event(queue, task, &event))
        return false;
    mez_probe_quick_begin(queue, MEZ_COMMAND_NOTHING, NULL, where);
    *error = ZE(zeCommandListAppendBarrier, list, mez_fast_signal(event), 0, NULL);
    mez_probe_task_end(queue, event, *error, mez_queue_last_task(queue) + 1);
    if (__builtin_expect(mez_failed(*error), 0))
        mez_fast_failed(task, event);
    else
        mez_fast_note(
            queue, mez_fast_appended(queue, task, event), MEZ_COMMAND_NOTHING, NULL, where, task);
    return true;
}

static bool barrier_now(
    const mez_location *where, mez_queue *queue, const mez_task_params *task, mez_error *error)
{
    if (!mez_fast_fits(queue, task))
        return false;
    const bool done = append_barrier(where, queue, mez_fast_begin(queue), task, error);
    mez_lock_release(&queue->lock);
    return done;
}

// An in-order queue's own list takes it.
static bool barrier_direct(
    const mez_location *where, mez_queue *queue, const mez_task_params *task, mez_error *error)
{
    mez_direct direct;
    if (!queue || !queue->in_order || !mez_direct_open(queue, task, true, &direct))
        return false;
    const mez_command command = {
        .kind = MEZ_COMMAND_NOTHING, .where = where, .debug_name = task ? task->debug_name : NULL};
    mez_probe_quick_begin(queue, command.kind, NULL, where);
    *error = ZE(zeCommandListAppendBarrier, direct.list, mez_fast_signal(direct.event),
        direct.wait_count, mez_direct_waits(&direct));
    mez_direct_close(queue, task, &direct, *error, &command);
    return true;
}

__attribute__((noinline)) static mez_error barrier_checked(
    const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE_OF("mez_barrier", queue, where);
    MEZ_TRACE_LONG(barrier, where, queue, task);
}

mez_error mez_barrier_at(const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    MEZ_PROBE_CALL_BEGIN(mez_barrier, where);
    mez_error error;
    if (!barrier_now(where, queue, task, &error) && !barrier_direct(where, queue, task, &error))
        error = barrier_checked(where, queue, task);
    else if (__builtin_expect(mez_failed(error), 0))
        error = mez_queue_add_facts(error, where, queue, task);
    return MEZ_PROBE_CALL_END("mez_barrier", error);
}
