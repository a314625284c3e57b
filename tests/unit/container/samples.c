// SPDX-License-Identifier: MIT

#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/bundle.h"
#include "container/offload.h"
#include "container/syclbin.h"
#include "container/zstd.h"
#include "write_offload.h"

// The first words of a module: no reader of containers looks further.
static const uint32_t spirv[] = {0x07230203, 0x00010200, 0, 8, 0, 0x00020011, 6};
static const uint32_t other_spirv[] = {0x07230203, 0x00010000, 0, 9, 0};
static const uint8_t native[] = "CTNI, which driver 22.43 begins its own binaries with";
static const uint8_t bitcode[] = "BC\xC0\xDE and so on";

static void require(mez_error error)
{
    if (!mez_failed(error))
        return;
    mez_error_print(stderr, error);
    exit(1);
}

static mez_binary *add(
    mez_bundle *bundle, mez_code_format format, const void *code, size_t size, const char *source)
{
    mez_binary *binary;
    const mez_container_bytes span = {.bytes = code, .size = size, .source = source};
    require(mez_bundle_add(bundle, &span, &binary));
    binary->format = format;
    return binary;
}

static mez_bundle *new_bundle(void)
{
    mez_bundle *bundle = mez_bundle_create(MEZ_CONTAINER_RAW);
    if (!bundle)
        exit(1);
    bundle->budget = SIZE_MAX;
    return bundle;
}

static void add_requirements(mez_binary *binary)
{
    mez_properties *properties = &binary->properties;
    require(mez_properties_add_numbers(
        properties, MEZ_SET_DEVICE_REQUIREMENTS, "aspects", (uint32_t[]){5, 6}, 2));
    require(mez_properties_add_number(
        properties, MEZ_SET_DEVICE_REQUIREMENTS, "reqd_sub_group_size", 16));
    require(mez_properties_add_number(properties, MEZ_SET_KERNEL_NAMES, "saxpy", 1));
    require(mez_properties_add_number(properties, MEZ_SET_KERNEL_NAMES, "scale", 1));
}

mez_bundle *sample_bundle(void)
{
    mez_bundle *bundle = new_bundle();
    mez_binary *ir = add(bundle, MEZ_CODE_SPIRV, spirv, sizeof spirv, "first");
    ir->target = "spir64-unknown-unknown";
    add_requirements(ir);
    require(mez_binary_take_kernel_names(bundle, ir));
    const uint32_t module = ir->module;

    mez_binary *compiled = add(bundle, MEZ_CODE_NATIVE, native, sizeof native, "second");
    compiled->module = module;
    compiled->target = "spir64_gen-unknown-unknown";
    compiled->arch = "intel_gpu_tgllp";
    add_requirements(compiled);
    require(mez_binary_take_kernel_names(bundle, compiled));

    mez_binary *other = add(bundle, MEZ_CODE_SPIRV, other_spirv, sizeof other_spirv, "third");
    other->target = "spir64-unknown-unknown";
    require(mez_properties_add_number(&other->properties, MEZ_SET_MISC, "optLevel", 2));
    return bundle;
}

mez_bundle *sample_plain_bundle(void)
{
    mez_bundle *bundle = new_bundle();
    mez_binary *ir = add(bundle, MEZ_CODE_SPIRV, spirv, sizeof spirv, "first");
    ir->target = "spir64-unknown-unknown";
    ir->compile_options = "-ze-opt-disable";
    ir->link_options = "-ze-opt-large-register-file";
    require(mez_binary_set_kernels(bundle, ir, (const char *const[]){"saxpy", "scale"}, 2));
    mez_binary *compiled = add(bundle, MEZ_CODE_NATIVE, native, sizeof native, "second");
    compiled->target = "spir64_gen";
    compiled->arch = "tgllp";
    add(bundle, MEZ_CODE_LLVM, bitcode, sizeof bitcode, "third");
    return bundle;
}

// --- Files

static void make_spirv(mez_bytes *bytes)
{
    mez_bytes_add(bytes, spirv, sizeof spirv);
}

static void make_native(mez_bytes *bytes)
{
    mez_bytes_add(bytes, native, sizeof native);
}

static void make_syclbin(mez_syclbin_form form, mez_bytes *bytes)
{
    mez_bundle *bundle = sample_bundle();
    require(mez_bundle_write_syclbin(bundle, form, bytes));
    mez_bundle_destroy(&bundle);
}

static void make_syclbin_1(mez_bytes *bytes)
{
    make_syclbin(MEZ_SYCLBIN_1, bytes);
}

static void make_syclbin_1_bare(mez_bytes *bytes)
{
    make_syclbin(MEZ_SYCLBIN_1_BARE, bytes);
}

static void make_syclbin_2(mez_bytes *bytes)
{
    make_syclbin(MEZ_SYCLBIN_2, bytes);
}

static void make_offload(const mez_offload_writing *writing, mez_bytes *bytes)
{
    mez_bundle *bundle = sample_plain_bundle();
    require(write_offload(bundle, writing, bytes));
    mez_bundle_destroy(&bundle);
}

// Version 1 holds one image, and no values with a NUL.
static void make_offload_1(mez_bytes *bytes)
{
    mez_bundle *bundle = new_bundle();
    add(bundle, MEZ_CODE_SPIRV, spirv, sizeof spirv, "first")->target = "spir64";
    require(write_offload(bundle, &(mez_offload_writing){.version = 1}, bytes));
    mez_bundle_destroy(&bundle);
}

static void make_offload_2(mez_bytes *bytes)
{
    make_offload(&(mez_offload_writing){.version = 2}, bytes);
}

static void make_offload_3(mez_bytes *bytes)
{
    make_offload(&(mez_offload_writing){.version = 3}, bytes);
}

static void make_offload_packed(mez_bytes *bytes)
{
    make_offload(&(mez_offload_writing){.pack = true}, bytes);
}

// As a linker lays them into one section.
static void make_offload_joined(mez_bytes *bytes)
{
    make_offload_1(bytes);
    make_offload_packed(bytes);
    make_offload_2(bytes);
}

static void make_offload_nested(mez_bytes *bytes)
{
    mez_bytes syclbin = {0}, packed = {0};
    make_syclbin_2(&syclbin);
    require(mez_zstd_pack(spirv, sizeof spirv, &packed));
    const mez_offload_entry entries[] = {
        {.image_kind = MEZ_OFFLOAD_SYCLBIN, .image = syclbin.data, .image_size = syclbin.size},
        {.offload_kind = MEZ_OFFLOAD_SYCL, .image = packed.data, .image_size = packed.size},
    };
    require(mez_offload_write(entries, 2, NULL, bytes));
    mez_bytes_finish(&syclbin);
    mez_bytes_finish(&packed);
}

static void make_packed_syclbin(mez_bytes *bytes)
{
    mez_bytes syclbin = {0};
    make_syclbin_1(&syclbin);
    require(mez_zstd_pack(syclbin.data, syclbin.size, bytes));
    mez_bytes_finish(&syclbin);
}

const sample samples[] = {
    {"raw.spv", make_spirv, 1},
    {"native.bin", make_native, 1},
    {"version1.syclbin", make_syclbin_1, 3},
    {"version1_bare.syclbin", make_syclbin_1_bare, 3},
    {"version2.syclbin", make_syclbin_2, 3},
    {"version1.offload", make_offload_1, 1},
    {"version2.offload", make_offload_2, 3},
    {"version3.offload", make_offload_3, 3},
    {"packed.offload", make_offload_packed, 3},
    {"joined.offload", make_offload_joined, 7},
    {"nested.offload", make_offload_nested, 4},
    {"packed.syclbin.zst", make_packed_syclbin, 3},
};
const size_t sample_count = sizeof samples / sizeof samples[0];

mez_bytes make_sample(const char *name)
{
    mez_bytes bytes = {0};
    for (size_t i = 0; i < sample_count; i++)
        if (strcmp(samples[i].name, name) == 0)
            samples[i].make(&bytes);
    if (bytes.failed || bytes.size == 0) {
        fprintf(stderr, "no sample \"%s\"\n", name);
        exit(1);
    }
    return bytes;
}
