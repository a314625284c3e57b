// SPDX-License-Identifier: MIT
//
// Prints the JSON of errors whose stories are made of random bytes, and such bytes alone, a line each: json_lines COUNT

#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"

// Xorshift: the same bytes in every run.
static uint32_t next_random(uint32_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 17;
    *random ^= *random << 5;
    return *random;
}

// No NUL among them; half are of the kinds that matter to UTF-8 and JSON.
static const char *random_text(uint32_t *random)
{
    static const char special[] =
        "\"\\\n\t\x01\x1f\x7f\x80\xbf\xc2\xe0\xa0\xed\x9f\xef\xf0\x90\xf4\x8f\xff";
    static char text[40];
    const uint32_t length = next_random(random) % (sizeof text - 1);
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t word = next_random(random) >> 8;
        text[i] = special[(word >> 1) % (sizeof special - 1)];
        if (word & 1)
            text[i] = (char)(1 + (word >> 1) % 255);
    }
    text[length] = '\0';
    return text;
}

static mez_error random_error(uint32_t *random)
{
    mez_error error = mez_error_make(MEZ_ERRC_FILE, "%s", random_text(random));
    error = mez_error_headline(error, "%s", random_text(random));
    return mez_error_add(error, "field", "%s", random_text(random));
}

static void print_text(const char *text)
{
    char room[512];
    mez_json json = {.text = mez_bounded_begin(room, sizeof room), .one_line = true};
    mez_json_open(&json, NULL, '[');
    mez_json_string(&json, NULL, text);
    mez_json_close(&json, ']');
    puts(room);
}

int main(int argc, char **argv)
{
    uint32_t random = 0x6d657a7a;
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {
        char json[2048];
        mez_error_get_json(random_error(&random), json, sizeof json);
        puts(json);
        print_text(random_text(&random));
    }
}
