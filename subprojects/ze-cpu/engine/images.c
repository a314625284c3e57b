// SPDX-License-Identifier: MIT
//
// SPIR-V's instructions of images become calls of builtins/images.cl.
//
// To LLVM an image is the address of its description (image.h), and a sampler a pointer whose address is the sampler's bits. So they can be
// passed on to functions, and the bits of a sampler in the program are a constant, which leaves of the code that reads an image what this
// sampler needs. What combines the two is used at once, as SPIR-V demands, and the call that uses it gets both instead.
//
// Which coordinates count depends on the type of the image, which only the mangled name has.

#include "images.h"
#include "builtin_index.h"
#include "image.h"
#include "image_shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As SPIR-V numbers them.
enum { DIM_1D = 0, DIM_2D = 1, DIM_3D = 2, DIM_BUFFER = 5 };

struct image_type {
    unsigned dimension, is_array;
};

// "...spirv_Image__void_1_0_0_0_...": the type of texels, then numbers: dimension, depth, array.
static bool read_type(const char *mangled, struct image_type *type)
{
    static const char *const prefixes[] = {"spirv_Image__", "spirv_SampledImage__"};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        const char *at = strstr(mangled, prefixes[i]);
        if (at == NULL || (at = strchr(at + strlen(prefixes[i]), '_')) == NULL)
            continue;
        return sscanf(at, "_%u_%*u_%u", &type->dimension, &type->is_array) == 2;
    }
    return false;
}

static bool find_shape(const struct image_type *type, unsigned *shape)
{
    switch (type->dimension) {
    case DIM_1D:
    case DIM_BUFFER:
        *shape = type->is_array ? ZC_SHAPE_1D_ARRAY : ZC_SHAPE_1D;
        return true;
    case DIM_2D:
        *shape = type->is_array ? ZC_SHAPE_2D_ARRAY : ZC_SHAPE_2D;
        return true;
    case DIM_3D:
        *shape = ZC_SHAPE_3D;
        return true;
    default:
        return false;
    }
}

// ---- values ----

static LLVMTypeRef float_type(struct zc_build *build)
{
    return LLVMFloatTypeInContext(build->context);
}

static LLVMTypeRef element_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static unsigned size_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

static bool is_half(LLVMTypeRef type)
{
    return LLVMGetTypeKind(element_of(type)) == LLVMHalfTypeKind;
}

static LLVMValueRef element(struct zc_build *build, LLVMValueRef value, unsigned index)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind
               ? LLVMBuildExtractElement(build->builder, value, zc_const_i32(build, index), "")
               : value;
}

// Four elements; those that are missing are 0. Halfs become floats.
static LLVMValueRef widen(struct zc_build *build, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef wide = is_half(type) ? float_type(build) : element_of(type);
    LLVMValueRef result = LLVMConstNull(LLVMVectorType(wide, 4));
    for (unsigned i = 0; i < size_of(type) && i < 4; i++) {
        LLVMValueRef part = element(build, value, i);
        if (is_half(type))
            part = LLVMBuildFPExt(build->builder, part, wide, "");
        result = LLVMBuildInsertElement(build->builder, result, part, zc_const_i32(build, i), "");
    }
    return result;
}

// As many of four elements as the type has, and as wide.
static LLVMValueRef narrow(struct zc_build *build, LLVMValueRef value, LLVMTypeRef type)
{
    LLVMBuilderRef b = build->builder;
    const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef part_type = element_of(type);
    LLVMValueRef result = LLVMGetUndef(type);
    for (unsigned i = 0; i < size_of(type); i++) {
        LLVMValueRef part = element(build, value, i);
        if (LLVMGetTypeKind(part_type) == LLVMIntegerTypeKind)
            part = LLVMBuildIntCast2(b, part, part_type, false, "");
        else
            part = LLVMBuildFPCast(b, part, part_type, "");
        result =
            is_vector ? LLVMBuildInsertElement(b, result, part, zc_const_i32(build, i), "") : part;
    }
    return result;
}

static bool is_number(LLVMTypeRef type, bool *is_float)
{
    LLVMTypeRef part = element_of(type);
    const LLVMTypeKind kind = LLVMGetTypeKind(part);
    *is_float = kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind;
    return *is_float || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(part) == 32);
}

// ---- calls ----

// Those of integers are functions of the description's address, see images.cl.
static LLVMValueRef describe(struct zc_build *build, LLVMValueRef image, bool is_float)
{
    LLVMTypeRef constant = LLVMPointerTypeInContext(build->context, ZC_SPACE_CONSTANT);
    return is_float ? LLVMBuildAddrSpaceCast(build->builder, image, constant, "")
                    : LLVMBuildPtrToInt(build->builder, image, build->types.i64, "");
}

// Each takes LLVM some 20 ms where it blends, and a kernel of too many blocks has no loops over work-items.
#define MAX_INLINED_CALLS 48

// What is known of the arguments leaves little of the function.
static void inline_call(struct zc_build *build, LLVMValueRef call)
{
    if (build->inlined_image_calls++ < MAX_INLINED_CALLS)
        LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(build->context, zc_attribute_kind("alwaysinline"), 0));
}

static LLVMValueRef call(struct zc_build *build, const char *name, LLVMTypeRef result,
    LLVMValueRef *arguments, unsigned count, bool is_inlined)
{
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    const char *mangled = zc_builtin_find(name, type);
    if (mangled == NULL)
        return NULL;
    LLVMValueRef function = LLVMGetNamedFunction(build->module, mangled);
    if (function == NULL)
        function = LLVMAddFunction(build->module, mangled, type);
    LLVMValueRef value = LLVMBuildCall2(build->builder, type, function, arguments, count, "");
    if (is_inlined)
        inline_call(build, value);
    return value;
}

// `type` is what is wanted of it. NULL: there is no such function.
static LLVMValueRef read(struct zc_build *build, LLVMValueRef image, LLVMValueRef sampler,
    LLVMValueRef coordinates, unsigned shape, LLVMTypeRef type)
{
    bool is_float, samples;
    if (!is_number(type, &is_float) || !is_number(LLVMTypeOf(coordinates), &samples))
        return NULL;
    LLVMTypeRef part = is_float ? float_type(build) : build->types.i32;
    LLVMValueRef arguments[4] = {describe(build, image, is_float), sampler,
        widen(build, coordinates), zc_const_i32(build, shape)};
    LLVMValueRef value = call(build, samples ? "__spirv_zc_image_sample" : "__spirv_zc_image_fetch",
        LLVMVectorType(part, 4), arguments, 4, is_float && LLVMIsAConstantInt(sampler));
    return value != NULL ? narrow(build, value, type) : NULL;
}

// (image, coordinates, perhaps how integers are extended, which the image knows)
static LLVMValueRef emit_read(struct zc_build *build, LLVMValueRef use, unsigned shape)
{
    if (LLVMGetNumArgOperands(use) < 2 || LLVMGetNumArgOperands(use) > 3)
        return NULL;
    return read(build, LLVMGetOperand(use, 0), zc_const_i32(build, ZC_SAMPLER_ADDRESS_NONE),
        LLVMGetOperand(use, 1), shape, LLVMTypeOf(use));
}

// (image, coordinates, texel, perhaps how integers are extended)
static LLVMValueRef emit_write(struct zc_build *build, LLVMValueRef use, unsigned shape)
{
    bool is_float;
    if (LLVMGetNumArgOperands(use) < 3 || LLVMGetNumArgOperands(use) > 4 ||
        !is_number(LLVMTypeOf(LLVMGetOperand(use, 2)), &is_float))
        return NULL;
    LLVMValueRef arguments[4] = {describe(build, LLVMGetOperand(use, 0), is_float),
        widen(build, LLVMGetOperand(use, 1)), widen(build, LLVMGetOperand(use, 2)),
        zc_const_i32(build, shape)};
    return call(build, "__spirv_zc_image_write", build->types.void_type, arguments, 4, is_float);
}

static LLVMValueRef emit_size(struct zc_build *build, LLVMValueRef use, unsigned shape)
{
    LLVMValueRef arguments[2] = {
        describe(build, LLVMGetOperand(use, 0), true), zc_const_i32(build, shape)};
    LLVMValueRef size = call(
        build, "__spirv_zc_image_size", LLVMVectorType(build->types.i32, 4), arguments, 2, true);
    return size != NULL ? narrow(build, size, LLVMTypeOf(use)) : NULL;
}

static LLVMValueRef emit_query(struct zc_build *build, LLVMValueRef use, const char *name)
{
    LLVMValueRef image = describe(build, LLVMGetOperand(use, 0), true);
    return call(build, name, build->types.i32, &image, 1, true);
}

static LLVMValueRef emit_order(struct zc_build *build, LLVMValueRef use, unsigned shape)
{
    (void)shape;
    return emit_query(build, use, "__spirv_zc_image_order");
}

static LLVMValueRef emit_data_type(struct zc_build *build, LLVMValueRef use, unsigned shape)
{
    (void)shape;
    return emit_query(build, use, "__spirv_zc_image_data_type");
}

// No image has smaller ones of itself.
static LLVMValueRef emit_levels(struct zc_build *build, LLVMValueRef use, unsigned shape)
{
    (void)build, (void)shape;
    return LLVMConstInt(LLVMTypeOf(use), 1, false);
}

// ---- reading with a sampler ----

enum { SAMPLED_IMAGE, COORDINATES, OPERANDS, LEVEL, SAMPLE_PARAMETERS };

static bool is_zero(LLVMValueRef value)
{
    return LLVMIsConstant(value) && LLVMIsNull(value);
}

// Of the largest size of the image, which is the only one.
static bool reads_first_level(LLVMValueRef use)
{
    return LLVMGetNumArgOperands(use) == SAMPLE_PARAMETERS && is_zero(LLVMGetOperand(use, LEVEL));
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

// The call of "SampledImage", whose callee may have lost that name already.
static bool is_combination(LLVMValueRef value)
{
    return LLVMIsACallInst(value) && LLVMGetNumArgOperands(value) == 2 &&
           is_pointer(LLVMGetOperand(value, 0)) && is_pointer(LLVMGetOperand(value, 1));
}

static LLVMValueRef emit_sample(struct zc_build *build, LLVMValueRef use, unsigned shape)
{
    LLVMValueRef combination = LLVMGetOperand(use, SAMPLED_IMAGE);
    if (!reads_first_level(use) || !is_combination(combination))
        return NULL;
    LLVMValueRef number = LLVMBuildPtrToInt(
        build->builder, LLVMGetOperand(combination, 1), build->types.i64, "sampler");
    LLVMValueRef bits = LLVMBuildTrunc(build->builder, number, build->types.i32, "");
    return read(build, LLVMGetOperand(combination, 0), bits, LLVMGetOperand(use, COORDINATES),
        shape, LLVMTypeOf(use));
}

// ---- all of them ----

struct emitter {
    const char *name;
    // What takes the place of a call; NULL: there is no such function.
    LLVMValueRef (*emit)(struct zc_build *build, LLVMValueRef use, unsigned shape);
    bool has_type; // the name goes on with that of the result
};

static const struct emitter emitters[] = {
    {"__spirv_ImageSampleExplicitLod_R", emit_sample, true},
    {"__spirv_ImageRead_R", emit_read, true},
    {"__spirv_ImageWrite", emit_write, false},
    {"__spirv_ImageQuerySizeLod_R", emit_size, true},
    {"__spirv_ImageQuerySize_R", emit_size, true},
    {"__spirv_ImageQueryOrder", emit_order, false},
    {"__spirv_ImageQueryFormat", emit_data_type, false},
    {"__spirv_ImageQueryLevels", emit_levels, false},
};

static const struct emitter *find_emitter(const char *name)
{
    for (size_t i = 0; i < sizeof(emitters) / sizeof(emitters[0]); i++) {
        const struct emitter *emitter = &emitters[i];
        if (emitter->has_type ? zc_has_prefix(name, emitter->name)
                              : strcmp(name, emitter->name) == 0)
            return emitter;
    }
    return NULL;
}

static bool replace(
    struct zc_build *build, const struct emitter *emitter, LLVMValueRef use, unsigned shape)
{
    if (!LLVMIsACallInst(use))
        return false;
    LLVMPositionBuilderBefore(build->builder, use);
    LLVMValueRef value = emitter->emit(build, use, shape);
    if (value == NULL)
        return false;
    if (LLVMGetTypeKind(LLVMTypeOf(use)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(use, value);
    LLVMInstructionEraseFromParent(use);
    return true;
}

bool zc_is_image_builtin(const char *name)
{
    return zc_has_prefix(name, "__spirv_Image") || zc_has_prefix(name, "__spirv_SampledImage") ||
           zc_has_prefix(name, "__spirv_SubgroupImage");
}

// Nobody uses what combines an image and a sampler once its users are replaced, and nobody calls the others.
bool zc_image_define(
    struct zc_build *build, LLVMValueRef function, const char *name, const char *mangled)
{
    const struct emitter *emitter = find_emitter(name);
    struct image_type type;
    unsigned shape;
    if (strcmp(name, "__spirv_SampledImage") == 0) {
        LLVMBuildRet(
            build->builder, LLVMGetUndef(LLVMGetReturnType(LLVMGlobalGetValueType(function))));
        return true;
    }
    LLVMBuildUnreachable(build->builder);
    if (emitter == NULL || !read_type(mangled, &type) || !find_shape(&type, &shape))
        return false;
    LLVMUseRef use;
    bool ok = true;
    while (ok && (use = LLVMGetFirstUse(function)) != NULL)
        ok = replace(build, emitter, LLVMGetUser(use), shape);
    LLVMSetCurrentDebugLocation2(build->builder, NULL);
    return ok;
}

static bool uses_other_levels(LLVMValueRef function, const char *name)
{
    LLVMUseRef use = LLVMGetFirstUse(function); // the one that could not be replaced
    if (use == NULL || !LLVMIsACallInst(LLVMGetUser(use)))
        return false;
    LLVMValueRef call = LLVMGetUser(use);
    if (strcmp(name, "__spirv_ImageWrite") == 0)
        return LLVMGetNumArgOperands(call) > 4;
    return zc_has_prefix(name, "__spirv_ImageSample") && !reads_first_level(call);
}

// The table of instructions has no blocks of media.
const char *zc_image_refusal(LLVMValueRef function, const char *name)
{
    if (zc_has_prefix(name, "__spirv_SubgroupImage"))
        return "sub-groups can't read or write blocks of images";
    return uses_other_levels(function, name) ? "mipmaps are not supported" : NULL;
}

static LLVMValueRef sampler_of(struct zc_build *build, LLVMValueRef call)
{
    LLVMPositionBuilderBefore(build->builder, call);
    LLVMValueRef bits =
        LLVMBuildIntCast2(build->builder, LLVMGetOperand(call, 0), build->types.i64, false, "");
    return LLVMBuildIntToPtr(build->builder, bits, LLVMTypeOf(call), "");
}

void zc_samplers_define(struct zc_build *build)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, ZC_SAMPLER_INITIALIZER);
    LLVMUseRef use;
    while (function != NULL && (use = LLVMGetFirstUse(function)) != NULL) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMReplaceAllUsesWith(call, sampler_of(build, call));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMSetCurrentDebugLocation2(build->builder, NULL);
}
