// SPDX-License-Identifier: MIT
//
// The base of all classes that own an object of the C API, and destroy it.
//
// Thread-safety: as for the C object; only one thread may move, reset or destroy a handle.

#ifndef MEZZANINE_HANDLE_HPP
#define MEZZANINE_HANDLE_HPP

#include <utility>

#include <mezzanine/caller.hpp>

namespace mez
{

// Owns one C object, or none. `Destroy` is the C function that destroys it, which accepts NULL.
// Traces and logs show the places of calls of reset and put, but not those of destructors and
// assignments.
template <class Object, void (*Destroy)(const mez_location *where, Object **)> class handle
{
  public:
    handle() noexcept = default;

    // Takes ownership of an object that a C function has created.
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

    // The object, for C functions, which the handle still owns. nullptr: there is none.
    Object *get() const noexcept
    {
        return object_;
    }

    explicit operator bool() const noexcept
    {
        return object_ != nullptr;
    }

    // Returns the object, which the handle does not own any more.
    [[nodiscard]] Object *release() noexcept
    {
        return std::exchange(object_, nullptr);
    }

    // Destroys the object, and takes ownership of another.
    void reset(Object *owned = nullptr, mez_location where = here()) noexcept
    {
        replace(owned, &where);
    }

    // For C functions that write a new object: destroys the old object, and owns what the function
    // writes.
    Object **put(mez_location where = here()) noexcept
    {
        replace(nullptr, &where);
        return &object_;
    }

    // For C functions that read arrays of objects: an array of one object. Valid until the handle
    // is moved or destroyed.
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
