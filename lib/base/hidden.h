// SPDX-License-Identifier: MIT
//
// Variables that every path reads. A compiler can't know that an extern variable is the library's own, and would read its
// address first; one that is declared hidden is read where it lies.

#ifndef MEZ_BASE_HIDDEN_H
#define MEZ_BASE_HIDDEN_H

#define MEZ_HIDDEN __attribute__((visibility("hidden")))

#endif
