// SPDX-License-Identifier: MIT
//
// The index over the builtins: read once, sorted, then only searched.

#include "builtin_index.h"
#include "build.h"
#include "llvm_versions.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>

// Made by builtins/prepare.c.
extern const unsigned char zc_builtins_bitcode[];
extern const size_t zc_builtins_bitcode_size;

struct entry {
    char *key; // SPIR-V name, blank, LLVM type
    char *mangled;
};

static struct entry *entries;
static size_t entry_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static char *make_key(const char *name, LLVMTypeRef type)
{
    char *key = NULL;
    char *text = LLVMPrintTypeToString(type);
    if (asprintf(&key, "%s %s", name, text) < 0)
        key = NULL;
    LLVMDisposeMessage(text);
    return key;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

LLVMModuleRef zc_builtin_module(LLVMContextRef context)
{
    LLVMModuleRef module = NULL;
    LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRange(
        (const char *)zc_builtins_bitcode, zc_builtins_bitcode_size, "builtins", false);
    if (LLVMGetBitcodeModuleInContext2(context, bytes, &module)) {
        LLVMDisposeMemoryBuffer(bytes);
        return NULL;
    }
    return module; // owns the buffer
}

static size_t count_functions(LLVMModuleRef module)
{
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        count++;
    return count;
}

// Functions that have no name in SPIR-V (opencl_names.cl) have their mangled one as a key.
static void add_entry(LLVMValueRef function)
{
    char name[128];
    size_t length;
    const char *mangled = LLVMGetValueName2(function, &length);
    if (LLVMIsDeclaration(function) || LLVMGetLinkage(function) != LLVMLinkOnceODRLinkage)
        return;
    const bool has_name = zc_builtin_name(mangled, name, sizeof(name));
    struct entry entry = {
        .key = has_name ? make_key(name, LLVMGlobalGetValueType(function)) : strdup(mangled),
        .mangled = strdup(mangled)};
    if (entry.key != NULL && entry.mangled != NULL)
        entries[entry_count++] = entry;
}

static void read_index(void)
{
    LLVMContextRef context = zc_create_context();
    LLVMModuleRef module = zc_builtin_module(context);
    if (module != NULL) {
        entries = calloc(count_functions(module) + 1, sizeof(*entries));
        for (LLVMValueRef f = LLVMGetFirstFunction(module); entries != NULL && f;
             f = LLVMGetNextFunction(f))
            add_entry(f);
        if (entries != NULL)
            qsort(entries, entry_count, sizeof(*entries), compare);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
}

static const struct entry *find(char *key)
{
    pthread_once(&once, read_index);
    const struct entry wanted = {.key = key};
    return entries != NULL && key != NULL
               ? bsearch(&wanted, entries, entry_count, sizeof(*entries), compare)
               : NULL;
}

const char *zc_builtin_find(const char *name, LLVMTypeRef type)
{
    char *key = make_key(name, type);
    const struct entry *found = find(key);
    free(key);
    return found != NULL ? found->mangled : NULL;
}

bool zc_builtin_is_mangled(const char *name)
{
    char *key = strdup(name);
    const struct entry *found = find(key);
    free(key);
    return found != NULL;
}

struct refusal {
    const char *part; // of names
    const char *what;
};

const char *zc_builtin_refusal(const char *name)
{
    static const struct refusal refusals[] = {{"JointMatrix", "joint matrices are not supported"},
        {"SubgroupAvc", "motion estimation is not supported"}};
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        if (strstr(name, refusals[i].part) != NULL)
            return refusals[i].what;
    }
    return NULL;
}
