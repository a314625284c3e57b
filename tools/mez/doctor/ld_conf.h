// SPDX-License-Identifier: MIT
//
// Lines of /etc/ld.so.conf.

#ifndef DOCTOR_LD_CONF_H
#define DOCTOR_LD_CONF_H

#include <stddef.h>

enum ld_conf_kind {
    LD_CONF_NOTHING, // empty, a comment, or what only other systems know
    LD_CONF_FOLDER,  // an absolute path
    LD_CONF_INCLUDE  // a pattern of further files; relative to the folder of this one, or absolute
};

// Cuts the line to the path or pattern and sets *text to its beginning.
enum ld_conf_kind ld_conf_read_line(char *line, char **text);

#endif
