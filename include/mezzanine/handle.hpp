// SPDX-License-Identifier: MIT
//
// What all objects of the C API have in common in C++: one owner, who destroys them.
//
// Thread-safety: as the C object behind it; moving, resetting and destroying belong to one thread.

#ifndef MEZZANINE_HANDLE_HPP
#define MEZZANINE_HANDLE_HPP

#include <utility>

#include <mezzanine/caller.hpp>

namespace mez
{

// Owns one C object, or none. `Destroy` is its C function, which accepts NULL. Destructors and
// assignments have no place of their own: traces and logs know those of reset and put.
template <class Object, void (*Destroy)(const mez_location *where, Object **)> class handle
{
  public:
    handle() noexcept = default;

    // Takes an object over that C functions have made.
    explicit handle(Object *owned) noexcept : object_(owned)
    {
    }

    handle(handle &&other) noexcept : object_(other.release())
    {
    }

    handle &operator=(handle &&other) noexcept
    {
        replace(other.release(), nullptr);
        return *this;
    }

    ~handle()
    {
        Destroy(nullptr, &object_);
    }

    // For C functions; stays owned. nullptr: there is none.
    Object *get() const noexcept
    {
        return object_;
    }

    explicit operator bool() const noexcept
    {
        return object_ != nullptr;
    }

    // Gives the object up without destroying it.
    [[nodiscard]] Object *release() noexcept
    {
        return std::exchange(object_, nullptr);
    }

    // Destroys the object, and takes another over.
    void reset(Object *owned = nullptr, mez_location where = here()) noexcept
    {
        replace(owned, &where);
    }

    // For C functions that write an object: destroys the one that is here, and owns what they
    // write.
    Object **put(mez_location where = here()) noexcept
    {
        replace(nullptr, &where);
        return &object_;
    }

    // For C functions that read arrays of objects: an array of one. Valid as long as the handle
    // stays where it is.
    Object *const *address() const noexcept
    {
        return &object_;
    }

  private:
    void replace(Object *owned, const mez_location *where) noexcept
    {
        Object *old = std::exchange(object_, owned);
        Destroy(where, &old);
    }

    Object *object_ = nullptr;
};

} // namespace mez

#endif
