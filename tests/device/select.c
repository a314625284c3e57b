// SPDX-License-Identifier: MIT

#include "select.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTEL_DRIVER "libze_intel_gpu.so.1"

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

const char *mez_test_device_name(void)
{
    const char *name = getenv("MEZ_TEST_DEVICE");
    return name && *name ? name : "cpu";
}

bool mez_test_runs_kernels(void)
{
    return starts_with(mez_test_device_name(), "cpu") || strcmp(mez_test_device_name(), "gpu") == 0;
}

bool mez_test_may_abandon(void)
{
#if defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
    return false;
#endif
#endif
    return true;
}

// The part behind the colon, or "".
static const char *variant(void)
{
    const char *colon = strchr(mez_test_device_name(), ':');
    return colon ? colon + 1 : "";
}

static void set(const char *name, const char *value)
{
    setenv(name, value, 1);
}

static bool select_cpu(void)
{
    set("MEZ_DRIVERS", "cpu");
    if (*variant())
        set("ZE_CPU_PERSONA", variant());
    return true;
}

static bool select_noop(void)
{
    const char *driver = getenv("MEZ_TEST_NOOP_DRIVER");
    if (!driver) {
        fprintf(stderr,
            "MEZ_TEST_NOOP_DRIVER must name libze_noop.so: use meson test or meson devenv\n");
        return false;
    }
    set("ZE_ENABLE_ALT_DRIVERS", driver);
    return true;
}

// The last two keys keep the driver from writing .aub files, and make it fast.
static bool select_capture(void)
{
    const char *product = variant();
    set("MEZ_DRIVERS", "gpu");
    set("NEOReadDebugKeys", "1");
    set("SetCommandStreamReceiver", "1");
    set("ProductFamilyOverride", product);
    set("AUBDumpSubCaptureMode", "1");
    set("AUBDumpFilterKernelName", "zzz");
    // Without a kernel driver to ask, these products report limits of 0.
    if (strcmp(product, "adlp") == 0 || strcmp(product, "pvc") == 0)
        set("OverrideMaxWorkgroupSize", "512");
    if (strcmp(product, "dg2") == 0)
        set("HardwareInfoOverride", "8x32x16");
    return true;
}

static bool select_gpu(void)
{
    set("MEZ_DRIVERS", "gpu");
    return true;
}

bool mez_test_select_device(void)
{
    const char *name = mez_test_device_name();
    if (!getenv("MEZ_TEST_KERNELS")) {
        fprintf(stderr,
            "MEZ_TEST_KERNELS must name the kernels' folder: use meson test or meson devenv\n");
        return false;
    }
    if (strcmp(name, "cpu") == 0 || starts_with(name, "cpu:"))
        return select_cpu();
    if (strcmp(name, "noop") == 0)
        return select_noop();
    if (starts_with(name, "capture:") && *variant())
        return select_capture();
    if (strcmp(name, "gpu") == 0)
        return select_gpu();
    fprintf(
        stderr, "MEZ_TEST_DEVICE=%s: use cpu[:persona], noop, capture:<product> or gpu\n", name);
    return false;
}

static bool driver_is_installed(void)
{
    void *driver = dlopen(INTEL_DRIVER, RTLD_NOW | RTLD_LOCAL);
    if (driver)
        dlclose(driver);
    return driver != NULL;
}

static bool render_node_exists(void)
{
    glob_t nodes = {0};
    const bool found = glob("/dev/dri/renderD*", 0, NULL, &nodes) == 0;
    globfree(&nodes);
    return found;
}

bool mez_test_is_absent(mez_error error, char *reason, size_t size)
{
    const char *name = mez_test_device_name();
    const bool gpu = strcmp(name, "gpu") == 0;
    if (!mez_error_is(error, MEZ_ERRC_PLATFORM) || !(gpu || starts_with(name, "capture:")))
        return false;
    if (gpu && !render_node_exists())
        return snprintf(reason, size, "no GPU: there is no /dev/dri/renderD*") > 0;
    if (!driver_is_installed())
        return snprintf(reason, size, "no Intel driver: " INTEL_DRIVER " can't be opened") > 0;
    if (gpu)
        return snprintf(reason, size, "no Intel GPU: the driver reports no device") > 0;
    return false;
}
