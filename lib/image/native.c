// SPDX-License-Identifier: MIT

#include "image/native.h"

#include <string.h>

#include "target/target.h"

// Devices that run code compiled for another one (facts: images-and-requirements.md 5).
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

// Containers that name no device in the places for it may do so in place of the format, which is none then: "spir64_gen" is.
const char *mez_native_target(const mez_part *part)
{
    const char *device = mez_binary_compiled_for(part->binary);
    return device[0] ? device : part->binary->target;
}

mez_native_fit mez_native_compare(const char *code, const char *device)
{
    const mez_targets *targets;
    const mez_error unknown = mez_targets_default(&targets);
    if (mez_failed(unknown)) {
        mez_log_error(MEZ_TOPIC_IMAGE, unknown);
        return MEZ_NATIVE_MAY_FIT;
    }
    const mez_target *of_code = mez_targets_find(targets, code, NULL);
    const mez_target *of_device = mez_targets_find(targets, device, NULL);
    if (!of_code || !of_device || of_code->ip_version_count == 0)
        return MEZ_NATIVE_MAY_FIT;
    if (of_code == of_device)
        return MEZ_NATIVE_FITS;
    for (size_t i = 0; i < sizeof compatible / sizeof compatible[0]; i++)
        if (strcmp(compatible[i].code, of_code->name) == 0 &&
            strcmp(compatible[i].device, of_device->name) == 0)
            return MEZ_NATIVE_FITS;
    return MEZ_NATIVE_MISFIT;
}

mez_native_fit mez_native_fits(const mez_part *part, const mez_device *device)
{
    return mez_native_compare(mez_native_target(part), mez_device_get_architecture(device));
}
