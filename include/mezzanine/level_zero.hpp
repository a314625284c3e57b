// SPDX-License-Identifier: MIT
//
// Interoperation with Level Zero: <mezzanine/level_zero.h>. mezzanine.hpp does not include this
// header, because it needs the headers of Level Zero. <mezzanine/ze_result.hpp> compares native
// codes.
//
// Thread-safety: safe.

#ifndef MEZZANINE_LEVEL_ZERO_HPP
#define MEZZANINE_LEVEL_ZERO_HPP

#include <mezzanine/level_zero.h>
#include <mezzanine/queue.hpp>

namespace mez
{

inline ze_context_handle_t get_ze(const context &of) noexcept
{
    return mez_context_get_ze(of.get());
}

inline ze_driver_handle_t get_ze_driver(const context &of) noexcept
{
    return mez_context_get_ze_driver(of.get());
}

inline ze_device_handle_t get_ze(device of) noexcept
{
    return mez_device_get_ze(of.get());
}

inline ze_event_handle_t get_ze(const event &of, caller from = {})
{
    ze_event_handle_t ze = nullptr;
    from.report(mez_event_get_ze_at(from.where(), of.get(), &ze));
    return ze;
}

inline context context_adopt(const mez_context_adopt_params &params, caller from = {})
{
    context adopted;
    from.report(mez_context_adopt_at(from.where(), &params, adopted.put()));
    return adopted;
}

inline event event_adopt(const context &in, ze_event_handle_t ze, caller from = {})
{
    event adopted;
    from.report(mez_event_adopt_at(from.where(), in.get(), ze, adopted.put()));
    return adopted;
}

namespace detail
{

template <class Function>
ze_result_t append_native(void *user, ze_command_list_handle_t list) noexcept
{
    return (*static_cast<Function *>(user))(list);
}

} // namespace detail

// Calls function(ze_command_list_handle_t), which appends the commands of one task and returns a
// ze_result_t, before this call returns. An exception that leaves the function ends the program.
template <class Function>
void submit_native(queue &to, Function &&function, task_ref task = {}, caller from = {})
{
    from.report(mez_submit_native_at(from.where(), to.get(),
        detail::append_native<std::remove_reference_t<Function>>, detail::to_user(function),
        task.get()));
}

} // namespace mez

#endif
