// SPDX-License-Identifier: MIT
//
// Waits for several events: <mezzanine/event.h>.
//
//     mez::wait_all(mez::events(a, b, c));
//     switch (mez::wait_any(mez::events(input, stop))) { ... }
//
// The list may also be a container of mez_event *, such as a std::vector of what event.get()
// returns. The events stay yours.
//
// Thread-safety: safe; several threads may wait for the same event.

#ifndef MEZZANINE_WAIT_HPP
#define MEZZANINE_WAIT_HPP

#include <mezzanine/task.hpp>

namespace mez
{

template <class Events> void wait_all(const Events &list, caller from = {})
{
    from.report(mez_events_wait_all_at(from.where(), list.data(), list.size()));
}

// Have all events happened in time? If not, the result is false, and the call has not failed.
template <class Events>
bool wait_all_for(const Events &list, std::chrono::nanoseconds timeout, caller from = {})
{
    return detail::report_unless(MEZ_ERRC_TIMEOUT,
        mez_events_wait_all_for_at(
            from.where(), list.data(), list.size(), detail::to_timeout(timeout)),
        from);
}

// The number of the event that has happened. If the call fails, it is the *index of
// mez_events_wait_any.
template <class Events> std::size_t wait_any(const Events &list, caller from = {})
{
    std::size_t index = list.size();
    from.report(mez_events_wait_any_at(from.where(), list.data(), list.size(), &index));
    return index;
}

// Has an event happened in time? If so, `index` is its number. If not, the result is false, and the
// call has not failed.
template <class Events>
bool wait_any_for(
    const Events &list, std::chrono::nanoseconds timeout, std::size_t &index, caller from = {})
{
    return detail::report_unless(MEZ_ERRC_TIMEOUT,
        mez_events_wait_any_for_at(
            from.where(), list.data(), list.size(), detail::to_timeout(timeout), &index),
        from);
}

} // namespace mez

#endif
