// SPDX-License-Identifier: MIT
//
// The functions of a driver that is asked by itself, without the loader, by the tables that drivers give to loaders.
//
// Thread-safety: as the driver's; a table never changes after it has been read.

#ifndef MEZ_ZE_TABLES_H
#define MEZ_ZE_TABLES_H

#include <level_zero/ze_ddi.h>

#include "base/error.h"
#include "ze/call.h"

#define MEZ_MOST_TABLE_ENTRIES \
    256 // a driver fills in what it has, which may be more than our headers know

typedef union mez_driver_table {
    ze_global_dditable_t global;
    ze_driver_dditable_t driver;
    ze_device_dditable_t device;
    void *entries[MEZ_MOST_TABLE_ENTRIES];
} mez_driver_table;

typedef struct mez_driver_tables {
    mez_driver_table global, driver, device;
} mez_driver_tables;

// Reads the tables of a library, which messages call `name`. Those of pfnInit, driver.pfnGet, device.pfnGet and
// device.pfnGetProperties are there then; others may be NULL. MEZ_ERRC_PLATFORM: it does not give them.
mez_error mez_driver_tables_read(void *library, const char *name, mez_driver_tables *tables);

// Calls an entry of a table as ZE does with the function of the loader that has this name.
#define MEZ_DRIVER_CALL(tables, group, entry, name, ...)                            \
    mez_ze_checked(mez_ze_traced((tables)->group.group.entry(__VA_ARGS__),          \
                       #name "(" #__VA_ARGS__ ") of a driver", __FILE__, __LINE__), \
        #name "(" #__VA_ARGS__ ") of a driver", __FILE__, __LINE__)

#endif
