// SPDX-License-Identifier: MIT
//
// Which parameters of kernels are images and samplers. LLVM's pointers don't say what they point to, and llvm-spirv's notes for OpenCL do:
// they are made from the types that SPIR-V has, whatever wrote it.

#include "images.h"

#include <string.h>

struct image_name {
    const char *name;
    enum zc_image_dimensions dimensions;
};

static const struct image_name image_names[] = {
    {"image1d_t", ZC_IMAGE_1D},
    {"image1d_array_t", ZC_IMAGE_1D_ARRAY},
    {"image1d_buffer_t", ZC_IMAGE_1D_BUFFER},
    {"image2d_t", ZC_IMAGE_2D},
    {"image2d_depth_t", ZC_IMAGE_2D},
    {"image2d_array_t", ZC_IMAGE_2D_ARRAY},
    {"image2d_array_depth_t", ZC_IMAGE_2D_ARRAY},
    {"image3d_t", ZC_IMAGE_3D},
};

// What the function's note of that name says of a parameter; "": nothing.
static const char *read_note(LLVMValueRef function, const char *name, unsigned index)
{
    LLVMValueRef node = zc_note_of(function, name);
    const unsigned count = node != NULL ? LLVMGetMDNodeNumOperands(node) : 0;
    if (count == 0 || count != LLVMCountParams(function))
        return "";
    LLVMValueRef values[count];
    LLVMGetMDNodeOperands(node, values);
    unsigned length;
    const char *text = LLVMGetMDString(values[index], &length);
    return text != NULL ? text : "";
}

static const char *type_of(LLVMValueRef kernel, unsigned index)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, index));
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind
               ? read_note(kernel, "kernel_arg_base_type", index)
               : "";
}

static const struct image_name *find_image(const char *type)
{
    for (size_t i = 0; i < sizeof(image_names) / sizeof(image_names[0]); i++) {
        if (strcmp(type, image_names[i].name) == 0)
            return &image_names[i];
    }
    return NULL;
}

static uint32_t access_of(LLVMValueRef kernel, unsigned index)
{
    const char *access = read_note(kernel, "kernel_arg_access_qual", index);
    if (strcmp(access, "read_write") == 0)
        return ZC_IMAGE_READ | ZC_IMAGE_WRITE;
    return strcmp(access, "write_only") == 0 ? ZC_IMAGE_WRITE : ZC_IMAGE_READ;
}

static bool is_sampler(const char *type)
{
    return strcmp(type, "sampler_t") == 0;
}

bool zc_image_argument(LLVMValueRef kernel, unsigned index, struct zc_argument *argument)
{
    const char *type = type_of(kernel, index);
    const struct image_name *image = find_image(type);
    if (image == NULL && !is_sampler(type))
        return false;
    argument->kind = image != NULL ? ZC_ARGUMENT_IMAGE : ZC_ARGUMENT_SAMPLER;
    if (image != NULL) {
        argument->image_dimensions = image->dimensions;
        argument->image_access = access_of(kernel, index);
    }
    return true;
}

static bool has_image_parameter(LLVMValueRef function)
{
    struct zc_argument unused;
    bool found = false;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        found |= zc_image_argument(function, i, &unused);
    return found;
}

static bool calls_image_builtin(LLVMValueRef instruction)
{
    char name[128];
    if (!LLVMIsACallInst(instruction) || !LLVMIsAFunction(LLVMGetCalledValue(instruction)))
        return false;
    const char *mangled = zc_name_of(LLVMGetCalledValue(instruction));
    return strcmp(mangled, ZC_SAMPLER_INITIALIZER) == 0 ||
           (zc_builtin_name(mangled, name, sizeof(name)) && zc_is_image_builtin(name));
}

bool zc_uses_images(LLVMValueRef function)
{
    if (has_image_parameter(function))
        return true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (calls_image_builtin(i))
                return true;
        }
    }
    return false;
}
