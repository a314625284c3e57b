// SPDX-License-Identifier: MIT
//
// Devices: <mezzanine/device.h>.
//
// Thread-safety: safe.

#ifndef MEZZANINE_DEVICE_HPP
#define MEZZANINE_DEVICE_HPP

#include <mezzanine/caller.hpp>
#include <mezzanine/device.h>

namespace mez
{

// A device of a context, or none. It owns nothing and may be copied; the context must live longer.
class device
{
  public:
    device() noexcept = default;

    device(mez_device *borrowed) noexcept : device_(borrowed)
    {
    }

    mez_device *get() const noexcept
    {
        return device_;
    }

    explicit operator bool() const noexcept
    {
        return device_ != nullptr;
    }

    // nullptr for no device; lives as long as the context.
    const mez_device_info *info() const noexcept
    {
        return mez_device_get_info(device_);
    }

    const char *architecture() const noexcept
    {
        return mez_device_get_architecture(device_);
    }

    const mez_target *target() const noexcept
    {
        return mez_device_get_target(device_);
    }

    bool has_aspect(const char *name) const noexcept
    {
        return mez_device_has_aspect(device_, name);
    }

    uint32_t sub_device_count() const noexcept
    {
        return mez_device_get_sub_device_count(device_);
    }

    // None where there is no such part.
    device sub_device(uint32_t index) const noexcept
    {
        return mez_device_get_sub_device(device_, index);
    }

    device parent() const noexcept
    {
        return mez_device_get_parent(device_);
    }

    mez_memory_state memory_state(caller from = {}) const
    {
        mez_memory_state state = {};
        from.report(mez_device_get_memory_state_at(from.where(), device_, &state));
        return state;
    }

    // nullptr on failure; lives as long as the device.
    const mez_device_details *details(caller from = {}) const
    {
        const mez_device_details *details = nullptr;
        from.report(mez_device_get_details_at(from.where(), device_, &details));
        return details;
    }

    mez_native_asserts native_asserts(caller from = {}) const
    {
        mez_native_asserts how = MEZ_NATIVE_ASSERTS_NONE;
        from.report(mez_device_get_native_asserts_at(from.where(), device_, &how));
        return how;
    }

  private:
    mez_device *device_ = nullptr;
};

} // namespace mez

#endif
