// SPDX-License-Identifier: MIT

#include "image/compiler.h"

#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern char **environ;

// Files beside a driver that compile for it.
static const char *const compilers[] = {"libigc.so.1", "libigc.so.2", "libze_cpu_engine.so"};

// Variables that change what compilers make.
static const char *const variables[] = {
    "IGC_", "OverrideDefaultFP64Settings=", "NEO_", "ZE_CPU_ENGINE="};

typedef struct description {
    mez_text *text;
    size_t wanted; // characters that the text has if none was dropped for want of memory
} description;

static void say(description *description, const char *format, ...) MEZ_PRINTF(2, 3);

static void say(description *description, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    description->wanted += length > 0 ? (size_t)length : 0;
    mez_text_add_list(description->text, format, arguments);
    va_end(arguments);
}

static void add_file(description *description, const char *path)
{
    struct stat file;
    if (stat(path, &file) == 0)
        say(description, "%s %lld %lld.%09ld\n", path, (long long)file.st_size,
            (long long)file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

// A path that is too long is none that a loader has opened.
static void add_neighbours(description *description, const char *driver)
{
    char path[4096];
    const int folder = (int)(strrchr(driver, '/') - driver);
    for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++)
        if (snprintf(path, sizeof path, "%.*s/%s", folder, driver, compilers[i]) < (int)sizeof path)
            add_file(description, path);
}

// The loader and its layers compile nothing; compilers are loaded when they are first needed, which must change nothing.
static bool is_driver(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || strncmp(slash, "/libze_", 7) != 0)
        return false;
    for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++)
        if (strcmp(slash + 1, compilers[i]) == 0)
            return false;
    return !strstr(slash, "loader") && !strstr(slash, "layer");
}

static int look_at(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    if (object->dlpi_name && is_driver(object->dlpi_name)) {
        add_file(data, object->dlpi_name);
        add_neighbours(data, object->dlpi_name);
    }
    return 0;
}

static void add_variables(description *description)
{
    for (char **variable = environ; variable && *variable; variable++)
        for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
            if (strncmp(*variable, variables[i], strlen(variables[i])) == 0)
                say(description, "%s\n", *variable);
}

bool mez_compiler_describe(mez_text *text)
{
    description description = {.text = text, .wanted = text->length};
    dl_iterate_phdr(look_at, &description);
    add_variables(&description);
    const char *engine = getenv("ZE_CPU_ENGINE");
    if (engine)
        add_file(&description, engine);
    return text->length == description.wanted;
}
