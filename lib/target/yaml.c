// SPDX-License-Identifier: MIT

#include "target/yaml.h"

#include <string.h>

// Levels of lists and maps in each other. The format needs two.
#define DEEPEST 16

mez_error mez_yaml_init(mez_yaml *yaml, const char *origin, const void *bytes, size_t size)
{
    *yaml = (mez_yaml){.origin = origin};
    if (!yaml_parser_initialize(&yaml->parser))
        return mez_error_no_memory("reading YAML");
    yaml_parser_set_input_string(&yaml->parser, bytes, size);
    return mez_ok();
}

void mez_yaml_finish(mez_yaml *yaml)
{
    yaml_event_delete(&yaml->event);
    yaml_parser_delete(&yaml->parser);
}

// YAML counts lines and columns from 0.
static mez_error bad_yaml(const mez_yaml *yaml)
{
    const yaml_parser_t *parser = &yaml->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return mez_error_no_memory("reading YAML");
    if (parser->error == YAML_READER_ERROR) // knows no lines
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "%s: byte %zu: %s", yaml->origin,
            parser->problem_offset, parser->problem);
    const mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "%s:%zu:%zu: %s",
        yaml->origin, parser->problem_mark.line + 1, parser->problem_mark.column + 1,
        parser->problem ? parser->problem : "this is not YAML");
    if (!parser->context)
        return error;
    return mez_error_add(error, "yaml", "%s that began at line %zu, column %zu", parser->context,
        parser->context_mark.line + 1, parser->context_mark.column + 1);
}

mez_error mez_yaml_next(mez_yaml *yaml)
{
    yaml_event_delete(&yaml->event);
    return yaml_parser_parse(&yaml->parser, &yaml->event) ? mez_ok() : bad_yaml(yaml);
}

static int depth_of(yaml_event_type_t type)
{
    const bool opens = type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT;
    const bool closes = type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT;
    return opens - closes;
}

mez_error mez_yaml_skip(mez_yaml *yaml)
{
    for (int depth = depth_of(yaml->event.type); depth > 0; depth += depth_of(yaml->event.type)) {
        if (depth > DEEPEST)
            return mez_yaml_refuse(yaml, "values are nested more than %d deep", DEEPEST);
        MEZ_TRY(mez_yaml_next(yaml));
    }
    return mez_ok();
}

static const char *scalar_text(const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    return strlen(text) == event->data.scalar.length ? text : "";
}

const char *mez_yaml_text(const mez_yaml *yaml)
{
    switch (yaml->event.type) {
    case YAML_SCALAR_EVENT:
        return scalar_text(&yaml->event);
    case YAML_ALIAS_EVENT:
        return (const char *)yaml->event.data.alias.anchor;
    default:
        return "";
    }
}

bool mez_yaml_is_empty(const mez_yaml *yaml)
{
    return yaml->event.type == YAML_SCALAR_EVENT && yaml->event.data.scalar.length == 0 &&
           yaml->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

void mez_yaml_add_place(const mez_yaml *yaml, mez_text *text)
{
    const yaml_mark_t *mark = &yaml->event.start_mark;
    mez_text_add(text, "%s:%zu:%zu: ", yaml->origin, mark->line + 1, mark->column + 1);
}

mez_error mez_yaml_refuse(const mez_yaml *yaml, const char *format, ...)
{
    mez_text text = {0};
    mez_yaml_add_place(yaml, &text);
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&text, format, arguments);
    va_end(arguments);
    const mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "%-s", mez_text_get(&text));
    mez_text_finish(&text);
    return error;
}
