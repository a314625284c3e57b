// SPDX-License-Identifier: MIT
//
// The last parameter of every call that can fail. It has the place of the call, as C's macros do,
// and decides where the outcome goes, so that each call has three forms:
//
//     queue.wait();             throws mez::exception
//     queue.wait(code);         sets a std::error_code: the failure, or success
//     queue.wait(error);        sets a mez_error, which has the story too
//
// Most programs need not name this class. If stories and traces should show the callers of a
// function of yours, the function takes a mez::caller and passes it on:
//
//     void upload(mez::queue &queue, mez::caller from = {})
//     {
//         queue.copy(to, data, size, {}, from);
//     }
//
// If exceptions are switched off, the first form does not compile.
//
// Thread-safety: an object belongs to one call.

#ifndef MEZZANINE_CALLER_HPP
#define MEZZANINE_CALLER_HPP

#include <mezzanine/base.h>
#include <mezzanine/error.hpp>
#include <mezzanine/exception.hpp>

namespace mez
{

// The place of the call, as C's MEZ_HERE and C++20's std::source_location. Its strings live as long
// as the process.
constexpr mez_location here(const char *file = __builtin_FILE(),
    const char *function = __builtin_FUNCTION(), int line = __builtin_LINE(),
    int column = MEZ_COLUMN) noexcept
{
    return {file, function, line, column};
}

class caller
{
  public:
#if defined(__cpp_exceptions)
    caller(mez_location where = here()) noexcept : where_(where), deliver_(throw_failure)
    {
    }
#else
    __attribute__((error("exceptions are switched off: pass a std::error_code or a mez_error")))
    caller(mez_location where = here()) noexcept;
#endif

    // Every call sets the code, also to success. It must live until the call returns.
    caller(std::error_code &code, mez_location where = here()) noexcept
        : where_(where), target_(&code), deliver_(set_code)
    {
    }

    caller(mez_error &error, mez_location where = here()) noexcept
        : where_(where), target_(&error), deliver_(set_error)
    {
    }

    // For C functions whose names end in _at. Valid as long as this object.
    const mez_location *where() const noexcept
    {
        return &where_;
    }

    // Reports the outcome of a call: throws it if it is a failure, or writes it.
    void report(mez_error outcome) const
    {
        deliver_(target_, outcome);
    }

  private:
    // This is a pointer, and not a branch, because code without exceptions shares the functions of
    // this class with code that has them: the linker keeps either version.
    using deliver = void(void *target, mez_error outcome);

#if defined(__cpp_exceptions)
    static void throw_failure(void *, mez_error outcome)
    {
        check(outcome);
    }
#endif

    static void set_code(void *target, mez_error outcome)
    {
        *static_cast<std::error_code *>(target) = make_error_code(outcome);
    }

    static void set_error(void *target, mez_error outcome)
    {
        *static_cast<mez_error *>(target) = outcome;
    }

    mez_location where_;
    void *target_ = nullptr;
    deliver *deliver_;
};

} // namespace mez

#endif
