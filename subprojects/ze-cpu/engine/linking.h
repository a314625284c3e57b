// SPDX-License-Identifier: MIT
//
// Linking programs that are built.

#ifndef ZC_ENGINE_LINKING_H
#define ZC_ENGINE_LINKING_H

#include "compile.h"
#include "program.h"

// One of the units that are linked together.
struct zc_link_part {
    struct zc_unit *unit;
    const struct zc_program *user; // the program that brought it in
    uint32_t *providers;           // for each import, the index of the part that defines it
};

struct zc_link_scope {
    struct zc_link_part *parts; // parts[0]: what is linked
    uint32_t count;
};

// Finds who defines what the program imports, what those import in turn, and so on. Unless
// ZC_BUILD_OK the log has a line for each symbol that nobody defines.
enum zc_build_result zc_link_resolve(
    struct zc_log *log, const struct zc_link_request *request, struct zc_link_scope *scope);
void zc_link_scope_finish(struct zc_link_scope *scope);

// For zc_compile: takes all parts into the build's module. `data` is a struct zc_link_scope.
bool zc_link_load(struct zc_build *build, const void *data);

#endif
