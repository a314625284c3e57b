// SPDX-License-Identifier: MIT
//
// Device nodes: are there any, and may this user open them?

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "person.h"

#define CHECK "device nodes"
#define FOLDER "/dev/dri"

static int is_render_node(const struct dirent *entry)
{
    return strncmp(entry->d_name, "renderD", strlen("renderD")) == 0;
}

static int open_node(const char *path)
{
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return errno;
    close(file);
    return 0;
}

static void advise_group(struct doctor *doctor, gid_t number)
{
    struct findings *findings = &doctor->findings;
    char group[128], user[256];
    const enum membership membership = person_membership(doctor, number, group, sizeof group);
    person_name(user, sizeof user);
    if (membership == MEMBER_NOW)
        found_advice(findings,
            "you are in the node's group %s, so something else denies access: a security module, "
            "or the container's rules for devices",
            group);
    else if (membership == MEMBER_LATER)
        found_advice(findings,
            "you are a member of the group %s, but not yet in this session: log in again, or run "
            "`newgrp %s`",
            group, group);
    else if (!*group)
        found_advice(findings,
            "the node's group %u has no name here, which is usual in containers: start the "
            "container with --group-add %u",
            (unsigned)number, (unsigned)number);
    else
        found_advice(findings,
            "join the node's group with `sudo usermod -a -G %s %s`, then log in again", group,
            user);
}

// Why a node with these permissions can't be opened.
static void advise_permission(struct doctor *doctor, const struct stat *node)
{
    if ((node->st_mode & (S_IRGRP | S_IWGRP)) == (S_IRGRP | S_IWGRP) && node->st_uid != geteuid())
        advise_group(doctor, node->st_gid);
    else
        found_advice(&doctor->findings,
            "its permissions %04o allow neither its group nor you to open it: add a udev rule that "
            "sets the group render and mode 0660",
            (unsigned)(node->st_mode & 07777));
}

static void advise_errno(struct doctor *doctor, int reason, const struct stat *node)
{
    if (reason == EACCES)
        advise_permission(doctor, node);
    else if (reason == EPERM)
        found_advice(&doctor->findings,
            "the container is not allowed to use the device: start it with --device " FOLDER);
    else
        found_advice(&doctor->findings,
            "the kernel driver does not respond: see `dmesg`, and reload the driver");
}

// `needed`: no other node can be opened.
static void report_closed(struct doctor *doctor, const char *path, int reason, bool needed)
{
    struct stat node = {0};
    if (stat(path, &node) != 0)
        reason = errno;
    (needed ? found_fail : found_warn)(
        &doctor->findings, CHECK, "%s can't be opened: %s", path, strerror(reason));
    advise_errno(doctor, reason, &node);
}

static void report_nodes(
    struct doctor *doctor, const char *folder, struct dirent **nodes, int count)
{
    char path[PATH_MAX];
    int opened = 0;
    for (int i = 0; i < count; i++) {
        if (snprintf(path, sizeof path, "%s/%s", folder, nodes[i]->d_name) >= (int)sizeof path ||
            open_node(path) != 0)
            continue;
        opened++;
        found_pass(&doctor->findings, CHECK, "%s can be opened", path);
    }
    for (int i = 0; i < count; i++) {
        if (snprintf(path, sizeof path, "%s/%s", folder, nodes[i]->d_name) >= (int)sizeof path)
            continue;
        const int reason = open_node(path);
        if (reason)
            report_closed(doctor, path, reason, opened == 0);
    }
}

static void report_no_folder(struct doctor *doctor, const char *folder, int reason)
{
    if (reason == ENOENT) {
        found_warn(&doctor->findings, CHECK, "%s: %s", folder, strerror(reason));
        found_advice(&doctor->findings,
            "if this machine has an Intel GPU, load the kernel driver (`modprobe i915` or "
            "`modprobe xe`); if this is a container, start it with --device " FOLDER);
    } else {
        found_fail(&doctor->findings, CHECK, "%s: %s", folder, strerror(reason));
        found_advice(&doctor->findings, "let all users read the folder: `chmod 755 %s`", folder);
    }
}

void check_nodes(struct doctor *doctor)
{
    char folder[PATH_MAX];
    struct dirent **nodes = NULL;
    system_path(doctor, folder, FOLDER);
    const int count = scandir(folder, &nodes, is_render_node, alphasort);
    if (count < 0) {
        report_no_folder(doctor, folder, errno);
        return;
    }
    report_nodes(doctor, folder, nodes, count);
    if (count == 0) {
        found_warn(&doctor->findings, CHECK, "%s has no render node", folder);
        found_advice(&doctor->findings, "load the kernel driver of the GPU; if this is a "
                                        "container, start it with --device " FOLDER);
    }
    for (int i = 0; i < count; i++)
        free(nodes[i]);
    free(nodes);
}
