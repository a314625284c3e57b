// SPDX-License-Identifier: MIT

#include "target/native.h"

#include <string.h>

#include "base/log.h"
#include "target/target.h"

// Devices that run code compiled for another one (docs/internals/containers.md#zebin-and-other-native-code).
static const struct {
    const char *code, *device;
} compatible[] = {
    {"intel_gpu_acm_g10", "intel_gpu_acm_g11"},
    {"intel_gpu_acm_g10", "intel_gpu_acm_g12"},
    {"intel_gpu_mtl_u", "intel_gpu_mtl_h"},
    {"intel_gpu_bmg_g21", "intel_gpu_bmg_g31"},
    {"intel_gpu_bmg_g21", "intel_gpu_lnl_m"},
    {"intel_gpu_ptl_h", "intel_gpu_ptl_u"},
    {"intel_gpu_ptl_h", "intel_gpu_wcl"},
    {"intel_gpu_ptl_h", "intel_gpu_nvl_s"},
    {"intel_gpu_ptl_h", "intel_gpu_nvl_u"},
};

mez_native_fit mez_native_compare(const char *code, const char *device)
{
    const mez_targets *targets;
    const mez_error unknown = mez_targets_get_default(&targets);
    if (mez_failed(unknown)) {
        mez_log_error(MEZ_TOPIC_IMAGE, unknown);
        return MEZ_NATIVE_MAY_FIT;
    }
    const mez_target *of_code = mez_targets_find(targets, code, NULL);
    const mez_target *of_device = mez_targets_find(targets, device, NULL);
    if (of_code && of_code == of_device)
        return MEZ_NATIVE_FITS;
    if (!of_code || !of_device || of_code->ip_version_count == 0)
        return MEZ_NATIVE_MAY_FIT;
    for (size_t i = 0; i < sizeof compatible / sizeof compatible[0]; i++)
        if (strcmp(compatible[i].code, of_code->name) == 0 &&
            strcmp(compatible[i].device, of_device->name) == 0)
            return MEZ_NATIVE_FITS;
    return MEZ_NATIVE_MISFIT;
}
