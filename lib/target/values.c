// SPDX-License-Identifier: MIT

#include "target/values.h"

#include <string.h>
#include <strings.h>

// A digit's value; 16 for what is none.
static uint32_t digit_of(char digit)
{
    if (digit >= '0' && digit <= '9')
        return (uint32_t)(digit - '0');
    if (digit >= 'a' && digit <= 'f')
        return (uint32_t)(digit - 'a') + 10;
    if (digit >= 'A' && digit <= 'F')
        return (uint32_t)(digit - 'A') + 10;
    return 16;
}

// Reads digits and moves behind them; false where there are none, or too many.
static bool take_digits(const char **text, uint32_t base, uint32_t *number)
{
    const char *first = *text;
    uint64_t value = 0;
    for (; digit_of(**text) < base; (*text)++) {
        value = value * base + digit_of(**text);
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return *text != first;
}

static bool take_number(const char **text, uint32_t *number)
{
    if (strncasecmp(*text, "0x", 2) != 0)
        return take_digits(text, 10, number);
    *text += 2;
    return take_digits(text, 16, number);
}

static bool take_character(const char **text, char wanted)
{
    if (**text != wanted)
        return false;
    (*text)++;
    return true;
}

bool mez_value_number(const char *text, uint32_t *number)
{
    return take_number(&text, number) && !*text;
}

static bool is_word(const char *text, const char *word)
{
    if (strcasecmp(text, word) != 0)
        return false;
    // tRUE does not count
    const bool small = strcmp(text, word) == 0;
    const bool capital = text[0] != word[0] && strcmp(text + 1, word + 1) == 0;
    bool capitals = true;
    for (; *text; text++)
        capitals &= *text >= 'A' && *text <= 'Z';
    return small || capital || capitals;
}

bool mez_value_bool(const char *text, bool *value)
{
    *value = is_word(text, "true") || is_word(text, "yes") || is_word(text, "on");
    return *value || is_word(text, "false") || is_word(text, "no") || is_word(text, "off");
}

bool mez_value_ip(const char *text, uint32_t *ip_version)
{
    uint32_t architecture, release, revision = 0;
    if (!take_number(&text, &architecture))
        return false;
    if (!*text) {
        *ip_version = architecture;
        return architecture >= MEZ_FIXED_TARGET_IP;
    }
    if (!take_character(&text, '.') || !take_number(&text, &release))
        return false;
    if (*text && (!take_character(&text, '.') || !take_number(&text, &revision)))
        return false;
    *ip_version = architecture << 22 | release << 14 | revision;
    return !*text && architecture >= 4 && architecture < 1 << 10 && release < 1 << 8 &&
           revision < 1 << 6;
}

bool mez_value_pci(const char *text, mez_pci_range *range)
{
    uint32_t first, last;
    if (!take_number(&text, &first))
        return false;
    last = first;
    if (*text && (!take_character(&text, '-') || !take_number(&text, &last)))
        return false;
    *range = (mez_pci_range){(uint16_t)first, (uint16_t)last};
    return !*text && first > 0 && first <= last && last <= UINT16_MAX;
}
