// SPDX-License-Identifier: MIT
//
// Intel's GPUs on the PCI bus, and what the kernel does with them.

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor.h"

#define CHECK "kernel driver"
#define FOLDER "/sys/bus/pci/devices"
#define INTEL 0x8086
#define DISPLAY 0x03 // first byte of the PCI class

// A hexadecimal number, as sysfs writes them; 0: there is none.
static unsigned read_number(const char *folder, const char *device, const char *name)
{
    char path[PATH_MAX], line[32];
    if (snprintf(path, sizeof path, "%s/%s/%s", folder, device, name) >= (int)sizeof path ||
        !system_line(path, line, sizeof line))
        return 0;
    return (unsigned)strtoul(line, NULL, 16);
}

// Name of the kernel's driver; "": none has taken the device.
static void read_driver(const char *folder, const char *device, char name[PATH_MAX])
{
    char path[PATH_MAX], target[PATH_MAX];
    name[0] = '\0';
    if (snprintf(path, sizeof path, "%s/%s/driver", folder, device) >= (int)sizeof path)
        return;
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return;
    target[length] = '\0';
    const char *slash = strrchr(target, '/');
    snprintf(name, PATH_MAX, "%s", slash ? slash + 1 : target);
}

static void report_gpu(struct doctor *doctor, const char *folder, const char *device)
{
    struct findings *findings = &doctor->findings;
    char driver[PATH_MAX];
    struct utsname kernel = {0};
    uname(&kernel);
    const unsigned number = read_number(folder, device, "device");
    read_driver(folder, device, driver);
    if (strcmp(driver, "i915") == 0 || strcmp(driver, "xe") == 0) {
        found_pass(findings, CHECK, "Intel GPU 8086:%04x at %s: %s of Linux %s", number, device,
            driver, kernel.release);
    } else if (*driver) {
        found_fail(findings, CHECK, "Intel GPU 8086:%04x at %s: it is bound to %s", number, device,
            driver);
        found_advice(findings, "%s can't run kernels: bind the GPU to i915 or xe", driver);
    } else {
        found_fail(findings, CHECK, "Intel GPU 8086:%04x at %s: Linux %s has no driver for it",
            number, device, kernel.release);
        found_advice(findings, "load i915 or xe (`modprobe`), or use a newer kernel if neither "
                               "supports this GPU; `dmesg` shows why a driver refuses it");
    }
}

static bool is_intel_gpu(const char *folder, const char *device)
{
    return device[0] != '.' && read_number(folder, device, "vendor") == INTEL &&
           read_number(folder, device, "class") >> 16 == DISPLAY;
}

void check_kernel(struct doctor *doctor)
{
    char path[PATH_MAX];
    system_path(doctor, path, FOLDER);
    DIR *folder = opendir(path);
    if (!folder) {
        found_warn(&doctor->findings, CHECK, "%s: %s", path, strerror(errno));
        found_advice(&doctor->findings, "GPUs can't be found without it; containers may hide /sys, "
                                        "and machines without PCI do not have this folder");
        return;
    }
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (!is_intel_gpu(path, entry->d_name))
            continue;
        report_gpu(doctor, path, entry->d_name);
        count++;
    }
    closedir(folder);
    if (count > 0)
        return;
    found_warn(&doctor->findings, CHECK, "there is no Intel GPU on the PCI bus");
    found_advice(&doctor->findings,
        "if this machine has no Intel GPU, there is nothing to do: programs run "
        "on the CPU driver; otherwise enable the GPU in the firmware setup, or "
        "in the settings of the virtual machine");
}
