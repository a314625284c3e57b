// SPDX-License-Identifier: MIT
//
// Functions that Mezzanine calls. In C++ they may be lambdas and other callable objects. They are
// passed by reference and stay yours, and must live as long as the library may call them. An
// exception that leaves one ends the program, because it can't pass through the C code of the
// library.
//
// Thread-safety: a thread of the context calls them.

#ifndef MEZZANINE_CALLBACK_HPP
#define MEZZANINE_CALLBACK_HPP

#include <memory>
#include <type_traits>

#include <mezzanine/error.h>

namespace mez
{

namespace detail
{

template <class Function> void *to_user(Function &function) noexcept
{
    static_assert(
        std::is_object_v<Function>, "give an object that can be called, such as a lambda");
    return const_cast<void *>(static_cast<const void *>(std::addressof(function)));
}

template <class Function> void call(void *user) noexcept
{
    (*static_cast<Function *>(user))();
}

template <class Function> void call_with_error(void *user, mez_error error) noexcept
{
    (*static_cast<Function *>(user))(error);
}

} // namespace detail

// For mez_context_params.on_error and mez_queue_params.on_error: function(mez_error error) is
// called with errors of tasks. It must live as long as the queues that use it.
template <class Function> mez_error_handler error_handler(Function &function) noexcept
{
    mez_error_handler handler = {};
    handler.function = detail::call_with_error<Function>;
    handler.user = detail::to_user(function);
    return handler;
}

} // namespace mez

#endif
