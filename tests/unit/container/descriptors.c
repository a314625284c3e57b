// SPDX-License-Identifier: MIT

#include "descriptors.h"

static const uint32_t spirv[] = {0x07230203, 0x00010200, 0, 8, 0};
static const uint8_t native[] = "CTNI and so on";
static const uint8_t bitcode[] = "BC\xC0\xDE and so on";

#define BEGIN(array) (array)
#define END(array) (&(array)[sizeof(array) / sizeof *(array)])

// --- Properties

static const uint8_t aspects[] = {96, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 28, 0, 0, 0};
static const uint8_t used_arguments[] = {11, 0, 0, 0, 0, 0, 0, 0, 0xAD, 0x03};

static const mez_dpcpp_property requirements[] = {
    {.name = "aspects", .value = aspects, .type = 2, .size = sizeof aspects},
    {.name = "reqd_sub_group_size", .type = 1, .size = 16},
};
static const mez_dpcpp_property arguments[] = {
    {.name = "saxpy", .value = used_arguments, .type = 2, .size = sizeof used_arguments},
};
static const mez_dpcpp_property others[] = {
    {.name = "text", .value = "a string", .type = 3, .size = 8},
    {.name = "of tomorrow", .value = "\1\2", .type = 77, .size = 2},
    {.name = "nothing", .type = 78, .size = 5},
};
static const mez_dpcpp_set sets_1[] = {
    {.name = "SYCL/device requirements", .begin = BEGIN(requirements), .end = END(requirements)},
    {.name = "SYCL/kernel param opt", .begin = BEGIN(arguments), .end = END(arguments)},
    {.name = "SYCL/empty"},
    {.name = "others", .begin = BEGIN(others), .end = END(others)},
};

static const mez_dpcpp_property names[] = {
    {.name = "from_names", .type = 1, .size = 1},
    {.name = "another", .type = 1, .size = 1},
};
static const mez_dpcpp_set sets_3[] = {
    {.name = "SYCL/kernel names", .begin = BEGIN(names), .end = END(names)},
};

// --- Entries

static const mez_dpcpp_entry_old old_entries[] = {
    {.name = "saxpy"}, {.name = "scale"}, {.name = "saxpy"}};

// Seven new ones are as large as fourteen old ones would be, except for their first fields.
#define NEW_ENTRY(text)                         \
    {                                           \
        .version = 1, .kind = 8, .name = (text) \
    }
static const mez_dpcpp_entry new_entries[] = {NEW_ENTRY("a"), NEW_ENTRY("b"), NEW_ENTRY("c"),
    NEW_ENTRY("d"), NEW_ENTRY("e"), NEW_ENTRY("f"), NEW_ENTRY("packed_kernel"), NEW_ENTRY("h")};

// --- Images

static const mez_dpcpp_image_2 images_1[] = {
    {
        .image = {.version = 1,
            .kind = 4,
            .format = 2,
            .target = "spir64",
            .compile_options = "-ze-opt-disable",
            .link_options = ""},
        .contents = {.code_begin = (const uint8_t *)spirv,
            .code_end = (const uint8_t *)spirv + sizeof spirv,
            .entries_begin = BEGIN(old_entries),
            .entries_end = END(old_entries),
            .sets_begin = BEGIN(sets_1),
            .sets_end = END(sets_1)},
    },
    {
        .image = {.version = 1, .kind = 4, .format = 1, .target = "spir64_gen"},
        .contents = {.code_begin = BEGIN(native), .code_end = END(native)},
    },
};

static mez_dpcpp_image_2 images_2[] = {
    {
        .image = {.version = 2, .kind = 4, .format = 4, .target = "spir64"},
        .manifest_begin = "manifest",
        .contents = {.entries_begin = BEGIN(new_entries), .entries_end = END(new_entries)},
    },
};

static const mez_dpcpp_image_3 images_3[] = {
    {
        .image = {.version = 3, .kind = 4, .format = 0, .target = "spir64"},
        .contents = {.code_begin = (const uint8_t *)spirv,
            .code_end = (const uint8_t *)spirv + sizeof spirv,
            .sets_begin = BEGIN(sets_3),
            .sets_end = END(sets_3)},
    },
    {
        .image = {.version = 3, .kind = 4, .format = 3, .target = "llvm_nvptx64"},
        .contents = {.code_begin = BEGIN(bitcode), .code_end = END(bitcode)},
    },
};

const mez_dpcpp_descriptor descriptor_1 = {.version = 1, .count = 2, .images = images_1};
mez_dpcpp_descriptor descriptor_2 = {.version = 1, .count = 1, .images = images_2};
const mez_dpcpp_descriptor descriptor_3 = {.version = 1, .count = 2, .images = images_3};

void set_packed_image(const void *bytes, size_t size)
{
    images_2[0].contents.code_begin = bytes;
    images_2[0].contents.code_end = (const uint8_t *)bytes + size;
}
