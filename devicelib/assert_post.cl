// SPDX-License-Identifier: MIT
//
// The fallback for drivers that do not know device-side asserts, for images that Mezzanine could give hidden arguments
// (lib/spirv/hidden.h): each launch names a mailbox and its number there, so that launches that run at the same time have records of
// their own.

#include <mezzanine/assert_mailbox.h>

#include "collect.h"

void __mez_assert_post(const char *expression, const char *file, int line, const char *function,
    ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2, global uchar *to,
    uint launch)
{
    global struct mez_assert_mailbox *mailbox = (global struct mez_assert_mailbox *)to;
    const struct failure failure = {
        .expression = expression,
        .file = file,
        .function = function,
        .line = line,
        .launch = launch,
        .gid = {gid0, gid1, gid2},
        .lid = {lid0, lid1, lid2},
    };
    if (mailbox->collects)
        collect(&mailbox->log, &failure);
    if (count_one(&mailbox->failures[launch]) > 0)
        return;
    const uint place = count_one(&mailbox->taken);
    if (place >= MEZ_MAILBOX_RECORDS)
        return;
    mailbox->first[place].Serial = launch;
    fill(&mailbox->first[place], &failure);
}
