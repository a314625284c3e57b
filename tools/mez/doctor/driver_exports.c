// SPDX-License-Identifier: MIT

#include "driver_exports.h"

#include <dlfcn.h>
#include <stdio.h>

// The tables of functions that a loader of specification 1.4 asks for by ...Get...ProcAddrTable. Those behind Exp are optional.
static const struct {
    const char *prefix;
    const char *const *tables; // ends with NULL
} groups[] = {
    {"ze", (const char *const[]){"Global", "Driver", "Device", "Context", "CommandQueue",
               "CommandList", "Event", "EventPool", "Fence", "Image", "Kernel", "Mem", "Module",
               "ModuleBuildLog", "PhysicalMem", "Sampler", "VirtualMem", NULL}},
    {"zes", (const char *const[]){"Device", "Driver", "Diagnostics", "Engine", "FabricPort", "Fan",
                "Firmware", "Frequency", "Led", "Memory", "PerformanceFactor", "Power", "Psu",
                "Ras", "Scheduler", "Standby", "Temperature", NULL}},
    {"zet", (const char *const[]){"Device", "Context", "CommandList", "Kernel", "Module", "Debug",
                "Metric", "MetricGroup", "MetricQuery", "MetricQueryPool", "MetricStreamer",
                "TracerExp", NULL}},
};

uint32_t driver_missing_exports(void *driver, char *first, size_t first_size)
{
    char name[64];
    uint32_t missing = 0;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        for (const char *const *table = groups[i].tables; *table; table++) {
            snprintf(name, sizeof name, "%sGet%sProcAddrTable", groups[i].prefix, *table);
            if (!dlsym(driver, name) && missing++ == 0)
                snprintf(first, first_size, "%s", name);
        }
    return missing;
}
