// SPDX-License-Identifier: MIT
//
// Contexts: <mezzanine/context.h> and <mezzanine/driver.h>.
//
// Thread-safety: as there.

#ifndef MEZZANINE_CONTEXT_HPP
#define MEZZANINE_CONTEXT_HPP

#include <mezzanine/caller.hpp>
#include <mezzanine/context.h>
#include <mezzanine/device.hpp>
#include <mezzanine/driver.h>
#include <mezzanine/handle.hpp>

namespace mez
{

// Declare it before the objects that are created with it, so that it is destroyed after them.
class context : public handle<mez_context, mez_context_destroy_at>
{
  public:
    using handle::handle;

    static context create(const mez_context_params &params = {}, caller from = {})
    {
        context created;
        from.report(mez_context_create_at(from.where(), &params, created.put()));
        return created;
    }

    uint32_t device_count() const noexcept
    {
        return mez_context_get_device_count(get());
    }

    // Devices are numbered from 0, the best first. An empty device if there is no such device.
    device device_at(uint32_t index) const noexcept
    {
        return mez_context_get_device(get(), index);
    }

    mez_context_statistics statistics() const noexcept
    {
        mez_context_statistics statistics = {};
        mez_context_get_statistics(get(), &statistics);
        return statistics;
    }

    mez_driver_info driver_info() const noexcept
    {
        mez_driver_info info = {};
        mez_context_get_driver_info(get(), &info);
        return info;
    }
};

} // namespace mez

#endif
