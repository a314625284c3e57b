// SPDX-License-Identifier: MIT
//
// Gives every builtin that a module calls a body.
//
// builtins/ has scalar functions, mostly for float and double. What a module calls is made of them:
// - a vector function calls the scalar one for each element;
// - a half function calls the float one (float is wide enough that rounding twice gives the
//   correctly rounded result of its basic operations);
// - pointers of any address space are cast to the generic one, which the builtins take.
//
// What OpenCL C cannot say well, such as atomics, comes from generate.c. What has no body then fails
// the build by name.

#include "build.h"
#include "builtin_index.h"
#include "images.h"
#include "llvm_versions.h"
#include "target.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Linker.h>

#define MAX_PARAMETERS 8
#define GENERIC_ADDRESS_SPACE 4

// A call of a builtin: what is asked for, in LLVM's values.
struct request {
    char name[128];
    LLVMTypeRef result;
    LLVMTypeRef types[MAX_PARAMETERS];
    LLVMValueRef arguments[MAX_PARAMETERS];
    unsigned count;
};

static LLVMValueRef emit(struct zc_build *build, const struct request *request);

// "_Z15__spirv_ocl_sinf": prefix, length, name, parameters.
bool zc_builtin_name(const char *mangled, char *name, size_t size)
{
    if (!zc_has_prefix(mangled, "_Z") || !isdigit((unsigned char)mangled[2]))
        return false;
    char *start;
    const unsigned long length = strtoul(mangled + 2, &start, 10);
    if (!zc_has_prefix(start, "__spirv_") || length > strlen(start))
        return false;
    if (name == NULL)
        return true;
    const int written = snprintf(name, size, "%.*s", (int)length, start);
    return written > 0 && (size_t)written < size;
}

static bool is_pointer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

static bool is_half(LLVMTypeRef type)
{
    return LLVMGetTypeKind(is_vector(type) ? LLVMGetElementType(type) : type) == LLVMHalfTypeKind;
}

static LLVMTypeRef generic_pointer(struct zc_build *build)
{
    return LLVMPointerTypeInContext(build->context, GENERIC_ADDRESS_SPACE);
}

static LLVMTypeRef function_type(struct zc_build *build, const struct request *request)
{
    LLVMTypeRef types[MAX_PARAMETERS];
    for (unsigned i = 0; i < request->count; i++)
        types[i] = is_pointer(request->types[i]) ? generic_pointer(build) : request->types[i];
    return LLVMFunctionType(request->result, types, request->count, false);
}

// The builtin exists exactly as asked for.
static LLVMValueRef emit_call(struct zc_build *build, const struct request *request)
{
    LLVMTypeRef type = function_type(build, request);
    const char *mangled = zc_builtin_find(request->name, type);
    if (mangled == NULL)
        return NULL;
    LLVMValueRef function = LLVMGetNamedFunction(build->module, mangled);
    if (function == NULL)
        function = LLVMAddFunction(build->module, mangled, type);
    LLVMValueRef arguments[MAX_PARAMETERS];
    for (unsigned i = 0; i < request->count; i++) {
        arguments[i] = request->arguments[i];
        if (is_pointer(request->types[i]))
            arguments[i] =
                LLVMBuildAddrSpaceCast(build->builder, arguments[i], generic_pointer(build), "");
    }
    return LLVMBuildCall2(build->builder, type, function, arguments, request->count, "");
}

static LLVMTypeRef widened(struct zc_build *build, LLVMTypeRef type)
{
    LLVMTypeRef float_type = LLVMFloatTypeInContext(build->context);
    if (!is_half(type))
        return type;
    return is_vector(type) ? LLVMVectorType(float_type, LLVMGetVectorSize(type)) : float_type;
}

// Does the function write its floating-point results through a pointer? Then the pointee's type
// matters.
static bool has_float_pointer(const struct request *request)
{
    static const char *const names[] = {"fract", "modf", "sincos"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(request->name + strlen("__spirv_ocl_"), names[i]) == 0)
            return true;
    }
    return false;
}

static bool uses_half(const struct request *request)
{
    bool half = is_half(request->result);
    for (unsigned i = 0; i < request->count; i++)
        half |= is_half(request->types[i]);
    return half;
}

static LLVMValueRef emit_through_float(struct zc_build *build, const struct request *request)
{
    if (!uses_half(request) ||
        (zc_has_prefix(request->name, "__spirv_ocl_") && has_float_pointer(request)))
        return NULL;
    struct request wide = *request;
    wide.result = widened(build, request->result);
    for (unsigned i = 0; i < request->count; i++) {
        wide.types[i] = widened(build, request->types[i]);
        if (wide.types[i] != request->types[i])
            wide.arguments[i] =
                LLVMBuildFPExt(build->builder, request->arguments[i], wide.types[i], "");
    }
    LLVMValueRef result = emit(build, &wide);
    if (result == NULL || wide.result == request->result)
        return result;
    return LLVMBuildFPTrunc(build->builder, result, request->result, "");
}

// "__spirv_ConvertFToU_Ruchar4_sat": the scalar function's name has no 4.
static void drop_vector_size(char *name)
{
    char *type = strstr(name, "_R");
    if (type == NULL)
        return;
    type += strlen("_R");
    while (isalpha((unsigned char)*type))
        type++;
    char *rest = type;
    while (isdigit((unsigned char)*rest))
        rest++;
    memmove(type, rest, strlen(rest) + 1);
}

static unsigned vector_size(const struct request *request)
{
    if (is_vector(request->result))
        return LLVMGetVectorSize(request->result);
    return 0;
}

// What a pointer points to, as far as elementwise functions have pointers at all.
static LLVMTypeRef pointee(struct zc_build *build, const struct request *scalar)
{
    const char *name = scalar->name;
    const bool integer = strstr(name, "frexp") || strstr(name, "remquo") || strstr(name, "lgamma");
    return integer ? build->types.i32 : scalar->result;
}

static LLVMValueRef emit_element(
    struct zc_build *build, const struct request *request, unsigned index)
{
    struct request scalar = *request;
    drop_vector_size(scalar.name);
    scalar.result = LLVMGetElementType(request->result);
    for (unsigned i = 0; i < request->count; i++) {
        LLVMValueRef position = zc_const_i32(build, index);
        if (is_pointer(request->types[i])) {
            scalar.arguments[i] = LLVMBuildGEP2(
                build->builder, pointee(build, &scalar), request->arguments[i], &position, 1, "");
        } else if (is_vector(request->types[i])) {
            scalar.types[i] = LLVMGetElementType(request->types[i]);
            scalar.arguments[i] =
                LLVMBuildExtractElement(build->builder, request->arguments[i], position, "");
        }
    }
    LLVMValueRef result = emit(build, &scalar);
    if (result != NULL || scalar.result != build->types.i8)
        return result;
    // Relational functions: bool for scalars, char for elements of vectors.
    scalar.result = build->types.i1;
    result = emit(build, &scalar);
    return result != NULL ? LLVMBuildSExt(build->builder, result, build->types.i8, "") : NULL;
}

static LLVMValueRef emit_elementwise(struct zc_build *build, const struct request *request)
{
    const unsigned size = vector_size(request);
    if (size == 0)
        return NULL;
    LLVMValueRef result = LLVMGetUndef(request->result);
    for (unsigned i = 0; i < size; i++) {
        LLVMValueRef element = emit_element(build, request, i);
        if (element == NULL)
            return NULL;
        result =
            LLVMBuildInsertElement(build->builder, result, element, zc_const_i32(build, i), "");
    }
    return result;
}

static LLVMValueRef emit(struct zc_build *build, const struct request *request)
{
    LLVMValueRef result = emit_call(build, request);
    if (result == NULL)
        result = emit_through_float(build, request);
    if (result == NULL)
        result = emit_elementwise(build, request);
    if (result == NULL)
        result = zc_whole_vectors_call(
            build, request->name, request->result, request->arguments, request->count);
    return result;
}

static bool read_request(LLVMValueRef function, const char *name, struct request *request)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    *request =
        (struct request){.count = LLVMCountParams(function), .result = LLVMGetReturnType(type)};
    snprintf(request->name, sizeof(request->name), "%s", name);
    if (request->count > MAX_PARAMETERS || LLVMIsFunctionVarArg(type))
        return false;
    LLVMGetParams(function, request->arguments);
    LLVMGetParamTypes(type, request->types);
    return true;
}

static bool define_from_builtins(struct zc_build *build, LLVMValueRef function, const char *name)
{
    struct request request;
    if (!read_request(function, name, &request))
        return false;
    LLVMValueRef result = emit(build, &request);
    if (result == NULL)
        return false;
    if (LLVMGetTypeKind(request.result) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(build->builder);
    else
        LLVMBuildRet(build->builder, result);
    return true;
}

LLVMValueRef zc_builtins_call(struct zc_build *build, const char *name, LLVMTypeRef result,
    LLVMValueRef *arguments, unsigned count)
{
    struct request request = {.result = result, .count = count};
    snprintf(request.name, sizeof(request.name), "%s", name);
    for (unsigned i = 0; i < count; i++) {
        request.arguments[i] = arguments[i];
        request.types[i] = LLVMTypeOf(arguments[i]);
    }
    return emit(build, &request);
}

static bool define(struct zc_build *build, LLVMValueRef function, const char *mangled)
{
    char name[128];
    if (!zc_builtin_name(mangled, name, sizeof(name)))
        return false;
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(build->context, function, "entry");
    LLVMPositionBuilderAtEnd(build->builder, entry);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    if (strcmp(name, "__spirv_GroupAsyncCopy") == 0)
        return zc_async_copy_define(build, function, mangled);
    if (zc_is_image_builtin(name))
        return zc_image_define(build, function, name, mangled);
    return zc_builtins_generate(build, function, name) ||
           define_from_builtins(build, function, name);
}

// Frees the builtin's own name for the builtin. NULL: not the name of one, or out of memory.
static char *take_name(LLVMValueRef function)
{
    size_t length;
    const char *mangled = LLVMGetValueName2(function, &length);
    if (!LLVMIsDeclaration(function) || !zc_builtin_name(mangled, NULL, 0))
        return NULL;
    char *name = strdup(mangled);
    LLVMSetValueName2(function, "builtin", strlen("builtin"));
    return name;
}

// The SPIR-V opcode or function, as a person would look for it.
static void log_missing(struct zc_build *build, LLVMValueRef function, const char *mangled)
{
    char name[128] = "";
    zc_builtin_name(mangled, name, sizeof(name));
    const char *reason = zc_image_refusal(function, name);
    if (reason == NULL)
        reason = zc_builtin_refusal(name);
    zc_log_add(&build->log, "error: builtin '%s' (%s) is not available%s%s",
        name[0] != '\0' ? name + strlen("__spirv_") : mangled, mangled, reason ? ": " : "",
        reason ? reason : "");
}

// Attributes of a declaration (that it touches no memory and the like) were made for SPIR-V's view of the function,
// not for its body.
static void drop_attributes(LLVMValueRef function)
{
    static const char *const unwanted[] = {ZC_MEMORY_ATTRIBUTES};
    for (size_t i = 0; i < sizeof(unwanted) / sizeof(unwanted[0]); i++)
        LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            zc_attribute_kind(unwanted[i]));
}

static bool define_used(struct zc_build *build, LLVMValueRef function, const char *mangled)
{
    if (LLVMGetFirstUse(function) == NULL)
        return true;
    drop_attributes(function);
    if (define(build, function, mangled))
        return true;
    log_missing(build, function, mangled);
    return false;
}

// All names are taken before the first body is made: a body may call what another function is
// named.
static bool define_all(struct zc_build *build, LLVMValueRef *functions, size_t count)
{
    char **names = calloc(count + 1, sizeof(*names));
    if (names == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        names[i] = take_name(functions[i]);
    bool ok = true;
    for (size_t i = 0; i < count; i++)
        ok &= names[i] == NULL || define_used(build, functions[i], names[i]);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return ok;
}

static LLVMValueRef *list_functions(struct zc_build *build, size_t *count)
{
    *count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f))
        ++*count;
    LLVMValueRef *functions = calloc(*count + 1, sizeof(*functions));
    size_t i = 0;
    for (LLVMValueRef f = functions ? LLVMGetFirstFunction(build->module) : NULL; f;
         f = LLVMGetNextFunction(f))
        functions[i++] = f;
    return functions;
}

static bool link_builtins(struct zc_build *build)
{
    LLVMModuleRef builtins = zc_builtin_module(build->context);
    if (builtins == NULL) {
        zc_log_add(&build->log, "error: the builtins cannot be read");
        return false;
    }
    LLVMSetTarget(builtins, zc_target()->triple);
    LLVMSetDataLayout(builtins, zc_target()->layout);
    return !LLVMLinkModules2(build->module, builtins);
}

// The builtins came as linkonce_odr, so that only what is called was linked; from here on they are
// ours.
static void close_builtins(struct zc_build *build)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMGetLinkage(f) == LLVMLinkOnceODRLinkage)
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

bool zc_builtins_resolve(struct zc_build *build)
{
    size_t count;
    zc_samplers_define(build);
    LLVMValueRef *functions = list_functions(build, &count);
    const bool ok = functions != NULL && define_all(build, functions, count);
    free(functions);
    if (!ok || !link_builtins(build))
        return false;
    close_builtins(build);
    zc_module_normalise(build->module);
    return true;
}
