// SPDX-License-Identifier: MIT
//
// Intel's compilers, which do not refuse the same code. tests/oracle asks one of each generation: 1.0.12504, with driver 22.43, and
// 2.40.14, with driver 26.27. What they differ in about doubles stands in spirv/aspects.c.
//
// Thread-safety: safe.

#ifndef MEZ_CHECK_IGC_H
#define MEZ_CHECK_IGC_H

#include <stdbool.h>
#include <stdint.h>

typedef enum mez_igc {
    // or another one: what the first generation refuses is refused, and what only others do is a warning
    MEZ_IGC_UNKNOWN = 0,
    MEZ_IGC_1,
    MEZ_IGC_2,
} mez_igc;

// A set of them.
#define MEZ_IGC_BIT(compiler) (1u << (compiler))

// "IGC 1", "IGC 2", "a compiler that is not known".
const char *mez_igc_name(mez_igc compiler);

// By its version, of which the first number counts: "1", "1.0.12504", "2.40". False: there is none of that number.
bool mez_igc_find(const char *version, mez_igc *compiler);

// The one that a driver brings: by its number of Level Zero, and by its release, such as "26.27.039122", as ocloc says it.
mez_igc mez_igc_of_driver(uint32_t driver_version);
mez_igc mez_igc_of_release(const char *release);

#endif
