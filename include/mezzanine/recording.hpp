// SPDX-License-Identifier: MIT
//
// Recordings: <mezzanine/recording.h>.
//
// Thread-safety: safe; a recording may be replayed by several threads at the same time.

#ifndef MEZZANINE_RECORDING_HPP
#define MEZZANINE_RECORDING_HPP

#include <mezzanine/queue.hpp>
#include <mezzanine/recording.h>

namespace mez
{

// The functions that record an operation return its number, counted from 0.
class recording : public handle<mez_recording, mez_recording_destroy_at>
{
  public:
    using handle::handle;

    static recording create(
        const context &in, const mez_recording_params &params = {}, caller from = {})
    {
        recording created;
        from.report(mez_recording_create_at(from.where(), in.get(), &params, created.put()));
        return created;
    }

    uint32_t submit(const kernel &kernel, const mez_range &range, const mez_args &args,
        task_ref task = {}, caller from = {})
    {
        uint32_t operation = 0;
        from.report(mez_record_submit_at(
            from.where(), get(), kernel.get(), &range, &args, task.get(), &operation));
        return operation;
    }

    // As on queues, only contexts that validate (MEZ_VALIDATE=1) or are checked (MEZ_CHECK=1)
    // always refuse copies and fills that go past the end of their allocation.
    uint32_t copy(
        void *to, const void *source, std::size_t size, task_ref task = {}, caller from = {})
    {
        uint32_t operation = 0;
        from.report(
            mez_record_copy_at(from.where(), get(), to, source, size, task.get(), &operation));
        return operation;
    }

    uint32_t fill(void *to, const void *pattern, std::size_t pattern_size, std::size_t size,
        task_ref task = {}, caller from = {})
    {
        uint32_t operation = 0;
        from.report(mez_record_fill_at(
            from.where(), get(), to, pattern, pattern_size, size, task.get(), &operation));
        return operation;
    }

    uint32_t copy_2d(void *to, std::size_t to_pitch, const void *source, std::size_t source_pitch,
        std::size_t width, std::size_t rows, task_ref task = {}, caller from = {})
    {
        uint32_t operation = 0;
        from.report(mez_record_copy_2d_at(from.where(), get(), to, to_pitch, source, source_pitch,
            width, rows, task.get(), &operation));
        return operation;
    }

    uint32_t copy_3d(const mez_copy_3d_params &box, task_ref task = {}, caller from = {})
    {
        uint32_t operation = 0;
        from.report(mez_record_copy_3d_at(from.where(), get(), &box, task.get(), &operation));
        return operation;
    }

    uint32_t barrier(task_ref task = {}, caller from = {})
    {
        uint32_t operation = 0;
        from.report(mez_record_barrier_at(from.where(), get(), task.get(), &operation));
        return operation;
    }

    // Any value that mez::args takes, for replays that are submitted later.
    template <class Value>
    void set_argument(uint32_t operation, uint32_t index, const Value &value, caller from = {})
    {
        const auto held = detail::held(value);
        const mez_arg argument = detail::to_arg(held);
        from.report(
            mez_recording_set_argument_at(from.where(), get(), operation, index, &argument));
    }

    void set_range(uint32_t operation, const mez_range &range, caller from = {})
    {
        from.report(mez_recording_set_range_at(from.where(), get(), operation, &range));
    }
};

inline void queue::replay(const recording &recording, task_ref task, caller from)
{
    from.report(mez_replay_at(from.where(), get(), recording.get(), task.get()));
}

} // namespace mez

#endif
