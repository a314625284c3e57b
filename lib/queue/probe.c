// SPDX-License-Identifier: MIT

#include "queue/probe.h"

#include "base/alloc.h"

mez_error mez_probe_reserve(mez_probe *probe)
{
    if (probe->module_count < probe->module_capacity)
        return mez_ok();
    const uint32_t capacity = probe->module_capacity ? probe->module_capacity * 2 : 4;
    mez_module **modules = mez_realloc_array(probe->modules, capacity, sizeof(mez_module *));
    if (!modules)
        return mez_error_no_memory("a list of modules");
    probe->modules = modules;
    probe->module_capacity = capacity;
    return mez_ok();
}

void mez_probe_add(mez_probe *probe, mez_module *module)
{
    probe->native |= module->native_asserts;
    if (!module->assert_record)
        return;
    for (uint32_t i = 0; i < probe->module_count; i++)
        if (probe->modules[i] == module)
            return;
    probe->modules[probe->module_count++] = module;
}

void mez_probe_finish(mez_probe *probe)
{
    if (probe->records)
        probe->platform->probe_hooks->finish(probe);
    mez_free_memory(probe->modules);
    *probe = (mez_probe){0};
}
