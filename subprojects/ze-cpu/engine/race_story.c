// SPDX-License-Identifier: MIT
//
// What is said of a race.

#include "races.h"
#include "worker.h"

#include <inttypes.h>
#include <stdio.h>

static void describe_place(char *text, size_t size, const struct zc_access_site *site)
{
    if (site != NULL && site->file != NULL)
        snprintf(text, size, " at %.160s:%" PRIu64, site->file, site->line);
    else
        *text = '\0';
}

static void describe_memory(char *text, size_t size, const struct zc_worker *worker,
    const struct zc_race *race, const struct zc_access_site *site)
{
    char object[128] = "its local memory";
    uintptr_t begin = (uintptr_t)zc_worker_local_memory(worker);
    *text = '\0';
    if (!race->is_local && race->object == 0)
        return;
    if (race->object != 0) {
        begin = race->object;
        zc_checked_describe_object(object, sizeof object, site);
    }
    snprintf(text, size, " at offset %" PRId64 " of %s", (int64_t)(race->address - begin), object);
}

static void describe_other(
    char *text, size_t size, const struct zc_worker *worker, const struct zc_race *race)
{
    const struct zc_context *context = &worker->context;
    uint64_t id[3], group = worker->races.group;
    if (race->is_local) {
        zc_worker_local_id(worker, zc_local_record_item(race->record), id);
    } else {
        const uint64_t item = zc_launch_record_item(&worker->races, race->record, &group);
        zc_worker_local_id(worker, item, id);
    }
    if (group == worker->races.group) {
        snprintf(text, size, "[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", id[0], id[1], id[2]);
        return;
    }
    snprintf(text, size,
        "[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "] of group [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]",
        id[0], id[1], id[2], group % context->group_count[0],
        group / context->group_count[0] % context->group_count[1],
        group / context->group_count[0] / context->group_count[1]);
}

static const struct zc_access_site *other_site(const struct zc_race *race)
{
    const uint64_t number =
        race->is_local ? zc_local_record_site(race->record) : zc_launch_record_site(race->record);
    return number != UINT64_MAX ? &race->sites[number] : NULL;
}

static const char *verb_of(enum zc_access_kind kind)
{
    return zc_checked_verb(&(struct zc_access_site){.kind = kind});
}

void zc_race_report(struct zc_worker *worker, const struct zc_race *race)
{
    const struct zc_access_site *site = &race->sites[race->number];
    struct zc_finding *finding = &worker->checking.finding;
    char memory[200], other[160], place[200];
    describe_memory(memory, sizeof memory, worker, race, site);
    describe_other(other, sizeof other, worker, race);
    describe_place(place, sizeof place, other_site(race));
    snprintf(finding->text, sizeof finding->text,
        "%s %" PRIu64 " bytes%s in a race with the work-item with local id %s, which %s there%s",
        zc_checked_verb(site), race->size, memory, other, verb_of(zc_record_access(race->record)),
        place);
    finding->has_address = !race->is_local && race->object == 0;
    finding->address = race->address;
    finding->allocation = 0;
    worker->item = race->item;
    zc_checked_report(worker, site->file, site->line);
}
