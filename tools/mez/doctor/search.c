// SPDX-License-Identifier: MIT

#include "search.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "ld_conf.h"

#define DEEPEST_INCLUDE 8 // a file may include itself

struct walk {
    const struct doctor *doctor;
    folder_visitor visit;
    void *user;
};

// What programs are given, so not below the root. An empty entry is the current folder.
static void visit_variable(const struct walk *walk, const char *list)
{
    char folder[PATH_MAX];
    while (list) {
        const size_t length = strcspn(list, ":;");
        if (length < sizeof folder) {
            snprintf(folder, sizeof folder, "%.*s", (int)length, list);
            walk->visit(walk->user, length ? folder : ".");
        }
        list = list[length] ? list + length + 1 : NULL;
    }
}

static void read_configuration(const struct walk *walk, const char *path, int depth);

static void include(const struct walk *walk, const char *from, const char *pattern, int depth)
{
    char full[PATH_MAX];
    glob_t files;
    if (pattern[0] == '/')
        system_path(walk->doctor, full, "%s", pattern);
    else if (snprintf(full, sizeof full, "%.*s/%s", (int)(strrchr(from, '/') - from), from,
                 pattern) >= (int)sizeof full)
        return;
    if (glob(full, 0, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++)
        read_configuration(walk, files.gl_pathv[i], depth + 1);
    globfree(&files);
}

static void read_configuration(const struct walk *walk, const char *path, int depth)
{
    char line[PATH_MAX], folder[PATH_MAX], *text;
    FILE *file = depth < DEEPEST_INCLUDE ? fopen(path, "re") : NULL;
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        const enum ld_conf_kind kind = ld_conf_read_line(line, &text);
        if (kind == LD_CONF_INCLUDE)
            include(walk, path, text, depth);
        if (kind != LD_CONF_FOLDER)
            continue;
        system_path(walk->doctor, folder, "%s", text);
        walk->visit(walk->user, folder);
    }
    fclose(file);
}

void visit_library_folders(const struct doctor *doctor, folder_visitor visit, void *user)
{
    static const char *const own[] = {"/lib64", "/usr/lib64", "/lib", "/usr/lib"};
    const struct walk walk = {doctor, visit, user};
    char path[PATH_MAX];
    const char *chosen = getenv("LD_LIBRARY_PATH");
    if (chosen && *chosen)
        visit_variable(&walk, chosen);
    system_path(doctor, path, "/etc/ld.so.conf");
    read_configuration(&walk, path, 0);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        system_path(doctor, path, "%s", own[i]);
        visit(user, path);
    }
}
