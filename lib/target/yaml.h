// SPDX-License-Identifier: MIT
//
// Going through a YAML file event by event, with errors that say where.
//
// Thread-safety: none.

#ifndef MEZ_TARGET_YAML_H
#define MEZ_TARGET_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include <yaml.h>

#include "base/error.h"

typedef struct mez_yaml {
    const char *origin; // what messages call the file
    yaml_parser_t parser;
    yaml_event_t event; // the one that we are at; YAML_NO_EVENT before the first
} mez_yaml;

// The bytes must live as long. On failure there is nothing to finish. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_yaml_init(mez_yaml *yaml, const char *origin, const void *bytes, size_t size);
void mez_yaml_finish(mez_yaml *yaml);

// Goes to the next event. MEZ_ERRC_INVALID_PARAMETER: this is not YAML, with the place.
mez_error mez_yaml_next(mez_yaml *yaml);

// Goes to the end of the value that we are at. Values nested deeper than a person would write are refused.
mez_error mez_yaml_skip(mez_yaml *yaml);

// The text of the scalar that we are at, or the name of the alias; "" for everything else, and for a text with a NUL in it.
const char *mez_yaml_text(const mez_yaml *yaml);

// Is this event a value that nobody wrote, as behind "key:"?
bool mez_yaml_is_empty(const mez_yaml *yaml);

// MEZ_ERRC_INVALID_PARAMETER, "origin:line:column: ...", of the event that we are at.
mez_error mez_yaml_refuse(const mez_yaml *yaml, const char *format, ...) MEZ_PRINTF(2, 3);

// The place alone, "origin:line:column: ".
void mez_yaml_add_place(const mez_yaml *yaml, mez_text *text);

#endif
