// SPDX-License-Identifier: MIT
//
// Fuzz target of the mez command's parsers: whatever the text, it is refused with words or gives something that can be
// filled, printed and read again. Built with -fsanitize=fuzzer this is a libFuzzer target; built plainly it takes each
// line of the files it is given.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"
#include "request.h"

#define MOST_FILLED 4096 // bytes; larger buffers only cost time

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition, const char *what, const char *text)
{
    if (condition)
        return;
    fprintf(stderr, "\"%s\": %s\n", text, what);
    abort();
}

// What is printed reads as the same bytes.
static void use_value(const struct value *value)
{
    char *printed = NULL;
    size_t size = 0;
    unsigned char again[8];
    struct problem problem;
    FILE *stream = open_memstream(&printed, &size);
    require(stream != NULL, "no memory", "");
    number_print(stream, value->type.number, value->bytes);
    fclose(stream);
    if (!strstr(printed, "nan")) { // a NaN's other bits are not printed
        require(number_parse(value->type.number, printed, size, again, &problem), "not read again",
            printed);
        require(memcmp(again, value->bytes, value->type.number->size) == 0, "changed", printed);
    }
    free(printed);
}

static void use_buffer(const struct buffer_spec *spec, FILE *sink)
{
    static unsigned char bytes[MOST_FILLED];
    struct problem problem;
    if (spec->start == BUFFER_FILE || buffer_size(spec) > sizeof bytes)
        return;
    require(buffer_fill(spec, bytes, &problem), "not filled", problem.text);
    buffer_print(sink, spec, bytes, 0, spec->count);
    buffer_print(sink, spec, bytes, spec->count - 1, 1);
}

static void use_argument(const char *text, FILE *sink)
{
    struct argument argument;
    struct problem problem = {""};
    if (!argument_parse(text, &argument, &problem))
        require(problem.text[0] != '\0', "refused without a message", text);
    else if (argument.kind == ARGUMENT_VALUE)
        use_value(&argument.value);
    else if (argument.kind == ARGUMENT_BUFFER)
        use_buffer(&argument.buffer, sink);
    else if (argument.kind == ARGUMENT_LOCAL)
        require(argument.local_size > 0, "no local memory", text);
}

static void use_options(const char *text)
{
    struct problem problem;
    size_t sizes[3] = {1, 1, 1};
    unsigned dimensions;
    uint64_t timeout;
    struct print_request print;
    struct save_request save;
    struct expect_request expect;
    struct swap_request swap;
    double tolerance;
    if (sizes_parse(text, sizes, &dimensions, &problem))
        require(dimensions >= 1 && dimensions <= 3 && sizes[0] && sizes[1] && sizes[2], "no sizes",
            text);
    if (seconds_parse(text, &timeout, &problem))
        require(timeout > 0, "no time", text);
    if (print_request_parse(text, &print, &problem))
        require(!print.counted || print.count > 0, "prints nothing", text);
    if (save_request_parse(text, &save, &problem))
        require(save.file[0] != '\0', "no file", text);
    if (expect_request_parse(text, &expect, &problem))
        require(expect.start[0] != '\0', "nothing expected", text);
    if (tolerance_parse(text, &tolerance, &problem))
        require(tolerance >= 0, "no tolerance", text);
    swap_request_parse(text, &swap, &problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static FILE *sink;
    if (!sink && !(sink = fopen("/dev/null", "w")))
        return 0;
    char *text = malloc(size + 1); // exactly as long, so that a sanitizer sees each step too far
    if (!text)
        return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    use_argument(text, sink);
    use_options(text);
    free(text);
    return 0;
}

#ifdef MEZ_FUZZ_REPLAY
static void replay(FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, file)) >= 0;)
        LLVMFuzzerTestOneInput((const uint8_t *)line, (size_t)(length > 0 ? length - 1 : 0));
    free(line);
}

int main(int count, char **paths)
{
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(paths[i], "r");
        if (!file) {
            perror(paths[i]);
            return 1;
        }
        replay(file);
        fclose(file);
    }
    return 0;
}
#endif
