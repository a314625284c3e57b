// SPDX-License-Identifier: MIT
//
// The checks of `mez doctor`. Each looks at one thing, adds at least one finding, and changes nothing.
//
// Thread-safety: none; everything runs on the command's one thread, and drivers in processes of their own (apart.h).

#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include <limits.h>

#include <mezzanine/settings.h>

#include "base/error.h"
#include "findings.h"

// How long a driver may take to open, in seconds: a compiler may be started, on a machine that is busy.
#define DRIVER_SECONDS 60

struct doctor {
    const char *root; // before the paths of the system's files; "": the system itself
    struct findings findings;
};

// A path of the system below the root; one that is too long is cut, and then not found.
void system_path(const struct doctor *doctor, char path[PATH_MAX], const char *format, ...)
    MEZ_PRINTF(3, 4);

// The first line of a file of the system, without its end. False: it can't be read.
bool system_line(const char *path, char *line, size_t size);

// The error's story in one line: story_line.h.
void error_line(mez_error error, const char *detail, char *line, size_t size);

void check_loader(struct doctor *doctor);
void check_copies(struct doctor *doctor);    // of loader, layers, drivers and compilers
void check_drivers(struct doctor *doctor);   // each one by itself
void check_nodes(struct doctor *doctor);     // /dev/dri
void check_kernel(struct doctor *doctor);    // the kernel's drivers of GPUs
void check_variables(struct doctor *doctor); // Level Zero's
void check_device(struct doctor *doctor);    // what a program gets
void check_cache(struct doctor *doctor);
void check_device_config(struct doctor *doctor);
void check_traces(struct doctor *doctor);   // variables of traces, where the build has these
void check_settings(struct doctor *doctor); // Mezzanine's variables, and misspelt names

// All of Mezzanine's variables: what they are set to, and what holds where they are not.
void settings_print(FILE *stream, const mez_settings *settings);
// The member "settings" of the open object.
void settings_print_json(mez_json *json, const mez_settings *settings);

#endif
