// SPDX-License-Identifier: MIT
//
// Device images: <mezzanine/image.h>.
//
// Thread-safety: safe.

#ifndef MEZZANINE_IMAGE_HPP
#define MEZZANINE_IMAGE_HPP

#include <mezzanine/context.hpp>
#include <mezzanine/image.h>

namespace mez
{

class image : public handle<mez_image, mez_image_destroy_at>
{
  public:
    using handle::handle;

    static image create(const context &in, const mez_image_params &params, caller from = {})
    {
        image created;
        from.report(mez_image_create_at(from.where(), in.get(), &params, created.put()));
        return created;
    }

    static image load(const context &in, const char *path, caller from = {})
    {
        image loaded;
        from.report(mez_image_load_at(from.where(), in.get(), path, loaded.put()));
        return loaded;
    }

    // The registered code must live as long as the image and its kernels.
    static image create_registered(
        const context &in, const mez_image_params &params, caller from = {})
    {
        image created;
        from.report(mez_image_create_registered_at(from.where(), in.get(), &params, created.put()));
        return created;
    }

    uint32_t kernel_count() const noexcept
    {
        return mez_image_get_kernel_count(get());
    }

    // nullptr where there is no such kernel; lives as long as the image.
    const char *kernel_name(uint32_t index) const noexcept
    {
        return mez_image_get_kernel_name(get(), index);
    }
};

} // namespace mez

#endif
