// SPDX-License-Identifier: MIT
//
// Formats of images. Those of media, whose texels share channels, and 32 bits from 0 to 1, for which OpenCL C has no name, are left out.
#include "image_format.h"

#include "settings.h"

#include <stddef.h>
#include <ze_newer.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- layouts and types ----

// What OpenCL C's get_image_channel_data_type says, where it has a name.
enum {
    CLK_NONE = 0,
    CLK_SNORM_INT8 = 0x10d0,
    CLK_SNORM_INT16,
    CLK_UNORM_INT8,
    CLK_UNORM_INT16,
    CLK_UNORM_SHORT_565,
    CLK_UNORM_SHORT_555,
    CLK_SIGNED_INT8 = 0x10d7,
    CLK_SIGNED_INT16,
    CLK_SIGNED_INT32,
    CLK_UNSIGNED_INT8,
    CLK_UNSIGNED_INT16,
    CLK_UNSIGNED_INT32,
    CLK_HALF_FLOAT,
    CLK_FLOAT,
    CLK_UNORM_INT_101010_2 = 0x10e0,
};

// All channels of the texel together have `bytes`.
struct layout {
    ze_image_format_layout_t name;
    enum zc_texel_layout layout;
    uint32_t channels, bytes;
};

static const struct layout layouts[] = {
    {ZE_IMAGE_FORMAT_LAYOUT_8, ZC_TEXEL_8, 1, 1},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8, ZC_TEXEL_8, 2, 2},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZC_TEXEL_8, 4, 4},
    {ZE_IMAGE_FORMAT_LAYOUT_16, ZC_TEXEL_16, 1, 2},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16, ZC_TEXEL_16, 2, 4},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, ZC_TEXEL_16, 4, 8},
    {ZE_IMAGE_FORMAT_LAYOUT_32, ZC_TEXEL_32, 1, 4},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32, ZC_TEXEL_32, 2, 8},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZC_TEXEL_32, 4, 16},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZC_TEXEL_10_10_10_2, 4, 4},
    {ZE_IMAGE_FORMAT_LAYOUT_11_11_10, ZC_TEXEL_11_11_10, 3, 4},
    {ZE_IMAGE_FORMAT_LAYOUT_5_6_5, ZC_TEXEL_5_6_5, 3, 2},
    {ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, ZC_TEXEL_5_5_5_1, 4, 2},
    {ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, ZC_TEXEL_4_4_4_4, 4, 2},
};

static const struct layout newer_layouts[] = {
    {ZE_NEWER_IMAGE_FORMAT_LAYOUT_8_8_8, ZC_TEXEL_8, 3, 3},
    {ZE_NEWER_IMAGE_FORMAT_LAYOUT_16_16_16, ZC_TEXEL_16, 3, 6},
    {ZE_NEWER_IMAGE_FORMAT_LAYOUT_32_32_32, ZC_TEXEL_32, 3, 12},
};

static const struct {
    enum zc_texel_layout layout;
    ze_image_format_type_t name;
    enum zc_texel_type type;
    uint32_t clk;
} types[] = {
    {ZC_TEXEL_8, ZE_IMAGE_FORMAT_TYPE_UINT, ZC_TEXEL_UINT, CLK_UNSIGNED_INT8},
    {ZC_TEXEL_8, ZE_IMAGE_FORMAT_TYPE_SINT, ZC_TEXEL_SINT, CLK_SIGNED_INT8},
    {ZC_TEXEL_8, ZE_IMAGE_FORMAT_TYPE_UNORM, ZC_TEXEL_UNORM, CLK_UNORM_INT8},
    {ZC_TEXEL_8, ZE_IMAGE_FORMAT_TYPE_SNORM, ZC_TEXEL_SNORM, CLK_SNORM_INT8},
    {ZC_TEXEL_16, ZE_IMAGE_FORMAT_TYPE_UINT, ZC_TEXEL_UINT, CLK_UNSIGNED_INT16},
    {ZC_TEXEL_16, ZE_IMAGE_FORMAT_TYPE_SINT, ZC_TEXEL_SINT, CLK_SIGNED_INT16},
    {ZC_TEXEL_16, ZE_IMAGE_FORMAT_TYPE_UNORM, ZC_TEXEL_UNORM, CLK_UNORM_INT16},
    {ZC_TEXEL_16, ZE_IMAGE_FORMAT_TYPE_SNORM, ZC_TEXEL_SNORM, CLK_SNORM_INT16},
    {ZC_TEXEL_16, ZE_IMAGE_FORMAT_TYPE_FLOAT, ZC_TEXEL_FLOAT, CLK_HALF_FLOAT},
    {ZC_TEXEL_32, ZE_IMAGE_FORMAT_TYPE_UINT, ZC_TEXEL_UINT, CLK_UNSIGNED_INT32},
    {ZC_TEXEL_32, ZE_IMAGE_FORMAT_TYPE_SINT, ZC_TEXEL_SINT, CLK_SIGNED_INT32},
    {ZC_TEXEL_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, ZC_TEXEL_FLOAT, CLK_FLOAT},
    {ZC_TEXEL_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UINT, ZC_TEXEL_UINT, CLK_NONE},
    {ZC_TEXEL_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UNORM, ZC_TEXEL_UNORM, CLK_UNORM_INT_101010_2},
    {ZC_TEXEL_11_11_10, ZE_IMAGE_FORMAT_TYPE_FLOAT, ZC_TEXEL_FLOAT, CLK_NONE},
    {ZC_TEXEL_5_6_5, ZE_IMAGE_FORMAT_TYPE_UNORM, ZC_TEXEL_UNORM, CLK_UNORM_SHORT_565},
    {ZC_TEXEL_5_5_5_1, ZE_IMAGE_FORMAT_TYPE_UNORM, ZC_TEXEL_UNORM, CLK_UNORM_SHORT_555},
    {ZC_TEXEL_4_4_4_4, ZE_IMAGE_FORMAT_TYPE_UNORM, ZC_TEXEL_UNORM, CLK_NONE},
};

static const struct layout *find_layout(
    const struct layout *list, size_t count, ze_image_format_layout_t name)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].name == name)
            return &list[i];
    return NULL;
}

static bool fill_layout(ze_image_format_layout_t name, struct zc_image *seen)
{
    const struct layout *found = find_layout(layouts, COUNT(layouts), name);
    if (!found && zc_settings.newer)
        found = find_layout(newer_layouts, COUNT(newer_layouts), name);
    if (!found)
        return false;
    seen->layout = found->layout;
    seen->channel_count = found->channels;
    seen->texel_size = found->bytes;
    return true;
}

static bool fill_type(ze_image_format_type_t name, struct zc_image *seen)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (types[i].layout == seen->layout && types[i].name == name) {
            seen->type = types[i].type;
            seen->channel_data_type = types[i].clk;
            return true;
        }
    return false;
}

// ---- swizzles ----

// A channel that the texel lacks is 0, or 1 if it is alpha; so is what nobody cares for.
static bool fill_component(
    ze_image_format_swizzle_t name, uint32_t component, struct zc_image *seen)
{
    const uint32_t absent = component == 3 ? ZC_SWIZZLE_ONE : ZC_SWIZZLE_ZERO;
    const uint32_t channel = (uint32_t)name;
    if (name <= ZE_IMAGE_FORMAT_SWIZZLE_A) {
        const uint32_t lacking =
            name == ZE_IMAGE_FORMAT_SWIZZLE_A ? ZC_SWIZZLE_ONE : ZC_SWIZZLE_ZERO;
        seen->swizzle[component] = channel < seen->channel_count ? ZC_SWIZZLE_0 + channel : lacking;
    } else if (name == ZE_IMAGE_FORMAT_SWIZZLE_0)
        seen->swizzle[component] = ZC_SWIZZLE_ZERO;
    else if (name == ZE_IMAGE_FORMAT_SWIZZLE_1)
        seen->swizzle[component] = ZC_SWIZZLE_ONE;
    else if (name == ZE_IMAGE_FORMAT_SWIZZLE_X)
        seen->swizzle[component] = absent;
    else if (name == ZE_NEWER_IMAGE_FORMAT_SWIZZLE_D && zc_settings.newer)
        seen->swizzle[component] = ZC_SWIZZLE_0; // depth
    else
        return false;
    return true;
}

// What OpenCL C's get_image_channel_order says. ANY: whatever stands there.
#define R ZE_IMAGE_FORMAT_SWIZZLE_R
#define G ZE_IMAGE_FORMAT_SWIZZLE_G
#define B ZE_IMAGE_FORMAT_SWIZZLE_B
#define A ZE_IMAGE_FORMAT_SWIZZLE_A
#define ZERO ZE_IMAGE_FORMAT_SWIZZLE_0
#define ONE ZE_IMAGE_FORMAT_SWIZZLE_1
#define D ZE_NEWER_IMAGE_FORMAT_SWIZZLE_D
#define ANY ((ze_image_format_swizzle_t)-1)

static const struct {
    ze_image_format_swizzle_t x, y, z, w;
    uint32_t clk;
} orders[] = {
    {D, ANY, ANY, ANY, 0x10bd},    // CLK_DEPTH
    {R, R, R, R, 0x10b8},          // CLK_INTENSITY
    {R, R, R, ONE, 0x10b9},        // CLK_LUMINANCE
    {R, G, B, A, 0x10b5},          // CLK_RGBA
    {B, G, R, ANY, 0x10b6},        // CLK_BGRA
    {A, R, G, B, 0x10b7},          // CLK_ARGB
    {A, B, G, R, 0x10c3},          // CLK_ABGR
    {R, G, B, ANY, 0x10b4},        // CLK_RGB
    {R, ZERO, ZERO, G, 0x10b3},    // CLK_RA
    {R, G, ANY, ANY, 0x10b2},      // CLK_RG
    {ZERO, ZERO, ZERO, R, 0x10b1}, // CLK_A
    {R, ANY, ANY, ANY, 0x10b0},    // CLK_R
};

static bool is_alike(ze_image_format_swizzle_t pattern, ze_image_format_swizzle_t name)
{
    return pattern == ANY || pattern == name;
}

// Where no name fits, what the texel has counts.
static uint32_t order_of(const ze_image_format_t *format, uint32_t channels)
{
    static const uint32_t by_count[] = {0x10b0, 0x10b2, 0x10b4, 0x10b5};
    for (size_t i = 0; i < COUNT(orders); i++)
        if (is_alike(orders[i].x, format->x) && is_alike(orders[i].y, format->y) &&
            is_alike(orders[i].z, format->z) && is_alike(orders[i].w, format->w))
            return orders[i].clk;
    return by_count[channels - 1];
}

// Alpha may come from any channel.
static bool has_alpha(const ze_image_format_t *format, const struct zc_image *seen)
{
    return format->x == A || format->y == A || format->z == A || format->w == A ||
           seen->swizzle[3] <= ZC_SWIZZLE_3;
}

bool zc_image_format_fill(const ze_image_format_t *format, struct zc_image *seen)
{
    if (!fill_layout(format->layout, seen) || !fill_type(format->type, seen) ||
        !fill_component(format->x, 0, seen) || !fill_component(format->y, 1, seen) ||
        !fill_component(format->z, 2, seen) || !fill_component(format->w, 3, seen))
        return false;
    seen->border_alpha = !has_alpha(format, seen);
    seen->channel_order = order_of(format, seen->channel_count);
    return true;
}

bool zc_image_is_filtered(const struct zc_image *seen)
{
    return seen->type != ZC_TEXEL_UINT && seen->type != ZC_TEXEL_SINT;
}
