// SPDX-License-Identifier: MIT
//
// Errors of Mezzanine for <system_error>: every mez_error can become a std::error_code, and the
// conditions of <mezzanine/error.h> are std::error_conditions.
//
//     std::error_code code;
//     queue.wait(code);
//     if (code == mez::errc::device_lost)
//         return start_again();
//
// The names, the texts, and which code matches which condition come from the library. The
// conditions have the names that they have in C, in small letters.
//
// A std::error_code has a number and a category, but no story. To read the story, keep the
// mez_error (<mezzanine/story.hpp>) or catch the exception (<mezzanine/exception.hpp>).
//
// Thread-safety: everything here is safe from any thread.

#ifndef MEZZANINE_ERROR_HPP
#define MEZZANINE_ERROR_HPP

#include <string>
#include <system_error>
#include <type_traits>

#include <mezzanine/error.h>

namespace mez
{

// mez_condition; <mezzanine/error.h> says what each means. Compare a std::error_code with one of
// these: several codes match.
enum class errc : int {
    kernel = MEZ_ERRC_KERNEL,
    accessor = MEZ_ERRC_ACCESSOR,
    nd_range = MEZ_ERRC_ND_RANGE,
    event = MEZ_ERRC_EVENT,
    invalid_parameter = MEZ_ERRC_INVALID_PARAMETER,
    kernel_argument = MEZ_ERRC_KERNEL_ARGUMENT,
    kernel_not_supported = MEZ_ERRC_KERNEL_NOT_SUPPORTED,
    invalid_image = MEZ_ERRC_INVALID_IMAGE,
    file = MEZ_ERRC_FILE,
    out_of_host_memory = MEZ_ERRC_OUT_OF_HOST_MEMORY,
    timeout = MEZ_ERRC_TIMEOUT,
    wrong_state = MEZ_ERRC_WRONG_STATE,
    stray_write = MEZ_ERRC_STRAY_WRITE,

    compile_program = MEZ_ERRC_COMPILE_PROGRAM,
    link_program = MEZ_ERRC_LINK_PROGRAM,
    invalid_object = MEZ_ERRC_INVALID_OBJECT,
    memory_allocation = MEZ_ERRC_MEMORY_ALLOCATION,
    platform = MEZ_ERRC_PLATFORM,
    profiling = MEZ_ERRC_PROFILING,
    feature_not_supported = MEZ_ERRC_FEATURE_NOT_SUPPORTED,
    device_lost = MEZ_ERRC_DEVICE_LOST,
    assertion = MEZ_ERRC_ASSERT, // `assert` may be a macro
    not_ready = MEZ_ERRC_NOT_READY,
    unknown = MEZ_ERRC_UNKNOWN,
};

namespace detail
{

// A category of C's. A program has one object of each, even if its shared libraries are built with
// hidden visibility, because std::error_category compares addresses. If a loader keeps libraries
// apart nevertheless, conditions still match, because `id_of` uses the names that the library
// returns.
class MEZ_API category final : public std::error_category
{
  public:
    constexpr explicit category(mez_category id) noexcept : id_(id)
    {
    }

    const char *name() const noexcept override
    {
        return mez_category_get_name(id_);
    }

    std::string message(int value) const override
    {
        return mez_error_get_message(mez_error_of(id_, value));
    }

    std::error_condition default_error_condition(int value) const noexcept override;
    bool equivalent(int value, const std::error_condition &condition) const noexcept override;
    bool equivalent(const std::error_code &code, int condition) const noexcept override;

  private:
    mez_category id_;
};

MEZ_API inline const category runtime_object{MEZ_CATEGORY_RUNTIME};
MEZ_API inline const category device_object{MEZ_CATEGORY_DEVICE};
MEZ_API inline const category level_zero_object{MEZ_CATEGORY_LEVEL_ZERO};

} // namespace detail

// "mezzanine runtime": how the library was called, and what it could see before a device was asked.
inline const std::error_category &runtime_category() noexcept
{
    return detail::runtime_object;
}

// "mezzanine device": what the driver, its compiler or the device said.
inline const std::error_category &device_category() noexcept
{
    return detail::device_object;
}

// "level_zero": values are those of ze_result_t. <mezzanine/ze_result.hpp> makes ze_result_t itself
// a std::error_code.
inline const std::error_category &level_zero_category() noexcept
{
    return detail::level_zero_object;
}

namespace detail
{

// Codes of unknown categories count as codes of the runtime category.
inline const std::error_category &category_of(mez_category id) noexcept
{
    switch (id) {
    case MEZ_CATEGORY_DEVICE:
        return device_category();
    case MEZ_CATEGORY_LEVEL_ZERO:
        return level_zero_category();
    case MEZ_CATEGORY_SUCCESS:
    case MEZ_CATEGORY_RUNTIME:
        break;
    }
    return runtime_category();
}

} // namespace detail

// The error condition, in the category of its family.
inline std::error_condition make_error_condition(errc condition) noexcept
{
    const auto known = static_cast<mez_condition>(condition);
    if (known == MEZ_SUCCESS)
        return {};
    return {static_cast<int>(known), detail::category_of(mez_condition_get_category(known))};
}

// The condition that an error stands for.
inline std::error_condition make_error_condition(mez_error error) noexcept
{
    return make_error_condition(static_cast<errc>(mez_error_get_condition(error)));
}

// The code of an error, without its story. Success becomes std::error_code().
inline std::error_code make_error_code(mez_error error) noexcept
{
    if (!mez_failed(error))
        return {};
    return {error.value, detail::category_of(mez_error_get_category(error))};
}

// A code for errors of the program's own, for functions that report errors as Mezzanine does.
inline std::error_code make_error_code(errc code) noexcept
{
    const std::error_condition condition = make_error_condition(code);
    return {condition.value(), condition.category()};
}

} // namespace mez

template <> struct std::is_error_condition_enum<mez::errc> : std::true_type {
};

namespace mez::detail
{

// The category of C's; MEZ_CATEGORY_SUCCESS: it is another category. All objects of one category
// have the name that the library returned, at the same address.
inline mez_category id_of(const std::error_category &category) noexcept
{
    for (const mez_category id :
        {MEZ_CATEGORY_RUNTIME, MEZ_CATEGORY_DEVICE, MEZ_CATEGORY_LEVEL_ZERO})
        if (category.name() == mez_category_get_name(id))
            return id;
    return MEZ_CATEGORY_SUCCESS;
}

inline std::error_condition category::default_error_condition(int value) const noexcept
{
    return make_error_condition(mez_error_of(id_, value));
}

inline bool category::equivalent(int value, const std::error_condition &condition) const noexcept
{
    if (id_of(condition.category()) == MEZ_CATEGORY_SUCCESS)
        return default_error_condition(value) == condition;
    return mez_error_is(mez_error_of(id_, value), static_cast<mez_condition>(condition.value()));
}

inline bool category::equivalent(const std::error_code &code, int condition) const noexcept
{
    const mez_category id = id_of(code.category());
    return id != MEZ_CATEGORY_SUCCESS &&
           mez_error_is(mez_error_of(id, code.value()), static_cast<mez_condition>(condition));
}

} // namespace mez::detail

#endif
