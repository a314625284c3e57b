// SPDX-License-Identifier: MIT
//
// Builds modules with the engine and says what became of each.
//
//     build_modules ENGINE MODULE.spv...
//
// For each module: a line "built" or "failed", a line "import NAME" for each symbol that nothing defines, the build log, and
// a line with a single dot.

#include "engine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const struct zc_features features = {.fp16 = true,
    .fp64 = true,
    .images = true,
    .int64_atomics = true,
    .sub_group_sizes = 8 | 16 | 32,
    .device_name = "test"};

static const struct zc_engine *open_engine(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return (__extension__(zc_engine_get_fn) dlsym(library, ZC_ENGINE_GET))();
}

// The caller frees it.
static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    *size = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(*size + 1);
    if (bytes == NULL || fread(bytes, 1, *size, file) != *size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return bytes;
}

static void print_imports(const struct zc_engine *engine, const struct zc_program *program)
{
    uint32_t count;
    const char *const *names = engine->imports(program, &count);
    for (uint32_t i = 0; i < count; i++)
        printf("import %s\n", names[i]);
}

static void build(const struct zc_engine *engine, const char *path)
{
    size_t size;
    void *bytes = read_file(path, &size);
    const struct zc_spirv module = {.bytes = bytes, .size = size};
    const struct zc_build_request request = {
        .modules = &module, .module_count = 1, .features = &features};
    struct zc_program *program;
    char *log;
    const enum zc_build_result result = engine->build(&request, &program, &log);
    printf("%s\n", result == ZC_BUILD_OK ? "built" : "failed");
    if (program != NULL) {
        print_imports(engine, program);
        engine->destroy(program);
    }
    printf("%s\n.\n", log);
    fflush(stdout);
    free(log);
    free(bytes);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "build_modules ENGINE MODULE.spv...\n");
        return 2;
    }
    const struct zc_engine *engine = open_engine(argv[1]);
    for (int i = 2; i < argc; i++)
        build(engine, argv[i]);
    return 0;
}
