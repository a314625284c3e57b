// SPDX-License-Identifier: MIT
//
// Drawing by Graphviz's program `dot`, which any version of Graphviz has and which knows its own plug-ins: whoever asks for no
// drawing needs no Graphviz.
//
// Thread-safety: safe.

#ifndef TRACE_GRAPHVIZ_H
#define TRACE_GRAPHVIZ_H

#include <stdio.h>

#include "base/error.h"

// `name`: the picture's, for errors. MEZ_ERRC_FILE: there is no `dot`, with what to install, or no room for its files.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error trace_graphviz_check(const char *name);

// Writes the drawing of a graph in DOT, as SVG. MEZ_ERRC_FILE: as above, or the drawing can't be written.
// MEZ_ERRC_COMPILE_PROGRAM: `dot` failed, with what it said. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error trace_graphviz_draw(const char *graph, size_t size, FILE *file, const char *name);

#endif
