// SPDX-License-Identifier: MIT
// Modules: the SPIR-V that they were given, read but not compiled. Their native binary is that
// SPIR-V again; one that tests make may have "ZECPUBIN" before it, so that it is known as native.
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards these lists
static struct noop_global_buffer *all_globals;           // newest first
static ze_module_handle_t all_modules;                   // newest first; guarded by lock, too

static ze_result_t create_log(const char *text, ze_module_build_log_handle_t *log)
{
    if (log == NULL)
        return ZE_RESULT_SUCCESS;
    const ze_result_t result = NOOP_CREATE(NOOP_BUILD_LOG, log);
    if (result == ZE_RESULT_SUCCESS)
        (*log)->text = text;
    return result;
}

static ze_result_t binary_init(struct noop_binary *binary, const void *input, size_t size)
{
    static const char mark[] = "ZECPUBIN";
    if (size >= sizeof mark - 1 && memcmp(input, mark, sizeof mark - 1) == 0) {
        input = (const char *)input + sizeof mark - 1;
        size -= sizeof mark - 1;
    }
    binary->words = malloc(size + 1);
    if (binary->words == NULL)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    memcpy(binary->words, input, size);
    binary->size = size;
    return noop_spirv_init(&binary->spirv, binary->words, size / sizeof(uint32_t));
}

static void binaries_destroy(struct noop_binary *binaries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        noop_spirv_finish(&binaries[i].spirv);
        free(binaries[i].words);
    }
    free(binaries);
}

static ze_result_t binaries_create(
    uint32_t count, const size_t *sizes, const uint8_t **inputs, struct noop_binary **binaries)
{
    *binaries = calloc(count + 1u, sizeof **binaries);
    if (*binaries == NULL)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const ze_result_t result = binary_init(&(*binaries)[i], inputs[i], sizes[i]);
        if (result == ZE_RESULT_SUCCESS)
            continue;
        // noop_spirv_finish accepts what a failed init left: the one that failed goes too.
        (*binaries)[i].spirv = (struct noop_spirv){0};
        binaries_destroy(*binaries, i + 1);
        return result;
    }
    return ZE_RESULT_SUCCESS;
}

static const ze_module_program_exp_desc_t *program_of(const ze_module_desc_t *desc)
{
    const ze_base_desc_t *next = desc->pNext;
    while (next != NULL && next->stype != ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC)
        next = next->pNext;
    return (const void *)next;
}

static ze_result_t read_inputs(
    const ze_module_desc_t *desc, uint32_t *count, struct noop_binary **binaries)
{
    const ze_module_program_exp_desc_t *program = program_of(desc);
    if (program == NULL) {
        const uint8_t *input = desc->pInputModule;
        *count = 1;
        return binaries_create(1, &desc->inputSize, &input, binaries);
    }
    *count = program->count;
    return binaries_create(program->count, program->inputSizes, program->pInputModules, binaries);
}

static bool has_symbol(const struct noop_binary *binary, const char *name, bool import)
{
    for (size_t i = 0; i < binary->spirv.symbol_count; i++) {
        const struct noop_spirv_symbol *symbol = &binary->spirv.symbols[i];
        if (symbol->import == import && strcmp(symbol->name, name) == 0)
            return true;
    }
    return false;
}

// As Intel's drivers, which say nothing more of it than that the build has failed.
static bool defines_twice(const struct noop_binary *binaries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (size_t j = 0; j < binaries[i].spirv.symbol_count; j++) {
            const struct noop_spirv_symbol *symbol = &binaries[i].spirv.symbols[j];
            for (uint32_t k = i + 1; k < count && !symbol->import; k++)
                if (has_symbol(&binaries[k], symbol->name, false))
                    return true;
        }
    return false;
}

static uint32_t count_binaries(const char *name, bool import)
{
    uint32_t count = 0;
    pthread_mutex_lock(&lock);
    for (ze_module_handle_t module = all_modules; module != NULL; module = module->next)
        for (uint32_t i = 0; i < module->binary_count; i++)
            count += has_symbol(&module->binaries[i], name, import);
    pthread_mutex_unlock(&lock);
    return count;
}

uint32_t noop_importers(const char *symbol)
{
    return count_binaries(symbol, true);
}

uint32_t noop_exporters(const char *symbol)
{
    return count_binaries(symbol, false);
}

static void list_module(ze_module_handle_t module)
{
    pthread_mutex_lock(&lock);
    module->next = all_modules;
    all_modules = module;
    pthread_mutex_unlock(&lock);
}

static void unlist_module(ze_module_handle_t module)
{
    pthread_mutex_lock(&lock);
    ze_module_handle_t *place = &all_modules;
    while (*place != module)
        place = &(*place)->next;
    *place = module->next;
    pthread_mutex_unlock(&lock);
}

static ze_result_t create_module(const ze_module_desc_t *desc, ze_module_handle_t *module)
{
    struct noop_binary *binaries;
    uint32_t count;
    ze_result_t result = read_inputs(desc, &count, &binaries);
    if (result != ZE_RESULT_SUCCESS)
        return result;
    result = defines_twice(binaries, count) ? ZE_RESULT_ERROR_MODULE_BUILD_FAILURE
                                            : NOOP_CREATE(NOOP_MODULE, module);
    if (result != ZE_RESULT_SUCCESS) {
        binaries_destroy(binaries, count);
        return result;
    }
    (*module)->binaries = binaries;
    (*module)->binary_count = count;
    const bool native =
        desc->format == ZE_MODULE_FORMAT_NATIVE; // which was a library, or is not asked
    (*module)->library = native || (desc->pBuildFlags != NULL &&
                                       strstr(desc->pBuildFlags, "-library-compilation") != NULL);
    list_module(*module);
    return ZE_RESULT_SUCCESS;
}

static char last_flags[1024]; // guarded by lock, as are these

enum { INPUTS = 8, CONSTANTS = 16 };
static struct noop_constant last_constants[INPUTS][CONSTANTS];
static uint32_t last_constant_counts[INPUTS];

static void note_flags(const char *flags)
{
    pthread_mutex_lock(&lock);
    snprintf(last_flags, sizeof last_flags, "%s", flags != NULL ? flags : "");
    pthread_mutex_unlock(&lock);
}

static uint64_t formats[2]; // created of SPIR-V, of native binaries

static void note_format(ze_module_format_t format)
{
    pthread_mutex_lock(&lock);
    formats[format == ZE_MODULE_FORMAT_NATIVE]++;
    pthread_mutex_unlock(&lock);
}

static uint64_t count_format(ze_module_format_t format)
{
    pthread_mutex_lock(&lock);
    const uint64_t count = formats[format == ZE_MODULE_FORMAT_NATIVE];
    pthread_mutex_unlock(&lock);
    return count;
}

uint64_t noop_compilations(void)
{
    return count_format(ZE_MODULE_FORMAT_IL_SPIRV);
}

uint64_t noop_native_loads(void)
{
    return count_format(ZE_MODULE_FORMAT_NATIVE);
}

void noop_modules_reset(void)
{
    pthread_mutex_lock(&lock);
    memset(formats, 0, sizeof formats);
    pthread_mutex_unlock(&lock);
}

void noop_build_flags(char *buffer, size_t size)
{
    pthread_mutex_lock(&lock);
    snprintf(buffer, size, "%s", last_flags);
    pthread_mutex_unlock(&lock);
}

static void note_constants_of(uint32_t input, const ze_module_constants_t *constants)
{
    const uint32_t count = constants != NULL ? constants->numConstants : 0;
    last_constant_counts[input] = count;
    for (uint32_t i = 0; i < count && i < CONSTANTS; i++) {
        struct noop_constant *noted = &last_constants[input][i];
        noted->id = constants->pConstantIds[i];
        memcpy(&noted->value, constants->pConstantValues[i], sizeof noted->value);
    }
}

static void note_constants(const ze_module_desc_t *desc)
{
    const ze_module_program_exp_desc_t *program = program_of(desc);
    pthread_mutex_lock(&lock);
    memset(last_constant_counts, 0, sizeof last_constant_counts);
    if (program == NULL)
        note_constants_of(0, desc->pConstants);
    for (uint32_t i = 0; program != NULL && i < program->count && i < INPUTS; i++)
        note_constants_of(i, program->pConstants != NULL ? program->pConstants[i] : NULL);
    pthread_mutex_unlock(&lock);
}

uint32_t noop_constants(uint32_t input, struct noop_constant *constants, uint32_t capacity)
{
    pthread_mutex_lock(&lock);
    const uint32_t count = input < INPUTS ? last_constant_counts[input] : 0;
    for (uint32_t i = 0; i < count && i < capacity && i < CONSTANTS; i++)
        constants[i] = last_constants[input][i];
    pthread_mutex_unlock(&lock);
    return count;
}

// As drivers do, this hands out a build log whether or not the build succeeds, also where the
// failure was planned.
ze_result_t noop_zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_module_desc_t *desc, ze_module_handle_t *module, ze_module_build_log_handle_t *log)
{
    (void)context, (void)device;
    ze_result_t result = noop_enter(NOOP_zeModuleCreate);
    note_format(desc->format);
    note_flags(desc->pBuildFlags);
    note_constants(desc);
    const bool planned = result != ZE_RESULT_SUCCESS;
    if (!planned)
        result = create_module(desc, module);

    const bool foreign =
        !planned && result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE && desc->pNext == NULL;
    const char *text = foreign ? "error: the input is not SPIR-V\n" : noop_config_get().build_log;
    const ze_result_t log_result = create_log(text, log);
    return result != ZE_RESULT_SUCCESS ? result : log_result;
}

static void forget_global(const struct noop_global_buffer *global)
{
    struct noop_global_buffer **place = &all_globals;
    while (*place != global)
        place = &(*place)->next_of_all;
    *place = global->next_of_all;
}

static void destroy_globals(struct noop_global_buffer *globals)
{
    pthread_mutex_lock(&lock);
    while (globals != NULL) {
        struct noop_global_buffer *global = globals;
        globals = global->next_of_module;
        forget_global(global);
        free(global->name);
        free(global);
    }
    pthread_mutex_unlock(&lock);
}

ze_result_t noop_zeModuleDestroy(ze_module_handle_t module)
{
    const ze_result_t planned = noop_enter(NOOP_zeModuleDestroy);
    if (module == NULL)
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    noop_object_check(module, NOOP_MODULE);
    unlist_module(module);
    destroy_globals(module->globals);
    binaries_destroy(module->binaries, module->binary_count);
    return noop_object_end(module, NOOP_MODULE, planned);
}

static bool exported(ze_module_handle_t module, const char *name)
{
    for (uint32_t i = 0; i < module->binary_count; i++)
        if (has_symbol(&module->binaries[i], name, false))
            return true;
    return false;
}

// Is there something in the library that the module imports?
static bool wants_from(ze_module_handle_t module, ze_module_handle_t library)
{
    for (uint32_t i = 0; i < module->binary_count; i++)
        for (size_t j = 0; j < module->binaries[i].spirv.symbol_count; j++) {
            const struct noop_spirv_symbol *symbol = &module->binaries[i].spirv.symbols[j];
            if (symbol->import && exported(library, symbol->name))
                return true;
        }
    return false;
}

// Only what was compiled for it can be linked to.
static bool can_link(ze_module_handle_t *modules, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            if (i != j && !modules[j]->library && wants_from(modules[i], modules[j]))
                return false;
    return true;
}

// Whatever the modules import counts as found in the others.
ze_result_t noop_zeModuleDynamicLink(
    uint32_t count, ze_module_handle_t *modules, ze_module_build_log_handle_t *log)
{
    ze_result_t planned = noop_enter(NOOP_zeModuleDynamicLink);
    if (planned == ZE_RESULT_SUCCESS && !can_link(modules, count))
        planned = ZE_RESULT_ERROR_MODULE_LINK_FAILURE;
    for (uint32_t i = 0; planned == ZE_RESULT_SUCCESS && i < count; i++)
        modules[i]->linked = true;
    const ze_result_t log_result = create_log(noop_config_get().build_log, log);
    return planned != ZE_RESULT_SUCCESS ? planned : log_result;
}

ze_result_t noop_zeModuleGetNativeBinary(ze_module_handle_t module, size_t *size, uint8_t *binary)
{
    NOOP_ENTER(zeModuleGetNativeBinary);
    if (module->binary_count != 1)
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    const struct noop_binary *only = &module->binaries[0];
    if (binary != NULL && *size >= only->size)
        memcpy(binary, only->words, only->size);
    *size = only->size;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeModuleGetKernelNames(
    ze_module_handle_t module, uint32_t *count, const char **names)
{
    NOOP_ENTER(zeModuleGetKernelNames);
    const char *left_out = noop_config_get().left_out;
    uint32_t total = 0;
    for (uint32_t i = 0; i < module->binary_count; i++) {
        const struct noop_spirv *spirv = &module->binaries[i].spirv;
        for (size_t j = 0; j < spirv->kernel_count; j++) {
            const char *name = spirv->kernels[j].name;
            if (left_out != NULL && spirv->kernel_count > 1 && strcmp(name, left_out) == 0)
                continue;
            if (names != NULL && total < *count)
                names[total] = name;
            total++;
        }
    }
    if (names == NULL || *count == 0 || *count > total)
        *count = total;
    return ZE_RESULT_SUCCESS;
}

const struct noop_spirv_kernel *noop_module_find_kernel(ze_module_handle_t module, const char *name)
{
    for (uint32_t i = 0; i < module->binary_count; i++) {
        const struct noop_spirv *spirv = &module->binaries[i].spirv;
        for (size_t j = 0; j < spirv->kernel_count; j++)
            if (strcmp(spirv->kernels[j].name, name) == 0)
                return &spirv->kernels[j];
    }
    return NULL;
}

static bool listed(const char *names, const char *name)
{
    const size_t length = strlen(name);
    while (names != NULL && *names != '\0') {
        const size_t word = strcspn(names, " ");
        if (word == length && memcmp(names, name, length) == 0)
            return true;
        names += word + strspn(names + word, " ");
    }
    return false;
}

static bool has_unresolved_import(ze_module_handle_t module)
{
    const struct noop_config config = noop_config_get();
    const char *resolved = config.resolved_imports;
    const bool unlinked = config.programs_stay_unlinked && module->binary_count > 1;
    for (uint32_t i = 0; i < module->binary_count; i++) {
        const struct noop_spirv *spirv = &module->binaries[i].spirv;
        for (size_t j = 0; j < spirv->symbol_count; j++) {
            const struct noop_spirv_symbol *symbol = &spirv->symbols[j];
            if (symbol->import && !listed(resolved, symbol->name) &&
                (unlinked || !exported(module, symbol->name)))
                return true;
        }
    }
    return false;
}

ze_result_t noop_zeModuleGetProperties(
    ze_module_handle_t module, ze_module_properties_t *properties)
{
    NOOP_ENTER(zeModuleGetProperties);
    const bool imports = !module->linked && has_unresolved_import(module);
    properties->flags = imports ? ZE_MODULE_PROPERTY_FLAG_IMPORTS : 0;
    return ZE_RESULT_SUCCESS;
}

static struct noop_global_buffer *find_global(ze_module_handle_t module, const char *name)
{
    struct noop_global_buffer *global = module->globals;
    while (global != NULL && strcmp(global->name, name) != 0)
        global = global->next_of_module;
    return global;
}

static struct noop_global_buffer *add_global(ze_module_handle_t module, const char *name)
{
    struct noop_global_buffer *global = calloc(1, sizeof *global);
    char *copy = strdup(name);
    if (global == NULL || copy == NULL) {
        free(global);
        free(copy);
        return NULL;
    }
    global->name = copy;
    global->next_of_module = module->globals;
    global->next_of_all = all_globals;
    module->globals = all_globals = global;
    return global;
}

ze_result_t noop_zeModuleGetGlobalPointer(
    ze_module_handle_t module, const char *name, size_t *size, void **pointer)
{
    NOOP_ENTER(zeModuleGetGlobalPointer);
    pthread_mutex_lock(&lock);
    struct noop_global_buffer *global = find_global(module, name);
    if (global == NULL)
        global = add_global(module, name);
    pthread_mutex_unlock(&lock);
    if (global == NULL)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    if (size != NULL)
        *size = sizeof global->content;
    if (pointer != NULL)
        *pointer = global->content;
    return ZE_RESULT_SUCCESS;
}

void *noop_global(const char *name)
{
    pthread_mutex_lock(&lock);
    struct noop_global_buffer *global = all_globals;
    while (global != NULL && strcmp(global->name, name) != 0)
        global = global->next_of_all;
    pthread_mutex_unlock(&lock);
    return global != NULL ? global->content : NULL;
}

ze_result_t noop_zeModuleBuildLogDestroy(ze_module_build_log_handle_t log)
{
    return noop_object_end(log, NOOP_BUILD_LOG, noop_enter(NOOP_zeModuleBuildLogDestroy));
}

ze_result_t noop_zeModuleBuildLogGetString(
    ze_module_build_log_handle_t log, size_t *size, char *text)
{
    NOOP_ENTER(zeModuleBuildLogGetString);
    const size_t needed = strlen(log->text) + 1;
    if (text != NULL && *size >= needed)
        memcpy(text, log->text, needed);
    *size = needed;
    return ZE_RESULT_SUCCESS;
}
