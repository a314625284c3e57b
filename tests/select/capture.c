// SPDX-License-Identifier: MIT

#include "capture.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define INTEL_DRIVER "libze_intel_gpu.so.1"

// The driver of a month lasts until the next one of this list; the number is the last one in the name of its file.
static const struct generation {
    unsigned first;
    // For each of its products. The last two keep the driver from writing .aub files, and make it fast.
    const char *keys[8];
    bool brings_asserts;
} generations[] = {
    {0,
        {"NEOReadDebugKeys=1", "SetCommandStreamReceiver=1", "AUBDumpSubCaptureMode=1",
            "AUBDumpFilterKernelName=zzz"},
        false},
    // 26.27: Debian's build has no library for .aub files, which the first of the two new keys is for; without it the heap of
    // surfaces can't be made resident, which is what the second avoids.
    {39000,
        {"NEOReadDebugKeys=1", "SetCommandStreamReceiver=1", "UseAubStream=0",
            "UseExternalAllocatorForSshAndDsh=0", "AUBDumpSubCaptureMode=1",
            "AUBDumpFilterKernelName=zzz"},
        true},
};

enum { GENERATIONS = sizeof generations / sizeof generations[0] };
enum { OF_22_43, OF_26_27 };

// 26.27 lets cooperative launches of these products have one work-group.
#define ALONE "cooperation "

// Without its library for .aub files it ends the process where a module of this product has memory with values from the start.
#define BARE_MODULES "module_data "

// Keeps some kilobytes for each submission, though all is freed that was asked for.
#define GROWING "steady_memory "

// Leaves nothing allocated, but goes on to use new pages of memory that it took before: in the 20,000 submissions of the soak 3 to
// 4.4 MB, where the soak allows 4.
#define SPREADING "steady_memory "

// Each product in each generation, beside ProductFamilyOverride=<product>. HardwareInfoOverride is slices x sub-slices x execution
// units; 22.43 counts all sub-slices, 26.27 those of one slice, and wants it always.
static const struct product {
    int generation;
    const char *name;
    const char *key;   // NULL: none
    const char *lacks; // capabilities, with a space behind each
} products[] = {
    {OF_22_43, "skl", NULL, GROWING},
    {OF_22_43, "kbl", NULL, GROWING},
    {OF_22_43, "cfl", NULL, GROWING},
    {OF_22_43, "icllp", NULL, GROWING},
    {OF_22_43, "tgllp", NULL, GROWING},
    {OF_22_43, "rkl", NULL, GROWING},
    {OF_22_43, "dg1", NULL, GROWING},
    {OF_22_43, "adls", NULL, GROWING},
    // Without a kernel driver to ask, these two report limits of 0.
    {OF_22_43, "adlp", "OverrideMaxWorkgroupSize=512", GROWING},
    {OF_22_43, "pvc", "OverrideMaxWorkgroupSize=512", GROWING},
    {OF_22_43, "dg2", "HardwareInfoOverride=8x32x16", GROWING},

    {OF_26_27, "tgllp", "HardwareInfoOverride=1x6x16", ALONE},
    {OF_26_27, "adlp", "HardwareInfoOverride=1x6x16", ALONE},
    {OF_26_27, "dg1", "HardwareInfoOverride=1x6x16", ALONE},
    {OF_26_27, "rkl", "HardwareInfoOverride=1x2x16", ALONE},
    {OF_26_27, "adls", "HardwareInfoOverride=1x2x16", ALONE},
    {OF_26_27, "dg2", "HardwareInfoOverride=8x4x16", ALONE SPREADING},
    {OF_26_27, "mtl", "HardwareInfoOverride=2x4x16", ALONE},
    {OF_26_27, "arl-h", "HardwareInfoOverride=2x4x16", ALONE},
    {OF_26_27, "pvc", "HardwareInfoOverride=8x8x8", ""},
    {OF_26_27, "bmg", "HardwareInfoOverride=5x4x8", ""},
    {OF_26_27, "lnl-m", "HardwareInfoOverride=2x4x8", ""},
    {OF_26_27, "ptl", "HardwareInfoOverride=3x4x8", ""},
    {OF_26_27, "nvl-p", "HardwareInfoOverride=3x4x8", ""},
    {OF_26_27, "cri", "HardwareInfoOverride=8x8x8", BARE_MODULES GROWING},
};

enum { PRODUCTS = sizeof products / sizeof products[0] };

// --- Which driver there is

// Writes the name of the driver's file. In a process of its own, as the driver reads its environment when it is loaded.
static void report_driver(int output)
{
    struct link_map *map = NULL;
    void *driver = dlopen(INTEL_DRIVER, RTLD_NOW | RTLD_LOCAL);
    char path[4096];
    if (driver && dlinfo(driver, RTLD_DI_LINKMAP, &map) == 0 && realpath(map->l_name, path))
        (void)!write(output, path, strlen(path));
    _exit(0);
}

static bool find_driver(char *path, size_t size)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0)
        report_driver(ends[1]);
    close(ends[1]);
    const ssize_t length = child > 0 ? read(ends[0], path, size - 1) : 0;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

// -1: none. A driver whose name has no number is taken for an old one.
static int installed_generation(void)
{
    static int found = -2;
    char path[4096];
    if (found > -2)
        return found;
    found = -1;
    if (!find_driver(path, sizeof path))
        return found;
    const char *dot = strrchr(path, '.');
    const unsigned long build = dot ? strtoul(dot + 1, NULL, 10) : 0;
    for (int i = 0; i < GENERATIONS; i++)
        if (build >= generations[i].first)
            found = i;
    return found;
}

bool mez_test_has_intel_driver(void)
{
    return installed_generation() >= 0;
}

// --- A product

static const struct product *find_product(const char *name)
{
    for (size_t i = 0; i < PRODUCTS; i++)
        if (products[i].generation == installed_generation() && strcmp(products[i].name, name) == 0)
            return &products[i];
    return NULL;
}

// "NAME=VALUE" in the environment.
static void set(const char *key)
{
    char name[64];
    const char *equals = strchr(key, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - key), key);
    setenv(name, equals + 1, 1);
}

bool mez_test_capture(const char *name)
{
    const struct product *product = find_product(name);
    if (!product)
        return false;
    const struct generation *generation = &generations[product->generation];
    for (size_t i = 0; generation->keys[i]; i++)
        set(generation->keys[i]);
    setenv("ProductFamilyOverride", name, 1);
    if (product->key)
        set(product->key);
    return true;
}

const char *mez_test_capture_lacks(const char *name)
{
    const struct product *product = find_product(name);
    return product ? product->lacks : "";
}

bool mez_test_capture_brings_asserts(void)
{
    return installed_generation() >= 0 && generations[installed_generation()].brings_asserts;
}
