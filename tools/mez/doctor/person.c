// SPDX-License-Identifier: MIT

#include "person.h"

#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

void person_name(char *name, size_t size)
{
    const struct passwd *entry = getpwuid(geteuid());
    if (entry)
        snprintf(name, size, "%s", entry->pw_name);
    else
        snprintf(name, size, "%u", (unsigned)geteuid());
}

static bool is_in_now(gid_t group)
{
    const int count = getgroups(0, NULL);
    bool found = getegid() == group;
    if (count <= 0)
        return found;
    gid_t *groups = mez_alloc_array((size_t)count, sizeof *groups);
    const int got = groups ? getgroups(count, groups) : 0;
    for (int i = 0; i < got; i++)
        found |= groups[i] == group;
    mez_free_memory(groups);
    return found;
}

static bool lists(const struct group *entry, const char *name)
{
    for (char **member = entry->gr_mem; *member; member++)
        if (strcmp(*member, name) == 0)
            return true;
    return false;
}

// Does /etc/group list the user there? Sets the group's name.
static bool is_listed(const struct doctor *doctor, gid_t group, char *name, size_t name_size)
{
    char path[PATH_MAX], user[256];
    bool listed = false;
    name[0] = '\0';
    person_name(user, sizeof user);
    system_path(doctor, path, "/etc/group");
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    for (const struct group *entry; (entry = fgetgrent(file));) {
        if (entry->gr_gid != group)
            continue;
        snprintf(name, name_size, "%s", entry->gr_name);
        listed |= lists(entry, user);
    }
    fclose(file);
    return listed;
}

enum membership person_membership(
    const struct doctor *doctor, gid_t group, char *name, size_t name_size)
{
    const bool listed = is_listed(doctor, group, name, name_size);
    return is_in_now(group) ? MEMBER_NOW : listed ? MEMBER_LATER : MEMBER_NOT;
}
