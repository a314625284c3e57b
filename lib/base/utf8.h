// SPDX-License-Identifier: MIT
//
// UTF-8, for formats that take nothing else.

#ifndef MEZ_BASE_UTF8_H
#define MEZ_BASE_UTF8_H

// Bytes of the well-formed sequence at `text`, which ends with a 0; 0: there is none.
int mez_utf8_length(const unsigned char *text);

#endif
