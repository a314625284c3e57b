// SPDX-License-Identifier: MIT
//
// Who runs this process, and which groups that is in.

#ifndef DOCTOR_PERSON_H
#define DOCTOR_PERSON_H

#include <sys/types.h>

#include "doctor.h"

enum membership {
    MEMBER_NOT,   // of the group
    MEMBER_LATER, // /etc/group says so, but this process was started before, or without it
    MEMBER_NOW
};

// Name of the user; its number where it has none.
void person_name(char *name, size_t size);

// Of this process in a group, of which *name is set to the name in /etc/group below the root; "": it has none there.
enum membership person_membership(
    const struct doctor *doctor, gid_t group, char *name, size_t name_size);

#endif
