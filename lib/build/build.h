// SPDX-License-Identifier: MIT
//
// Building ahead of time: a split's images for several targets. What a target lacks decides which images it gets, as in
// filter/filter.h; code with fixed targets is built for those of them that are asked for.
//
//     mez_build *build;
//     MEZ_TRY(mez_build_create(&params, &build));
//     mez_error error = mez_build_write(build, "app.table", MEZ_BUILD_TABLE);
//     mez_build_destroy(&build);
//
// A target with an aot_toolchain gets native code, which that program makes; any other gets the SPIR-V itself, which is there once
// for all of them.

#ifndef MEZ_BUILD_BUILD_H
#define MEZ_BUILD_BUILD_H

#include <mezzanine/build.h>

#include "child/child.h"
#include "container/binary.h"
#include "split/split.h"

struct mez_build {
    // Binaries of an image stand together and have its number as `module`: SPIR-V first, then native ones in the order of the
    // targets.
    mez_bundle *bundle;
    uint32_t *counts; // for each target: of images that it got
    uint32_t target_count, image_count;
};

#endif
