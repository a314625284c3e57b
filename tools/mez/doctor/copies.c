// SPDX-License-Identifier: MIT
//
// Libraries that are there more than once. Which of them a program gets depends on its LD_LIBRARY_PATH, and files of different
// versions that belong together crash: a new loader opens an old layer, a driver another one's compiler.

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <mezzanine/driver.h>

#include "library_file.h"
#include "search.h"

#define CHECK "libraries"
#define MOST_COPIES 64 // more change no verdict

static const char *const names[] = {MEZ_LOADER_LIBRARY, "libze_validation_layer.so.1",
    "libze_tracing_layer.so.1", MEZ_INTEL_DRIVER_LIBRARY, "libigc.so.1", "libigdfcl.so.1",
    "libigc.so.2", "libigdfcl.so.2"};

// Files that have to be of one version.
static const struct {
    const char *name, *partner;
    const char *what;
} pairs[] = {
    {MEZ_LOADER_LIBRARY, "libze_validation_layer.so.1", "the loader and its validation layer"},
    {MEZ_LOADER_LIBRARY, "libze_tracing_layer.so.1", "the loader and its tracing layer"},
    {"libigc.so.1", "libigdfcl.so.1", "the two halves of Intel's compiler"},
    {"libigc.so.2", "libigdfcl.so.2", "the two halves of Intel's compiler"},
};

struct copy {
    const char *name;
    char path[PATH_MAX]; // with links followed
};

// In the linker's order.
struct copies {
    struct copy items[MOST_COPIES];
    size_t count;
};

static bool is_known(const struct copies *copies, const char *name, const char *path)
{
    for (size_t i = 0; i < copies->count; i++)
        if (strcmp(copies->items[i].name, name) == 0 && strcmp(copies->items[i].path, path) == 0)
            return true;
    return false;
}

static void look_into(void *user, const char *folder)
{
    struct copies *copies = user;
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names && copies->count < MOST_COPIES; i++) {
        struct copy *next = &copies->items[copies->count];
        if (snprintf(path, sizeof path, "%s/%s", folder, names[i]) >= (int)sizeof path ||
            !realpath(path, next->path) || is_known(copies, names[i], next->path))
            continue;
        next->name = names[i];
        copies->count++;
    }
}

static const struct copy *first_of(const struct copies *copies, const char *name)
{
    for (size_t i = 0; i < copies->count; i++)
        if (strcmp(copies->items[i].name, name) == 0)
            return &copies->items[i];
    return NULL;
}

static size_t count_of(const struct copies *copies, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < copies->count; i++)
        count += strcmp(copies->items[i].name, name) == 0;
    return count;
}

static void report_copies(struct doctor *doctor, const struct copies *copies, const char *name)
{
    mez_text paths = {0};
    for (size_t i = 0; i < copies->count; i++)
        if (strcmp(copies->items[i].name, name) == 0)
            mez_text_add(&paths, "%s%s", paths.length ? ", then " : "", copies->items[i].path);
    found_warn(&doctor->findings, CHECK,
        "%s is installed %zu times, and programs use the first one: %s", name,
        count_of(copies, name), mez_text_get(&paths));
    found_advice(&doctor->findings, "keep only one: remove the package of the other, or remove its "
                                    "folder from LD_LIBRARY_PATH and /etc/ld.so.conf");
    mez_text_finish(&paths);
}

// Only a number with a point says more than the name that all versions have.
static bool differ(const char *version, const char *other)
{
    return strchr(version, '.') && strchr(other, '.') && strcmp(version, other) != 0;
}

static bool check_pair(struct doctor *doctor, const struct copies *copies, size_t pair)
{
    const struct copy *first = first_of(copies, pairs[pair].name);
    const struct copy *partner = first_of(copies, pairs[pair].partner);
    if (!first || !partner || !differ(library_version(first->path), library_version(partner->path)))
        return true;
    found_warn(&doctor->findings, CHECK, "%s have different versions: %s and %s", pairs[pair].what,
        first->path, partner->path);
    found_advice(&doctor->findings,
        "install both from the same source, and check that programs find these two");
    return false;
}

static void report_all(struct doctor *doctor, const struct copies *copies)
{
    mez_text files = {0};
    for (size_t i = 0; i < copies->count; i++)
        mez_text_add(&files, "%s%s", i ? ", " : "", strrchr(copies->items[i].path, '/') + 1);
    found_pass(&doctor->findings, CHECK, "%s", copies->count ? mez_text_get(&files) : "none found");
    mez_text_finish(&files);
}

void check_copies(struct doctor *doctor)
{
    static struct copies copies; // too large for a comfortable stack
    bool good = true;
    copies.count = 0;
    visit_library_folders(doctor, look_into, &copies);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (count_of(&copies, names[i]) < 2)
            continue;
        report_copies(doctor, &copies, names[i]);
        good = false;
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        good &= check_pair(doctor, &copies, i);
    if (good)
        report_all(doctor, &copies);
}
