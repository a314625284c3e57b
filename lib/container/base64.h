// SPDX-License-Identifier: MIT
//
// The base64 of property files, which no other reader understands: the usual letters, but six bits at a time from the lowest on, and
// nothing at the end to fill up a group.

#ifndef MEZ_CONTAINER_BASE64_H
#define MEZ_CONTAINER_BASE64_H

#include "base/bytes.h"

void mez_base64_encode(mez_bytes *text, const void *data, size_t size);

// Adds what the letters stand for. False: another character, or a number of letters that no bytes have. Bits that fill up the last
// letter are not looked at. Out of memory shows in `data`.
bool mez_base64_decode(mez_bytes *data, const char *text, size_t length);

#endif
