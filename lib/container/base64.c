// SPDX-License-Identifier: MIT

#include "container/base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The bytes are one long number whose lowest bits come first, and the letters are its digits.
void mez_base64_encode(mez_bytes *text, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint32_t bits = 0;
    unsigned count = 0;
    for (size_t i = 0; i < size; i++) {
        bits |= (uint32_t)bytes[i] << count;
        for (count += 8; count >= 6; count -= 6, bits >>= 6)
            mez_bytes_add(text, &letters[bits & 63], 1);
    }
    if (count > 0)
        mez_bytes_add(text, &letters[bits], 1);
}

// -1: no letter.
static int value_of(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9')
        return letter - '0' + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

bool mez_base64_decode(mez_bytes *data, const char *text, size_t length)
{
    if (length % 4 == 1)
        return false;
    uint32_t bits = 0;
    unsigned count = 0;
    for (size_t i = 0; i < length; i++) {
        const int value = value_of(text[i]);
        if (value < 0)
            return false;
        bits |= (uint32_t)value << count;
        count += 6;
        if (count < 8)
            continue;
        mez_bytes_add(data, &(uint8_t){(uint8_t)bits}, 1);
        count -= 8;
        bits >>= 8;
    }
    return true;
}
