// SPDX-License-Identifier: MIT
//
// Prepared launches: <mezzanine/launch.h>.
//
// Thread-safety: safe; an argument that one thread sets is used by the next submission of any
// thread.

#ifndef MEZZANINE_LAUNCH_HPP
#define MEZZANINE_LAUNCH_HPP

#include <mezzanine/launch.h>
#include <mezzanine/queue.hpp>

namespace mez
{

class launch : public handle<mez_launch, mez_launch_destroy_at>
{
  public:
    using handle::handle;

    static launch create(const queue &on, const kernel &kernel, const mez_range &range,
        const mez_args &args, caller from = {})
    {
        launch created;
        from.report(mez_launch_create_at(
            from.where(), on.get(), kernel.get(), &range, &args, created.put()));
        return created;
    }

    void submit(task_ref task = {}, caller from = {})
    {
        from.report(mez_launch_submit_at(from.where(), get(), task.get()));
    }

    // Any value that mez::args takes.
    template <class Value> void set_argument(uint32_t index, const Value &value, caller from = {})
    {
        const auto held = detail::held(value);
        const mez_arg argument = detail::to_arg(held);
        from.report(mez_launch_set_argument_at(from.where(), get(), index, &argument));
    }
};

} // namespace mez

#endif
