// SPDX-License-Identifier: MIT

#include "select.h"

#include "capture.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_unknown_product;

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

// A product that this driver can't imitate is a device that is absent.
static bool select_capture(void)
{
    set("MEZ_DRIVERS", "gpu");
    is_unknown_product = !mez_test_capture(variant());
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

static bool render_node_exists(void)
{
    glob_t nodes = {0};
    const bool found = glob("/dev/dri/renderD*", 0, NULL, &nodes) == 0;
    globfree(&nodes);
    return found;
}

bool mez_test_is_absent(char *reason, size_t size)
{
    const char *name = mez_test_device_name();
    const bool gpu = strcmp(name, "gpu") == 0;
    if (!gpu && !starts_with(name, "capture:"))
        return false;
    if (gpu && !render_node_exists())
        return snprintf(reason, size, "no GPU: there is no /dev/dri/renderD*") > 0;
    if (!mez_test_has_intel_driver())
        return snprintf(reason, size, "no Intel driver: libze_intel_gpu.so.1 can't be opened") > 0;
    if (is_unknown_product)
        return snprintf(reason, size, "no %s: this Intel driver does not imitate it", name) > 0;
    return false;
}

bool mez_test_has_no_gpu(mez_error error, char *reason, size_t size)
{
    if (strcmp(mez_test_device_name(), "gpu") != 0 || !mez_error_is(error, MEZ_ERRC_PLATFORM))
        return false;
    return snprintf(reason, size, "no Intel GPU: the driver reports no device") > 0;
}

const char *mez_test_device_lacks(void)
{
    return starts_with(mez_test_device_name(), "capture:") ? mez_test_capture_lacks(variant()) : "";
}

bool mez_test_compiler_brings_asserts(void)
{
    return starts_with(mez_test_device_name(), "capture:") && mez_test_capture_brings_asserts();
}
