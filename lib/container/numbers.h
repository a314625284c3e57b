// SPDX-License-Identifier: MIT

#ifndef MEZ_CONTAINER_NUMBERS_H
#define MEZ_CONTAINER_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

// Sorts the numbers and leaves each once; returns how many are left.
size_t mez_sort_numbers(uint32_t *numbers, size_t count);

#endif
