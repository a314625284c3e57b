// SPDX-License-Identifier: MIT
//
// What a kernel is submitted with: its range and its arguments.
//
//     queue.submit(saxpy, mez::range(n), mez::args(a, x, y));
//     queue.submit(reduce, mez::nd_range({n}, {64}), mez::args(x, mez::local{256}, sum));
//
// The kind of an argument follows from its C++ type: pointers, mez::memory and nullptr are
// pointers, mez::local is memory of the work-group, and everything else is a value whose bytes are
// copied. A type that can't be an argument does not compile. Whether the number and the sizes of
// arguments are right is checked when the kernel is submitted.
//
// Thread-safety: safe to read.

#ifndef MEZZANINE_ARGUMENTS_HPP
#define MEZZANINE_ARGUMENTS_HPP

#include <array>
#include <tuple>
#include <type_traits>

#include <mezzanine/kernel.h>
#include <mezzanine/memory.hpp>
#include <mezzanine/queue.h>

namespace mez
{

// One to three dimensions: range(x, y, z), where x is get_global_id(0). The library chooses the
// size of work-groups.
template <class... Size> constexpr mez_range range(Size... sizes) noexcept
{
    static_assert(sizeof...(Size) >= 1 && sizeof...(Size) <= 3, "one to three dimensions");
    static_assert((std::is_integral_v<Size> && ...), "sizes are whole numbers");
    return {sizeof...(Size), {static_cast<std::size_t>(sizes)...}, {}};
}

// The same with the size of work-groups: nd_range({x, y}, {local_x, local_y}). Both have the same
// number of dimensions.
template <std::size_t N>
constexpr mez_range nd_range(const std::size_t (&global)[N], const std::size_t (&local)[N]) noexcept
{
    static_assert(N <= 3, "one to three dimensions");
    mez_range range = {N, {}, {}};
    for (std::size_t i = 0; i < N; i++) {
        range.global[i] = global[i];
        range.local[i] = local[i];
    }
    return range;
}

// An argument that is memory of the work-group.
struct local {
    std::size_t bytes; // per work-group
};

namespace detail
{

// How an argument is stored. Pointers lose their type, so that there are only a few kinds of
// arguments.
struct pointer_argument {
    const void *address;
};

template <class T> constexpr T held(const T &value) noexcept
{
    static_assert(std::is_trivially_copyable_v<T>, "an argument is copied as bytes");
    return value;
}

template <class T, std::size_t N> constexpr pointer_argument held(const T (&)[N]) noexcept
{
    static_assert(N == 0,
        "the device can't reach an array of the host's: give memory of a context, "
        "or a struct that holds the array");
    return {nullptr};
}

template <class T> constexpr pointer_argument held(T *const &pointer) noexcept
{
    static_assert(!std::is_function_v<T>, "a function of the host's can't be an argument");
    return {pointer};
}

constexpr pointer_argument held(std::nullptr_t) noexcept
{
    return {nullptr};
}

template <class T, mez_error (*Free)(const mez_location *, mez_context *, void *)>
pointer_argument held(const std::unique_ptr<T[], memory_deleter<Free>> &memory) noexcept
{
    return {memory.get()};
}

template <class T> constexpr mez_arg to_arg(const T &value) noexcept
{
    return {MEZ_ARG_VALUE, sizeof value, &value};
}

constexpr mez_arg to_arg(const pointer_argument &pointer) noexcept
{
    return {MEZ_ARG_POINTER, sizeof(void *), pointer.address};
}

constexpr mez_arg to_arg(const local &memory) noexcept
{
    return {MEZ_ARG_LOCAL, memory.bytes, nullptr};
}

} // namespace detail

// The arguments of a submission, in the order of the kernel's; mez::args() for none. It contains
// copies of values, so it may be kept. It can't be moved, because its C struct points to these
// copies.
template <class... Values> class args : public mez_args
{
  public:
    explicit args(const Values &...values)
        : mez_args{sizeof...(Values), nullptr}, values_(detail::held(values)...)
    {
        std::apply([this](const auto &...held) { items_ = {{detail::to_arg(held)...}}; }, values_);
        items = items_.data();
    }

    args(const args &) = delete;
    args &operator=(const args &) = delete;

  private:
    std::tuple<decltype(detail::held(std::declval<const Values &>()))...> values_;
    std::array<mez_arg, sizeof...(Values)> items_;
};

} // namespace mez

#endif
