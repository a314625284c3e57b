// SPDX-License-Identifier: MIT
//
// Kernel arguments: where each lies in the blob that the host fills, and how the wrapper reads it
// back. Also the sizes that the kernel's source demands.

#include "image.h"
#include "images.h"

#include <stdlib.h>
#include <string.h>

// The host promises no more for a blob.
#define BLOB_ALIGNMENT 8
#define DEFAULT_SUB_GROUP_SIZE 16
#define LOCAL_ADDRESS_SPACE 3

// The type of a struct that is passed by value, through a pointer; NULL for any other parameter.
static LLVMTypeRef by_value_type(LLVMValueRef function, unsigned index)
{
    LLVMAttributeRef attribute =
        LLVMGetEnumAttributeAtIndex(function, index + 1, zc_attribute_kind("byval"));
    return attribute != NULL ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static enum zc_argument_kind kind_of(LLVMValueRef function, unsigned index)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || by_value_type(function, index) != NULL)
        return ZC_ARGUMENT_VALUE;
    return LLVMGetPointerAddressSpace(type) == LOCAL_ADDRESS_SPACE ? ZC_ARGUMENT_LOCAL
                                                                   : ZC_ARGUMENT_GLOBAL;
}

static uint32_t align_up(uint32_t value, uint32_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

static void place_arguments(struct zc_build *build, LLVMValueRef body,
    struct zc_argument *arguments, struct zc_kernel *kernel)
{
    uint32_t offset = 0;
    for (unsigned i = 0; i < kernel->argument_count; i++) {
        LLVMTypeRef type = by_value_type(body, i);
        if (type == NULL)
            type = LLVMTypeOf(LLVMGetParam(body, i));
        uint32_t alignment = LLVMABIAlignmentOfType(build->layout, type);
        if (alignment < BLOB_ALIGNMENT)
            alignment = BLOB_ALIGNMENT;
        offset = align_up(offset, alignment);
        arguments[i] = (struct zc_argument){.kind = kind_of(body, i),
            .size = (uint32_t)LLVMABISizeOfType(build->layout, type),
            .offset = offset};
        zc_image_argument(body, i, &arguments[i]);
        if (arguments[i].kind == ZC_ARGUMENT_LOCAL && build->checks != 0)
            arguments[i].size = ZC_LOCAL_ARGUMENT_CHECKED;
        offset += arguments[i].size;
    }
    kernel->arguments = arguments;
    kernel->blob_size = align_up(offset, BLOB_ALIGNMENT);
}

// Reads up to three integers from a kernel's metadata of that name.
static void read_metadata(LLVMValueRef function, const char *name, uint32_t values[3])
{
    LLVMValueRef node = zc_note_of(function, name), operands[3];
    const unsigned count = node != NULL ? LLVMGetMDNodeNumOperands(node) : 0;
    if (count == 0 || count > 3)
        return;
    LLVMGetMDNodeOperands(node, operands);
    for (unsigned i = 0; i < count; i++)
        values[i] = (uint32_t)LLVMConstIntGetZExtValue(operands[i]);
}

static bool choose_sub_group_size(struct zc_build *build, struct zc_kernel *kernel)
{
    const uint32_t possible = 2 * ZC_MAX_SUB_GROUP_SIZE - 1;
    const uint32_t offered = build->features->sub_group_sizes & possible;
    const uint32_t wanted = kernel->required_sub_group_size;
    if (wanted != 0 && !(offered & wanted && (wanted & (wanted - 1)) == 0)) {
        zc_log_add(&build->log,
            "error: function '%s': sub-group size %u is not supported by device '%s'", kernel->name,
            wanted, build->features->device_name);
        return false;
    }
    kernel->sub_group_size = wanted;
    if (wanted == 0)
        kernel->sub_group_size = offered == 0 || (offered & DEFAULT_SUB_GROUP_SIZE)
                                     ? DEFAULT_SUB_GROUP_SIZE
                                     : offered & -offered;
    return true;
}

bool zc_arguments_describe(struct zc_build *build, struct zc_kernel_build *kernel)
{
    struct zc_kernel *public = kernel->info;
    public->argument_count = LLVMCountParams(kernel->body);
    struct zc_argument *arguments = calloc(public->argument_count + 1, sizeof(*arguments));
    if (arguments == NULL)
        return false;
    place_arguments(build, kernel->body, arguments, public);
    read_metadata(kernel->body, "reqd_work_group_size", public->required_group_size);
    uint32_t sub_group_size[3] = {0};
    read_metadata(kernel->body, "intel_reqd_sub_group_size", sub_group_size);
    public->required_sub_group_size = sub_group_size[0];
    return choose_sub_group_size(build, public);
}

static LLVMValueRef copy_struct(
    struct zc_build *build, struct zc_kernel_build *kernel, unsigned index, LLVMValueRef address)
{
    LLVMTypeRef type = by_value_type(kernel->body, index);
    LLVMBasicBlockRef current = LLVMGetInsertBlock(build->builder);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel->wrapper));
    LLVMPositionBuilderBefore(build->builder, first);
    LLVMValueRef copy = LLVMBuildAlloca(build->builder, type, "by_value");
    const unsigned alignment = LLVMABIAlignmentOfType(build->layout, type);
    LLVMSetAlignment(copy, alignment < BLOB_ALIGNMENT ? BLOB_ALIGNMENT : alignment);
    LLVMPositionBuilderAtEnd(build->builder, current);
    LLVMBuildMemCpy(build->builder, copy, LLVMGetAlignment(copy), address, BLOB_ALIGNMENT,
        zc_const_i64(build, LLVMABISizeOfType(build->layout, type)));
    return copy;
}

static LLVMValueRef load_local_pointer(
    struct zc_build *build, struct zc_kernel_build *kernel, LLVMTypeRef type, LLVMValueRef address)
{
    LLVMValueRef offset = LLVMBuildLoad2(build->builder, build->types.i64, address, "offset");
    return zc_local_pointer(build, kernel, offset, type);
}

// Keeps the pointer and the size of what it points to for those who check accesses.
static void note_local_argument(struct zc_build *build, struct zc_kernel_build *kernel,
    unsigned index, LLVMValueRef pointer, LLVMValueRef address)
{
    if (kernel->local_arguments == NULL)
        return;
    LLVMValueRef size =
        LLVMBuildLoad2(build->builder, build->types.i64, zc_byte_offset(build, address, 8), "size");
    kernel->local_arguments[kernel->local_argument_count++] =
        (struct zc_local_argument){pointer, size, index};
}

static LLVMValueRef load_value(struct zc_build *build, LLVMTypeRef type, LLVMValueRef address)
{
    LLVMValueRef value = LLVMBuildLoad2(build->builder, type, address, "");
    const unsigned alignment = LLVMABIAlignmentOfType(build->layout, type);
    LLVMSetAlignment(value, alignment < BLOB_ALIGNMENT ? alignment : BLOB_ALIGNMENT);
    return value;
}

static void set_number(
    struct zc_build *build, LLVMValueRef instruction, const char *name, uint64_t number)
{
    LLVMMetadataRef value = LLVMValueAsMetadata(zc_const_i64(build, number));
    LLVMSetMetadata(instruction,
        LLVMGetMDKindIDInContext(build->context, name, (unsigned)strlen(name)),
        LLVMMetadataAsValue(build->context, LLVMMDNodeInContext2(build->context, &value, 1)));
}

// The description may be read before it is known whether the work-item needs it: out of the loop over work-items.
static LLVMValueRef load_image(struct zc_build *build, LLVMTypeRef type, LLVMValueRef address)
{
    LLVMValueRef image = load_value(build, type, address);
    set_number(build, image, "dereferenceable", sizeof(struct zc_image));
    set_number(build, image, "align", _Alignof(struct zc_image));
    return image;
}

void zc_arguments_load(struct zc_build *build, struct zc_kernel_build *kernel, LLVMValueRef *values)
{
    const struct zc_kernel *public = kernel->info;
    LLVMValueRef blob = LLVMGetParam(kernel->wrapper, ZC_WRAPPER_BLOB);
    if (build->checks != 0)
        kernel->local_arguments =
            calloc(public->argument_count + 1, sizeof(*kernel->local_arguments));
    for (unsigned i = 0; i < public->argument_count; i++) {
        const struct zc_argument *argument = &public->arguments[i];
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel->body, i));
        LLVMValueRef address = zc_byte_offset(build, blob, argument->offset);
        if (by_value_type(kernel->body, i) != NULL)
            values[i] = address;
        else if (argument->kind == ZC_ARGUMENT_LOCAL) {
            values[i] = load_local_pointer(build, kernel, type, address);
            note_local_argument(build, kernel, i, values[i], address);
        } else if (argument->kind == ZC_ARGUMENT_IMAGE)
            values[i] = load_image(build, type, address);
        else
            values[i] = load_value(build, type, address);
    }
}

void zc_arguments_call_body(
    struct zc_build *build, struct zc_kernel_build *kernel, LLVMValueRef *values)
{
    const unsigned count = kernel->info->argument_count;
    for (unsigned i = 0; i < count; i++) {
        if (by_value_type(kernel->body, i) != NULL)
            values[i] = copy_struct(build, kernel, i, values[i]);
    }
    LLVMBuildCall2(
        build->builder, LLVMGlobalGetValueType(kernel->body), kernel->body, values, count, "");
}
