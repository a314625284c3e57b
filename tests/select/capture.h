// SPDX-License-Identifier: MIT
//
// Capture mode: Intel's driver imitates a product without hardware, as keys in its environment ask, which differ from one
// generation of the driver to the next. The table in capture.c has them.

#ifndef MEZ_TEST_CAPTURE_H
#define MEZ_TEST_CAPTURE_H

#include <stdbool.h>

// Sets the keys of this product for the driver that is installed. False where that driver can't imitate it: nothing is set.
bool mez_test_capture(const char *product);

// Is Intel's driver installed?
bool mez_test_has_intel_driver(void);

// In what capture falls short on this driver, by the names that mez_test_has knows: "" or words with a space behind each.
const char *mez_test_capture_lacks(const char *product);

// Does the compiler of the installed driver resolve asserts by itself?
bool mez_test_capture_brings_asserts(void);

#endif
