// SPDX-License-Identifier: MIT

#include "buffer.h"

#include <inttypes.h>
#include <string.h>

#include "file.h"

#define NUMBERS_A_LINE 8

static bool random_parse(const char *text, struct buffer_spec *spec, struct problem *problem)
{
    spec->start = BUFFER_RANDOM;
    if (!*text)
        return true;
    return count_parse(text + 1, strlen(text + 1), UINT64_MAX, &spec->seed, problem);
}

static bool is_random(const char *text)
{
    const size_t word = strlen("random");
    return strncmp(text, "random", word) == 0 && (text[word] == '\0' || text[word] == ':');
}

bool buffer_start_parse(const char *text, struct buffer_spec *spec, struct problem *problem)
{
    spec->start = BUFFER_ZERO;
    spec->seed = 0;
    if (strcmp(text, "zero") == 0)
        return true;
    if (is_random(text))
        return random_parse(text + strlen("random"), spec, problem);
    if (strcmp(text, "iota") == 0) {
        spec->start = BUFFER_IOTA;
        return true;
    }
    if (*text == '@') {
        spec->start = BUFFER_FILE;
        spec->file = text + 1;
        return *spec->file || problem_set(problem, "the name of a file is missing after @");
    }
    spec->start = BUFFER_NUMBER;
    if (number_parse(spec->type.number, text, strlen(text), spec->number, problem))
        return true;
    char why[128];
    snprintf(why, sizeof why, "%.100s", problem->text);
    return problem_set(
        problem, "%s: START must be zero, iota, a number, random[:SEED] or @FILE", why);
}

static bool size_fits(const struct buffer_spec *spec)
{
    size_t size;
    return !__builtin_mul_overflow(spec->count, value_type_size(&spec->type), &size);
}

bool buffer_parse(const char *text, struct buffer_spec *spec, struct problem *problem)
{
    *spec = (struct buffer_spec){.start = BUFFER_ZERO};
    const size_t type_length = strcspn(text, ":");
    if (!value_type_parse(text, type_length, &spec->type, problem))
        return false;
    if (!text[type_length])
        return problem_set(problem, "the number of elements is missing: write TYPE:COUNT[=START]");
    text += type_length + 1;
    const size_t count_length = strcspn(text, "=");
    if (!count_parse(text, count_length, UINT64_MAX, &spec->count, problem))
        return false;
    if (spec->count == 0)
        return problem_set(problem, "a buffer needs at least one element");
    if (!size_fits(spec))
        return problem_set(problem,
            "%" PRIu64 " elements need more bytes than the address space has", spec->count);
    return !text[count_length] || buffer_start_parse(text + count_length + 1, spec, problem);
}

size_t buffer_size(const struct buffer_spec *spec)
{
    return (size_t)spec->count * value_type_size(&spec->type);
}

// SplitMix64: tiny, and good enough to fill a buffer.
static uint64_t next_random(uint64_t *state)
{
    uint64_t bits = *state += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
}

static void fill_component(
    const struct buffer_spec *spec, uint64_t index, uint64_t *random, unsigned char *bytes)
{
    const struct number_type *type = spec->type.number;
    if (spec->start == BUFFER_IOTA)
        number_from_integer(type, index, bytes);
    else if (spec->start == BUFFER_RANDOM)
        number_from_random_bits(type, next_random(random), bytes);
    else
        memcpy(bytes, spec->number, type->size);
}

static void fill_components(const struct buffer_spec *spec, unsigned char *bytes)
{
    const size_t element_size = value_type_size(&spec->type);
    uint64_t random = spec->seed;
    uint64_t index = 0;
    for (uint64_t i = 0; i < spec->count; i++, bytes += element_size)
        for (unsigned c = 0; c < spec->type.components; c++)
            fill_component(spec, index++, &random, bytes + c * spec->type.number->size);
}

bool buffer_fill(const struct buffer_spec *spec, void *bytes, struct problem *problem)
{
    const size_t size = buffer_size(spec);
    if (spec->start == BUFFER_FILE)
        return file_read_exactly(spec->file, bytes, size, problem);
    memset(bytes, 0, size);
    if (spec->start != BUFFER_ZERO)
        fill_components(spec, bytes);
    return true;
}

static bool element_is_near(const struct value_type *type, const unsigned char *bytes,
    const unsigned char *wanted, double tolerance)
{
    for (unsigned c = 0; c < type->components; c++) {
        const size_t offset = c * type->number->size;
        if (!number_is_near(type->number, bytes + offset, wanted + offset, tolerance))
            return false;
    }
    return true;
}

struct buffer_difference buffer_compare(
    const struct buffer_spec *spec, const void *bytes, const void *wanted, double tolerance)
{
    const size_t size = value_type_size(&spec->type);
    struct buffer_difference difference = {0};
    for (uint64_t i = 0; i < spec->count; i++) {
        if (element_is_near(&spec->type, (const unsigned char *)bytes + i * size,
                (const unsigned char *)wanted + i * size, tolerance))
            continue;
        if (difference.elements++ == 0)
            difference.first = i;
    }
    return difference;
}

static unsigned elements_a_line(const struct buffer_spec *spec)
{
    return spec->type.components < NUMBERS_A_LINE ? NUMBERS_A_LINE / spec->type.components : 1;
}

// "[8..15]", or "[8]" where the line has one element; `width` bytes with the spaces behind it.
static int print_label(FILE *stream, uint64_t first, uint64_t last, int width)
{
    char label[48];
    if (first == last)
        snprintf(label, sizeof label, "[%" PRIu64 "]", first);
    else
        snprintf(label, sizeof label, "[%" PRIu64 "..%" PRIu64 "]", first, last);
    return stream ? fprintf(stream, "  %-*s", width, label) : (int)strlen(label);
}

static int widest_label(uint64_t first, uint64_t last, unsigned step)
{
    const uint64_t last_line = first + (last - first) / step * step;
    const int before =
        last_line > first ? print_label(NULL, last_line - step, last_line - 1, 0) : 0;
    const int ending = print_label(NULL, last_line, last, 0);
    return before > ending ? before : ending;
}

void buffer_print(
    FILE *stream, const struct buffer_spec *spec, const void *bytes, uint64_t first, uint64_t count)
{
    const size_t size = value_type_size(&spec->type);
    const unsigned step = elements_a_line(spec);
    const uint64_t last = first + count - 1;
    const int width = count ? widest_label(first, last, step) : 0;
    for (uint64_t line = first; count > 0; line += step) {
        const uint64_t here = count < step ? count : step;
        print_label(stream, line, line + here - 1, width);
        for (uint64_t i = line; i < line + here; i++) {
            fputc(' ', stream);
            value_print(stream, &spec->type, (const unsigned char *)bytes + i * size);
        }
        fputc('\n', stream);
        count -= here;
    }
}
