// SPDX-License-Identifier: MIT
//
// Waits for several events: <mezzanine/event.h>.
//
//     mez::wait_all(mez::events(a, b, c));
//     switch (mez::wait_any(mez::events(input, stop))) { ... }
//
// A list of any length is a container of mez_event *, such as a std::vector, of which event.get()
// is an element. Those events stay yours.
//
// Thread-safety: safe; one event may be waited for from many threads.

#ifndef MEZZANINE_WAIT_HPP
#define MEZZANINE_WAIT_HPP

#include <mezzanine/task.hpp>

namespace mez
{

template <class Events> void wait_all(const Events &list, caller from = {})
{
    from.report(mez_events_wait_all_at(from.where(), list.data(), list.size()));
}

// Have all happened in time? False, and no failure, where some have not.
template <class Events>
bool wait_all_for(const Events &list, std::chrono::nanoseconds timeout, caller from = {})
{
    return detail::report_unless(MEZ_ERRC_TIMEOUT,
        mez_events_wait_all_for_at(
            from.where(), list.data(), list.size(), detail::to_timeout(timeout)),
        from);
}

// The number of the one that has happened; where the call fails it is what C says of *index.
template <class Events> std::size_t wait_any(const Events &list, caller from = {})
{
    std::size_t index = list.size();
    from.report(mez_events_wait_any_at(from.where(), list.data(), list.size(), &index));
    return index;
}

// Has one happened in time? False, and no failure, where none has; else `index` is its number.
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
