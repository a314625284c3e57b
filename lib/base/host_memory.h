// SPDX-License-Identifier: MIT
//
// The host's own memory.

#ifndef MEZ_BASE_HOST_MEMORY_H
#define MEZ_BASE_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

// What programs can still have without anything being swapped out, in bytes. False: the kernel does not report it.
bool mez_host_memory_available(uint64_t *bytes);

// The same from a text like /proc/meminfo.
bool mez_host_memory_parse(const char *text, uint64_t *bytes);

#endif
