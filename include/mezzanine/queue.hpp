// SPDX-License-Identifier: MIT
//
// Queues: <mezzanine/queue.h> has each call with its errors.
//
//     mez::queue queue = mez::queue::create(context);
//     queue.submit(saxpy, mez::range(n), mez::args(a, x, y));
//     queue.wait();
//
// Calls with a std::error_code must also have a task, which may be {}: queue.submit(saxpy, range,
// args, {}, code).
//
// Thread-safety: safe; tasks from several threads are ordered as the calls were.

#ifndef MEZZANINE_QUEUE_HPP
#define MEZZANINE_QUEUE_HPP

#include <string>

#include <mezzanine/arguments.hpp>
#include <mezzanine/kernel.hpp>
#include <mezzanine/queue.h>
#include <mezzanine/story.hpp>
#include <mezzanine/task.hpp>

namespace mez
{

class recording;

class queue : public handle<mez_queue, mez_queue_destroy_at>
{
  public:
    using handle::handle;

    static queue create(const context &in, const mez_queue_params &params = {}, caller from = {})
    {
        queue created;
        from.report(mez_queue_create_at(from.where(), in.get(), &params, created.put()));
        return created;
    }

    void submit(const kernel &kernel, const mez_range &range, const mez_args &args,
        task_ref task = {}, caller from = {})
    {
        from.report(mez_submit_at(from.where(), get(), kernel.get(), &range, &args, task.get()));
    }

    // Only contexts that validate (MEZ_VALIDATE=1) or are checked (MEZ_CHECK=1) always refuse
    // ranges that go past the end of their allocation: see mez_copy_at. This is also true of fills
    // and of the other copies.
    void copy(void *to, const void *source, std::size_t size, task_ref task = {}, caller from = {})
    {
        from.report(mez_copy_at(from.where(), get(), to, source, size, task.get()));
    }

    // Fills `size` bytes with a pattern of `pattern_size` bytes.
    void fill(void *to, const void *pattern, std::size_t pattern_size, std::size_t size,
        task_ref task = {}, caller from = {})
    {
        from.report(mez_fill_at(from.where(), get(), to, pattern, pattern_size, size, task.get()));
    }

    // Copies `rows` rows of `width` bytes; the pitches are the distances in bytes between the
    // starts of rows.
    void copy_2d(void *to, std::size_t to_pitch, const void *source, std::size_t source_pitch,
        std::size_t width, std::size_t rows, task_ref task = {}, caller from = {})
    {
        from.report(mez_copy_2d_at(
            from.where(), get(), to, to_pitch, source, source_pitch, width, rows, task.get()));
    }

    void copy_3d(const mez_copy_3d_params &box, task_ref task = {}, caller from = {})
    {
        from.report(mez_copy_3d_at(from.where(), get(), &box, task.get()));
    }

    void prefetch(const void *memory, std::size_t size, task_ref task = {}, caller from = {})
    {
        from.report(mez_prefetch_at(from.where(), get(), memory, size, task.get()));
    }

    void advise(const void *memory, std::size_t size, mez_advice advice, task_ref task = {},
        caller from = {})
    {
        from.report(mez_advise_at(from.where(), get(), memory, size, advice, task.get()));
    }

    void barrier(task_ref task = {}, caller from = {})
    {
        from.report(mez_barrier_at(from.where(), get(), task.get()));
    }

    void marker(task_ref task = {}, caller from = {})
    {
        from.report(mez_marker_at(from.where(), get(), task.get()));
    }

    // Calls function() on the host, as a task. The function stays yours and must live until the
    // task has finished; an exception that leaves it ends the program.
    template <class Function>
    void host_task(Function &function, task_ref task = {}, caller from = {})
    {
        from.report(mez_host_task_at(
            from.where(), get(), detail::call<Function>, detail::to_user(function), task.get()));
    }

    // <mezzanine/recording.hpp>
    void replay(const recording &recording, task_ref task = {}, caller from = {});

    void flush(caller from = {})
    {
        from.report(mez_queue_flush_at(from.where(), get()));
    }

    void wait(caller from = {})
    {
        from.report(mez_queue_wait_at(from.where(), get()));
    }

    // Has everything finished in time? If not, the result is false, and the call has not failed.
    bool wait_for(std::chrono::nanoseconds timeout, caller from = {})
    {
        return detail::report_unless(MEZ_ERRC_TIMEOUT,
            mez_queue_wait_for_at(from.where(), get(), detail::to_timeout(timeout)), from);
    }

    // Takes the oldest error of a task that has not been reported. False: there is none.
    bool take_error(mez_error &error) noexcept
    {
        return mez_queue_take_error(get(), &error);
    }

    // Describes in words which tasks the queue has not finished. Throws std::bad_alloc.
    std::string describe() const
    {
        return detail::text_of([this](char *buffer, std::size_t size) {
            return mez_queue_describe(get(), buffer, size);
        });
    }
};

} // namespace mez

#endif
