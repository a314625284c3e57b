// SPDX-License-Identifier: MIT
//
// Kernels: <mezzanine/kernel.h>. <mezzanine/arguments.hpp> has their ranges and arguments.
//
// Thread-safety: safe.

#ifndef MEZZANINE_KERNEL_HPP
#define MEZZANINE_KERNEL_HPP

#include <cstddef>

#include <mezzanine/image.hpp>
#include <mezzanine/kernel.h>

namespace mez
{

// A program-scope variable on a device.
struct program_variable {
    void *pointer = nullptr; // of the device; not to be freed
    std::size_t size = 0;    // bytes
};

class kernel : public handle<mez_kernel, mez_kernel_destroy_at>
{
  public:
    using handle::handle;

    // The kernel keeps what it needs of the image.
    static kernel create(const image &of, const char *name, caller from = {})
    {
        kernel created;
        from.report(mez_kernel_create_at(from.where(), of.get(), name, created.put()));
        return created;
    }

    static kernel load(const context &in, const char *path, const char *name, caller from = {})
    {
        kernel loaded;
        from.report(mez_kernel_load_at(from.where(), in.get(), path, name, loaded.put()));
        return loaded;
    }

    // If `on` is empty, the context's first device is used.
    void build(device on = {}, caller from = {})
    {
        from.report(mez_kernel_build_at(from.where(), get(), on.get()));
    }

    // Never throws: false is an answer and not a failure. *reason (`reason` may be nullptr) is then
    // the error that says why.
    bool is_supported(device on = {}, mez_error *reason = nullptr,
        const mez_location &where = here()) const noexcept
    {
        return mez_kernel_is_supported_at(&where, get(), on.get(), reason);
    }

    uint32_t argument_count() const noexcept
    {
        return mez_kernel_get_argument_count(get());
    }

    // nullptr where there is no such argument or it is not known; lives as long as the kernel.
    const mez_kernel_argument *argument(uint32_t index) const noexcept
    {
        return mez_kernel_get_argument(get(), index);
    }

    // Describes the kernel as built for `on`, or for the context's first device if that is empty.
    // nullptr on failure; lives as long as the kernel.
    const mez_kernel_info *info(device on = {}, caller from = {})
    {
        const mez_kernel_info *info = nullptr;
        from.report(mez_kernel_get_info_at(from.where(), get(), on.get(), &info));
        return info;
    }

    // Finds the variable on `on`, or on the context's first device if that is empty. The pointer is
    // valid as long as the kernel, and nullptr on failure.
    program_variable variable(const char *name, device on = {}, caller from = {})
    {
        program_variable found;
        from.report(mez_kernel_get_variable_at(
            from.where(), get(), on.get(), name, &found.pointer, &found.size));
        return found;
    }

    const char *name() const noexcept
    {
        return mez_kernel_get_name(get());
    }

    bool uses_assert() const noexcept
    {
        return mez_kernel_uses_assert(get());
    }
};

} // namespace mez

#endif
