// SPDX-License-Identifier: MIT
//
// Exceptions that carry the story of the error.
//
//     try {
//         queue.submit(saxpy, mez::range(n), mez::args(a, x, y));
//         queue.wait();
//     } catch (const mez::exception &failure) {
//         std::cerr << failure.what() << '\n';
//         if (failure.code() == mez::errc::kernel_not_supported) ...
//     }
//
// Every exception that Mezzanine throws is a mez::runtime_error or a mez::device_error, by the
// family of its condition. Both are std::system_errors, so that handlers for that class get the
// code. A native code keeps its category: ZE_RESULT_ERROR_DEVICE_LOST is a device_error whose
// category() is mez::level_zero_category().
//
// Programs may throw the same classes for their own errors, as in SYCL's proposal CP026:
//
//     throw mez::runtime_error(make_error_code(mez::errc::file), "weights.bin");
//
// This header is empty if exceptions are switched off (-fno-exceptions).
//
// Thread-safety: an exception may be copied and read from any thread.

#ifndef MEZZANINE_EXCEPTION_HPP
#define MEZZANINE_EXCEPTION_HPP

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <mezzanine/error.hpp>
#include <mezzanine/story.hpp>

#if defined(__cpp_exceptions)

namespace mez
{

// Throws the exception of an error, which must be a failure; std::bad_alloc if there is no memory.
[[noreturn]] inline void throw_error(mez_error error);

namespace detail
{

// The error that a code stands for: the same code if its category is one of Mezzanine's, or else
// its condition. MEZ_ERRC_UNKNOWN for codes without a condition of Mezzanine's.
inline mez_error error_of(const std::error_code &code) noexcept
{
    const mez_category id = id_of(code.category());
    if (id != MEZ_CATEGORY_SUCCESS)
        return mez_error_of(id, code.value());
    const std::error_condition condition = code.default_error_condition();
    const mez_category family = id_of(condition.category());
    if (family != MEZ_CATEGORY_SUCCESS)
        return mez_error_of(family, condition.value());
    return mez_error_of(MEZ_CATEGORY_DEVICE, MEZ_ERRC_UNKNOWN);
}

} // namespace detail

// The text is copied when the exception is made. Use error() for everything else, such as parts of
// the story (<mezzanine/story.hpp>) and records of asserts; its story lives as long as the
// exception or a copy of it.
class MEZ_API exception : public std::system_error
{
  public:
    // For errors of the program's own. what() is `what_arg`, a colon and the text of the code, as
    // in std::system_error; without `what_arg` it is the text of the code. `code` may have any
    // category; error() is the mez_error that it stands for. These constructors may throw
    // std::bad_alloc. `what_arg` must not be NULL.
    exception(std::error_code code, const std::string &what_arg)
        : std::system_error(code, what_arg),
          kept_(std::make_shared<const kept>(detail::error_of(code), std::system_error::what()))
    {
    }

    exception(std::error_code code, const char *what_arg) : exception(code, std::string(what_arg))
    {
    }

    explicit exception(std::error_code code)
        : std::system_error(code),
          kept_(std::make_shared<const kept>(detail::error_of(code), code.message()))
    {
    }

    exception(int value, const std::error_category &category, const std::string &what_arg)
        : exception(std::error_code(value, category), what_arg)
    {
    }

    exception(int value, const std::error_category &category, const char *what_arg)
        : exception(std::error_code(value, category), what_arg)
    {
    }

    exception(int value, const std::error_category &category)
        : exception(std::error_code(value, category))
    {
    }

    // The whole story.
    const char *what() const noexcept override
    {
        return kept_->text.empty() ? mez_error_get_message(error()) : kept_->text.c_str();
    }

    const std::error_category &category() const noexcept
    {
        return code().category();
    }

    // The error itself, for mez_error_get_assert and other C functions.
    mez_error error() const noexcept
    {
        return kept_->error.get();
    }

  protected:
    explicit exception(mez_error error)
        : std::system_error(make_error_code(error)), kept_(std::make_shared<const kept>(error))
    {
    }

  private:
    // Shared, so that copying an exception can't throw.
    struct kept {
        explicit kept(mez_error failure) : error(failure), text(story(failure))
        {
        }

        kept(mez_error failure, std::string words) : error(failure), text(std::move(words))
        {
        }

        kept_error error; // before the text, so that nothing gives way while that is written
        std::string text;
    };

    std::shared_ptr<const kept> kept_;
};

namespace detail
{

// Returns `code` if its condition is in `family`, and throws otherwise.
inline std::error_code of_family(
    std::error_code code, const std::error_category &family, const char *name)
{
    if (make_error_condition(error_of(code)).category() == family)
        return code;
    throw std::invalid_argument(std::string(name) + ": the code \"" + code.message() +
                                "\" stands for no condition of the category \"" + family.name() +
                                "\"; throw mez::exception, or the class of its category");
}

} // namespace detail

// An error whose condition is in mez::runtime_category(). Constructors throw std::invalid_argument
// if the condition of `code` is in another category, so that handlers can rely on the class.
class MEZ_API runtime_error : public exception
{
  public:
    runtime_error(std::error_code code, const std::string &what_arg)
        : exception(checked(code), what_arg)
    {
    }

    runtime_error(std::error_code code, const char *what_arg) : exception(checked(code), what_arg)
    {
    }

    explicit runtime_error(std::error_code code) : exception(checked(code))
    {
    }

  private:
    explicit runtime_error(mez_error error) : exception(error)
    {
    }

    static std::error_code checked(std::error_code code)
    {
        return detail::of_family(code, runtime_category(), "mez::runtime_error");
    }

    friend void throw_error(mez_error error);
};

// An error whose condition is in mez::device_category(). Its constructors are like those of
// runtime_error.
class MEZ_API device_error : public exception
{
  public:
    device_error(std::error_code code, const std::string &what_arg)
        : exception(checked(code), what_arg)
    {
    }

    device_error(std::error_code code, const char *what_arg) : exception(checked(code), what_arg)
    {
    }

    explicit device_error(std::error_code code) : exception(checked(code))
    {
    }

  private:
    explicit device_error(mez_error error) : exception(error)
    {
    }

    static std::error_code checked(std::error_code code)
    {
        return detail::of_family(code, device_category(), "mez::device_error");
    }

    friend void throw_error(mez_error error);
};

inline void throw_error(mez_error error)
{
    if (mez_error_is_in(error, MEZ_CATEGORY_RUNTIME))
        throw runtime_error(error);
    throw device_error(error);
}

// For calls of C functions: mez::check(mez_log_set_levels("queue:debug")).
inline void check(mez_error result)
{
    if (mez_failed(result))
        throw_error(result);
}

// For promises and other objects that store exceptions. `error` must be a failure.
inline std::exception_ptr make_exception_ptr(mez_error error) noexcept
{
    try {
        throw_error(error);
    } catch (...) {
        return std::current_exception();
    }
}

} // namespace mez

#endif

#endif
