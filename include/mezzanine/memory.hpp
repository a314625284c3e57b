// SPDX-License-Identifier: MIT
//
// Unified shared memory as std::unique_ptr: <mezzanine/memory.h>.
//
//     auto x = mez::alloc_shared<float>(context, n);
//     x[0] = 1;
//
// Thread-safety: safe.

#ifndef MEZZANINE_MEMORY_HPP
#define MEZZANINE_MEMORY_HPP

#include <cstdint>
#include <memory>
#include <type_traits>

#include <mezzanine/caller.hpp>
#include <mezzanine/context.hpp>
#include <mezzanine/memory.h>

namespace mez
{

// Frees memory of a context, which must live longer. Destructors can't report errors; call
// mez::free(std::move(memory)) to get them.
template <mez_error (*Free)(const mez_location *, mez_context *, void *)> class memory_deleter
{
  public:
    memory_deleter() noexcept = default;

    explicit memory_deleter(const context &owner) noexcept : context_(owner.get())
    {
    }

    void operator()(void *pointer) const noexcept
    {
        Free(nullptr, context_, pointer);
    }

    // The same, but returns the error.
    mez_error free(void *pointer, const mez_location *where) const noexcept
    {
        return Free(where, context_, pointer);
    }

  private:
    mez_context *context_ = nullptr;
};

// Memory for items, whose constructors and destructors are not called. On the host, [] may be used
// for host and shared memory only.
template <class T> using memory = std::unique_ptr<T[], memory_deleter<mez_free_at>>;

namespace detail
{

// The size of `count` items in bytes; SIZE_MAX, which every device refuses, if it does not fit.
template <class T> constexpr std::size_t size_of(std::size_t count) noexcept
{
    static_assert(std::is_trivially_copyable_v<T>, "devices copy bytes: T must allow that");
    return count > SIZE_MAX / sizeof(T) ? SIZE_MAX : count * sizeof(T);
}

using alloc_function = void *(
    const mez_location *where, mez_context *context, std::size_t size, mez_error *error);

template <class T>
memory<T> allocated(
    const context &owner, std::size_t count, alloc_function *alloc, const caller &from)
{
    static_assert(alignof(T) <= 64, "ask mez::alloc for such an alignment");
    mez_error error = mez_ok();
    void *const pointer = alloc(from.where(), owner.get(), size_of<T>(count), &error);
    from.report(error);
    return memory<T>(static_cast<T *>(pointer), memory_deleter<mez_free_at>(owner));
}

} // namespace detail

// Each allocates `count` items, uninitialised. On failure nothing is owned.
template <class T> memory<T> alloc_device(const context &owner, std::size_t count, caller from = {})
{
    return detail::allocated<T>(owner, count, mez_alloc_device_at, from);
}

template <class T> memory<T> alloc_host(const context &owner, std::size_t count, caller from = {})
{
    return detail::allocated<T>(owner, count, mez_alloc_host_at, from);
}

template <class T> memory<T> alloc_shared(const context &owner, std::size_t count, caller from = {})
{
    return detail::allocated<T>(owner, count, mez_alloc_shared_at, from);
}

template <class T>
memory<T> alloc(
    const context &owner, const mez_memory_params &params, std::size_t count, caller from = {})
{
    mez_error error = mez_ok();
    void *const pointer =
        mez_alloc_at(from.where(), owner.get(), &params, detail::size_of<T>(count), &error);
    from.report(error);
    return memory<T>(static_cast<T *>(pointer), memory_deleter<mez_free_at>(owner));
}

// Frees memory as its destructor does, and reports errors. The memory can't be used afterwards in
// any case.
template <class T, class Deleter> void free(std::unique_ptr<T[], Deleter> memory, caller from = {})
{
    const Deleter deleter = memory.get_deleter();
    from.report(deleter.free(memory.release(), from.where()));
}

inline mez_memory_info memory_info(const context &owner, const void *pointer, caller from = {})
{
    mez_memory_info info = {};
    from.report(mez_memory_get_info_at(from.where(), owner.get(), pointer, &info));
    return info;
}

} // namespace mez

#endif
