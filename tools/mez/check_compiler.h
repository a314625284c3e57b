// SPDX-License-Identifier: MIT
//
// Which compiler `mez check` judges for: the one that --compiler names, else a live device's, else that of the ocloc installed here.
//
// Thread-safety: one thread.

#ifndef CHECK_COMPILER_H
#define CHECK_COMPILER_H

#include "check_devices.h"

// Does the verdict on any of the code depend on the compiler?
bool check_compiler_matters(const mez_code *code);

// Sets the compilers of all devices whose compiler matters, or is to be named. Where there is no ocloc it stays unknown.
mez_error check_compiler_choose(
    struct check_devices *devices, const struct check_request *request, const mez_code *code);

#endif
