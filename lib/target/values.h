// SPDX-License-Identifier: MIT
//
// The values of a device configuration file: texts in, numbers out. Each returns false for a text that is none.
//
// Thread-safety: safe.

#ifndef MEZ_TARGET_VALUES_H
#define MEZ_TARGET_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "target/target.h"

// Decimal, or hexadecimal behind 0x; no sign, no space.
bool mez_value_number(const char *text, uint32_t *number);

// true, false; yes, no, on and off as YAML 1.1 has them; in small letters, capitals, or with a capital.
bool mez_value_bool(const char *text, bool *value);

// 12.55.8, 12.55 (revision 0), or the number, 0x030dc008.
bool mez_value_ip(const char *text, uint32_t *ip_version);

// 0x9a49, or 0x4f80-0x4f84.
bool mez_value_pci(const char *text, mez_pci_range *range);

// An ip version without what does not matter for programs.
static inline uint32_t mez_ip_release(uint32_t ip_version)
{
    return ip_version >> 6;
}

#endif
