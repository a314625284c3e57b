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
// Every exception is a mez::runtime_error or a mez::device_error, after the family of its
// condition, and a std::system_error, so that handlers written for that see the code. A native code
// keeps its category: ZE_RESULT_ERROR_DEVICE_LOST is a device_error whose category() is
// mez::level_zero_category().
//
// Not there where exceptions are switched off (-fno-exceptions).
//
// Thread-safety: an exception may be copied and read from any thread.

#ifndef MEZZANINE_EXCEPTION_HPP
#define MEZZANINE_EXCEPTION_HPP

#include <exception>
#include <memory>
#include <string>

#include <mezzanine/error.hpp>
#include <mezzanine/story.hpp>

#if defined(__cpp_exceptions)

namespace mez
{

// Throws the exception of a failure, which must be one. std::bad_alloc where there is no memory for
// that.
[[noreturn]] inline void throw_error(mez_error error);

// The words are copied when the exception is made; code, records of asserts and the rest are asked
// of error() (<mezzanine/story.hpp>), whose story stays as long as the exception or a copy of it.
class MEZ_API exception : public std::system_error
{
  public:
    // The whole story.
    const char *what() const noexcept override
    {
        return kept_->text.empty() ? mez_error_message(error()) : kept_->text.c_str();
    }

    const std::error_category &category() const noexcept
    {
        return code().category();
    }

    // The error itself: for mez_error_get_assert and other functions of C's.
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

        kept_error error; // before the text, so that nothing gives way while that is written
        std::string text;
    };

    std::shared_ptr<const kept> kept_;
};

// The condition is of mez::runtime_category().
class MEZ_API runtime_error : public exception
{
    using exception::exception;
    friend void throw_error(mez_error error);
};

// The condition is of mez::device_category().
class MEZ_API device_error : public exception
{
    using exception::exception;
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

// For promises and other places that take exceptions along. `error` must be a failure.
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
