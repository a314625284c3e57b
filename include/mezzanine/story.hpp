// SPDX-License-Identifier: MIT
//
// Stories of errors, whole and in parts: <mezzanine/error.h> says what the parts are.
//
//     mez_error error;
//     queue.wait(error);
//     for (const std::string &cause : mez::causes(error))
//         std::cerr << "because: " << cause << '\n';
//
// All functions that return text throw std::bad_alloc if there is no memory.
//
// Thread-safety: safe.

#ifndef MEZZANINE_STORY_HPP
#define MEZZANINE_STORY_HPP

#include <cstddef>
#include <string>
#include <vector>

#include <mezzanine/error.h>

namespace mez
{

// An error whose story is kept as long as this object or a copy of it lives (mez_error_retain,
// mez_error_release).
class kept_error
{
  public:
    kept_error() noexcept = default;

    explicit kept_error(mez_error error) noexcept : error_(mez_error_retain(error))
    {
    }

    kept_error(const kept_error &other) noexcept : error_(mez_error_retain(other.error_))
    {
    }

    kept_error &operator=(const kept_error &other) noexcept
    {
        const mez_error old = error_;
        error_ = mez_error_retain(other.error_);
        mez_error_release(old);
        return *this;
    }

    ~kept_error()
    {
        mez_error_release(error_);
    }

    mez_error get() const noexcept
    {
        return error_;
    }

  private:
    mez_error error_ = {};
};

namespace detail
{

// The text of a C function that writes and returns as snprintf does. The text may change between
// the two calls.
template <class Write> std::string text_of(const Write &write)
{
    std::string text(write(nullptr, 0), '\0');
    // One character more than size() is there, for the NUL.
    const std::size_t length = write(&text[0], text.size() + 1);
    text.resize(length < text.size() ? length : text.size());
    return text;
}

} // namespace detail

// The whole story, as mez_error_print prints it.
inline std::string story(mez_error error)
{
    return detail::text_of([error](char *buffer, std::size_t size) {
        return mez_error_get_story(error, buffer, size);
    });
}

// What failed.
inline std::string headline(mez_error error)
{
    return detail::text_of([error](char *buffer, std::size_t size) {
        return mez_error_get_headline(error, buffer, size);
    });
}

// Why it failed: each is the cause of the one before. Empty if there is only the headline.
inline std::vector<std::string> causes(mez_error error)
{
    std::vector<std::string> causes(mez_error_get_cause_count(error));
    for (std::size_t i = 0; i < causes.size(); i++)
        causes[i] = detail::text_of([error, i](char *buffer, std::size_t size) {
            return mez_error_get_cause(error, i, buffer, size);
        });
    return causes;
}

struct field {
    const char *name; // static
    std::string text;
};

// Facts about the failure, in the order in which they were added.
inline std::vector<field> fields(mez_error error)
{
    std::vector<field> fields(mez_error_get_field_count(error));
    for (std::size_t i = 0; i < fields.size(); i++)
        fields[i].text = detail::text_of([error, i, &fields](char *buffer, std::size_t size) {
            return mez_error_get_field(error, i, &fields[i].name, buffer, size);
        });
    return fields;
}

// The first field of that name; empty where there is none.
inline std::string find_field(mez_error error, const char *name)
{
    return detail::text_of([error, name](char *buffer, std::size_t size) {
        return mez_error_find_field(error, name, buffer, size);
    });
}

inline std::string json(mez_error error)
{
    return detail::text_of([error](char *buffer, std::size_t size) {
        return mez_error_get_json(error, buffer, size);
    });
}

} // namespace mez

#endif
