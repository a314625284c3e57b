// SPDX-License-Identifier: MIT
//
// Signal handlers that belong to the driver. Intel's driver moves shared memory between a discrete GPU and the host in its
// handler of SIGSEGV; cmocka puts one of its own in the place during each test, and afterwards puts the old one back
// without its flags.

#ifndef MEZ_TEST_SIGNALS_H
#define MEZ_TEST_SIGNALS_H

// Remembers the handlers as they are: when the driver has been loaded.
void mez_test_keep_signals(void);

// Puts them back where the driver has any.
void mez_test_restore_signals(void);

#endif
