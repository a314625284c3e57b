// SPDX-License-Identifier: MIT
//
// printf of kernels: formats a whole call into memory first and writes it at once, so that work-
// items that print at the same time do not mix their lines.

#include "runtime.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct output {
    char text[4096];
    size_t length;
};

// One conversion of the format: % flags width .precision vN length conversion
struct conversion {
    char flags[40]; // from '%' to the precision, what C's printf needs as well
    char letter;
};

struct argument {
    const char *bytes;
    uint32_t element_size;
    uint32_t count;
};

static void put(struct output *output, char c)
{
    if (output->length + 1 < sizeof(output->text))
        output->text[output->length++] = c;
}

// The format is a conversion that we have put together and checked.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define PRINT(output, format, value)                                                               \
    advance(output, snprintf(output->text + output->length, sizeof(output->text) - output->length, \
                        format, value))

static void advance(struct output *output, int written)
{
    const size_t room = sizeof(output->text) - output->length - 1;
    if (written > 0)
        output->length += (size_t)written < room ? (size_t)written : room;
}

static double load_float(const struct argument *argument, uint32_t index)
{
    float narrow;
    double wide;
    if (argument->element_size == sizeof(wide)) {
        memcpy(&wide, argument->bytes + index * sizeof(wide), sizeof(wide));
        return wide;
    }
    memcpy(&narrow, argument->bytes + index * sizeof(narrow), sizeof(narrow));
    return (double)narrow;
}

static long long load_integer(const struct argument *argument, uint32_t index, bool is_signed)
{
    unsigned long long value = 0;
    const uint32_t size = argument->element_size < sizeof(value) ? argument->element_size : 8;
    memcpy(&value, argument->bytes + (size_t)index * argument->element_size, size);
    const unsigned unused = 64 - 8 * size;
    if (is_signed && unused > 0 && unused < 64)
        return (long long)(value << unused) >> unused;
    return (long long)value;
}

static void print_element(struct output *output, const struct conversion *conversion,
    const struct argument *argument, uint32_t index)
{
    char format[48];
    const char letter = conversion->letter;
    if (strchr("fFeEgGaA", letter) != NULL) {
        snprintf(format, sizeof(format), "%s%c", conversion->flags, letter);
        PRINT(output, format, load_float(argument, index));
    } else if (letter == 'c') {
        snprintf(format, sizeof(format), "%sc", conversion->flags);
        PRINT(output, format, (int)load_integer(argument, index, true));
    } else if (letter == 's' || letter == 'p') {
        snprintf(format, sizeof(format), "%s%c", conversion->flags, letter);
        PRINT(output, format, (const char *)(uintptr_t)load_integer(argument, index, false));
    } else {
        snprintf(format, sizeof(format), "%sll%c", conversion->flags, letter);
        PRINT(output, format, load_integer(argument, index, letter == 'd' || letter == 'i'));
    }
}
#pragma GCC diagnostic pop

// Reads a conversion behind its '%'; NULL where there is none that can be printed.
static const char *parse(const char *format, struct conversion *conversion)
{
    size_t length = 0;
    conversion->flags[length++] = '%';
    while (*format != '\0' && strchr("-+ #0123456789.", *format) != NULL) {
        if (length + 1 < sizeof(conversion->flags))
            conversion->flags[length++] = *format;
        format++;
    }
    conversion->flags[length] = '\0';
    if (*format == 'v') // the argument itself knows how many elements it has
        format += 1 + strspn(format + 1, "0123456789");
    format += strspn(format, "hlLjzt");
    conversion->letter = *format;
    return *format != '\0' && strchr("diouxXfFeEgGaAcsp", *format) != NULL ? format + 1 : NULL;
}

static void print_argument(
    struct output *output, const struct conversion *conversion, const struct argument *argument)
{
    for (uint32_t i = 0; i < argument->count; i++) {
        if (i > 0)
            put(output, ',');
        print_element(output, conversion, argument, i);
    }
}

// Who cancels the kernel sends SIGSEGV to its thread, which is not to be left while it has the lock of stdout.
static void write_out(const struct output *output)
{
    sigset_t cancelling, before;
    sigemptyset(&cancelling);
    sigaddset(&cancelling, SIGSEGV);
    pthread_sigmask(SIG_BLOCK, &cancelling, &before);
    fwrite(output->text, 1, output->length, stdout);
    fflush(stdout);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Returns 0, or -1 when the format asks for what is not there.
int zc_printf(const char *format, uint32_t count, const uint32_t *shapes, const void *slots)
{
    struct output output = {.length = 0};
    int result = 0;
    uint32_t next = 0;
    while (*format != '\0') {
        if (*format != '%' || format[1] == '%') {
            put(&output, *format);
            format += *format == '%' ? 2 : 1;
            continue;
        }
        struct conversion conversion;
        const char *rest = parse(format + 1, &conversion);
        if (rest == NULL || next == count) {
            result = -1;
            break;
        }
        const struct argument argument = {
            .bytes = (const char *)slots + (size_t)next * ZC_PRINTF_SLOT,
            .element_size = shapes[next] >> 8,
            .count = shapes[next] & 0xff};
        print_argument(&output, &conversion, &argument);
        next++;
        format = rest;
    }
    write_out(&output);
    return result;
}
