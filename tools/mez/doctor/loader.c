// SPDX-License-Identifier: MIT
//
// Is there a Level Zero loader?

#include <dlfcn.h>

#include <mezzanine/driver.h>

#include "apart.h"
#include "doctor.h"
#include "library_file.h"

#define CHECK "loader"
#define INIT_DRIVERS "zeInitDrivers" // of specification 1.10

struct answer {
    bool opened;
    bool has_init_drivers;
    char path[PATH_MAX];
    char error[1024];
};

static void open_it(const void *question, void *answer)
{
    (void)question;
    struct answer *found = answer;
    void *loader = open_library(MEZ_LOADER_LIBRARY, found->path, found->error, sizeof found->error);
    if (!loader)
        return;
    found->opened = true;
    found->has_init_drivers = dlsym(loader, INIT_DRIVERS) != NULL;
}

static void advise(struct doctor *doctor)
{
    found_advice(&doctor->findings, "install the Level Zero loader (Debian: package libze1), or "
                                    "add the folder of a working one to LD_LIBRARY_PATH");
}

void check_loader(struct doctor *doctor)
{
    struct answer answer;
    char end[256], printed[256];
    const struct apart apart = {.work = open_it,
        .who = "the library",
        .answer = &answer,
        .size = sizeof answer,
        .seconds = DRIVER_SECONDS,
        .printed = printed,
        .printed_size = sizeof printed};
    if (!apart_ask(&apart, end, sizeof end)) {
        found_fail(&doctor->findings, CHECK, MEZ_LOADER_LIBRARY " can't be opened: %s", end);
        advise(doctor);
    } else if (!answer.opened) {
        found_fail(&doctor->findings, CHECK, "%s", answer.error);
        advise(doctor);
    } else {
        found_pass(&doctor->findings, CHECK, "%s, version %s, %s " INIT_DRIVERS, answer.path,
            library_version(answer.path), answer.has_init_drivers ? "with" : "without");
    }
}
