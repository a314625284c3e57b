// SPDX-License-Identifier: MIT
//
// Events: <mezzanine/event.h>.
//
//     mez::event done;
//     queue.submit(saxpy, range, args, mez::task().signals(done));
//     done.wait();
//
// Thread-safety: safe; several threads may wait for the same event.

#ifndef MEZZANINE_EVENT_HPP
#define MEZZANINE_EVENT_HPP

#include <chrono>

#include <mezzanine/callback.hpp>
#include <mezzanine/caller.hpp>
#include <mezzanine/context.hpp>
#include <mezzanine/event.h>
#include <mezzanine/handle.hpp>

namespace mez
{

namespace detail
{

// As C's timeouts; a time in the past does not wait.
constexpr uint64_t to_timeout(std::chrono::nanoseconds timeout) noexcept
{
    return timeout.count() > 0 ? static_cast<uint64_t>(timeout.count()) : 0;
}

// Returns false for the outcome `not_yet`, which is an answer and not a failure. Every other
// outcome goes to the caller.
inline bool report_unless(mez_condition not_yet, mez_error outcome, const caller &from)
{
    const bool waits = mez_error_is(outcome, not_yet);
    from.report(waits ? mez_ok() : outcome);
    return !waits && !mez_failed(outcome);
}

} // namespace detail

class event : public handle<mez_event, mez_event_destroy_at>
{
  public:
    using handle::handle;

    // An event that happens when signal() or signal_error() is called.
    static event create_user(
        const context &in, const mez_user_event_params &params = {}, caller from = {})
    {
        event created;
        from.report(mez_user_event_create_at(from.where(), in.get(), &params, created.put()));
        return created;
    }

    void signal(caller from = {})
    {
        from.report(mez_user_event_signal_at(from.where(), get(), mez_ok()));
    }

    void signal_error(mez_error outcome, caller from = {})
    {
        from.report(mez_user_event_signal_at(from.where(), get(), outcome));
    }

    void wait(caller from = {})
    {
        from.report(mez_event_wait_at(from.where(), get()));
    }

    // Has the event happened in time? If not, the result is false, and the call has not failed.
    bool wait_for(std::chrono::nanoseconds timeout, caller from = {})
    {
        return detail::report_unless(MEZ_ERRC_TIMEOUT,
            mez_event_wait_for_at(from.where(), get(), detail::to_timeout(timeout)), from);
    }

    // Has the event happened (mez_event_get_status)?
    bool happened(caller from = {})
    {
        return detail::report_unless(
            MEZ_ERRC_NOT_READY, mez_event_get_status_at(from.where(), get()), from);
    }

    // A thread of the context will call function(mez_error outcome) once. The function stays yours
    // and must live until then; an exception that leaves it ends the program.
    template <class Function> void set_callback(Function &function, caller from = {})
    {
        from.report(mez_event_set_callback_at(
            from.where(), get(), detail::call_with_error<Function>, detail::to_user(function)));
    }

    mez_event_profile profile(caller from = {})
    {
        mez_event_profile profile = {};
        from.report(mez_event_get_profile_at(from.where(), get(), &profile));
        return profile;
    }
};

} // namespace mez

#endif
