// SPDX-License-Identifier: MIT
//
// The bundle as one OffloadBinary of SYCL images, which the library reads and never writes: for binaries without property sets, which
// this container has no place for. Their kernels go to "symbols".
//
// MEZ_ERRC_INVALID_PARAMETER: a binary has property sets, besides mez_offload_write's reasons.

#ifndef MEZ_TESTS_UNIT_CONTAINER_WRITE_OFFLOAD_H
#define MEZ_TESTS_UNIT_CONTAINER_WRITE_OFFLOAD_H

#include "container/bundle.h"
#include "container/offload.h"

mez_error write_offload(
    const mez_bundle *bundle, const mez_offload_writing *writing, mez_bytes *bytes);

#endif
