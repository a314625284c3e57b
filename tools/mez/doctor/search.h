// SPDX-License-Identifier: MIT
//
// Where the dynamic linker looks for libraries.

#ifndef DOCTOR_SEARCH_H
#define DOCTOR_SEARCH_H

#include "doctor.h"

typedef void (*folder_visitor)(void *user, const char *folder);

// Visits the folders in the linker's order: LD_LIBRARY_PATH, what /etc/ld.so.conf names, the system's own. A folder may come
// twice, and may not exist.
void visit_library_folders(const struct doctor *doctor, folder_visitor visit, void *user);

#endif
