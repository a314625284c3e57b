// SPDX-License-Identifier: MIT
//
// Options of one task: mez_task_params of <mezzanine/queue.h>.
//
//     queue.copy(to, from, size,
//         mez::task().named("download").after(mez::events(a, b)).signals(done));
//
// Thread-safety: an object belongs to one thread.

#ifndef MEZZANINE_TASK_HPP
#define MEZZANINE_TASK_HPP

#include <array>

#include <mezzanine/event.hpp>
#include <mezzanine/queue.h>

namespace mez
{

// Several events to wait for: events(a, b, c). They stay yours.
template <std::size_t N> class events
{
  public:
    template <class... Event>
    explicit events(const event &first, const Event &...more) noexcept
        : list_{{first.get(), more.get()...}}
    {
    }

    mez_event *const *data() const noexcept
    {
        return list_.data();
    }

    static constexpr std::size_t size() noexcept
    {
        return N;
    }

  private:
    std::array<mez_event *, N> list_;
};

template <class... Event> events(const event &, const Event &...) -> events<1 + sizeof...(Event)>;

// The C struct, filled by calls that can be chained. What it points to must live until the task is
// submitted; the name until the task has finished.
class task : public mez_task_params
{
  public:
    task() noexcept : mez_task_params{}
    {
    }

    task &named(const char *name) noexcept
    {
        debug_name = name;
        return *this;
    }

    // The task starts when the event, or all of the events, have happened. Only the last call of
    // `after` has an effect.
    task &after(const mez::event &happened) noexcept
    {
        return after(happened.address(), 1);
    }

    template <std::size_t N> task &after(const events<N> &happened) noexcept
    {
        return after(happened.data(), N);
    }

    task &after(mez_event *const *list, std::size_t count) noexcept
    {
        wait_for = list;
        wait_count = count;
        return *this;
    }

    // `happens` destroys its event and gets that of the task. It must not be an event that the task
    // waits for.
    task &signals(mez::event &happens) noexcept
    {
        event = happens.put();
        return *this;
    }

    // All work-groups run at the same time.
    task &cooperating() noexcept
    {
        cooperative = true;
        return *this;
    }

    // Only other tasks will wait for the event.
    task &for_device() noexcept
    {
        device_event = true;
        return *this;
    }
};

// The parameter of calls that submit a task. {} means the defaults, and is the fastest.
class task_ref
{
  public:
    task_ref() noexcept = default;

    task_ref(const mez_task_params &said) noexcept : params_(&said)
    {
    }

    const mez_task_params *get() const noexcept
    {
        return params_;
    }

  private:
    const mez_task_params *params_ = nullptr;
};

} // namespace mez

#endif
