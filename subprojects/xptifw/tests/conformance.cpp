// SPDX-License-Identifier: MIT
//
// A subscriber in C++ that takes events for what C++ headers say that they are: metadata for a std::unordered_map, trace points for
// objects of classes with virtual functions. At each node it looks at both, changes both, and counts what is not as it must be.

#include <mezzanine/xpti.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>

// The classes in the order of the interface; only that is compiled in.
struct payload_class {
    virtual ~payload_class() = default;
    virtual const char *name() const = 0;
    virtual const char *file() const = 0;
    virtual uint32_t line() const = 0;
    virtual uint32_t column() const = 0;
    virtual uint64_t flags() const = 0;
    virtual int32_t name_string() const = 0;
    virtual int32_t file_string() const = 0;
    virtual uint64_t id() const = 0;
    virtual bool is_valid() const = 0;
    virtual mez_xpti_payload *data() = 0;
};

struct metadata_class {
    virtual ~metadata_class() = default;
    virtual mez_xpti_result first(char **key, mez_xpti_object &value) = 0;
    virtual mez_xpti_result next(char **key, mez_xpti_object &value) = 0;
    virtual mez_xpti_result add(const char *key, mez_xpti_object value) = 0;
    virtual size_t count() = 0;
};

struct event_class {
    virtual ~event_class() = default;
    virtual payload_class *payload() = 0;
    virtual metadata_class *metadata() = 0;
    virtual uint64_t id() const = 0;
    virtual uint64_t instance() const = 0;
    virtual uint16_t type() const = 0;
    virtual uint16_t activity() const = 0;
    virtual uint64_t source() const = 0;
    virtual uint64_t target() const = 0;
    virtual uint64_t flags() const = 0;
    virtual void set_activity(int activity) = 0;
    virtual void set_type(uint16_t type) = 0;
    virtual mez_xpti_payload *payload_data() = 0;
    virtual mez_xpti_event *data() = 0;
};

struct tracepoint_class {
    virtual ~tracepoint_class() = default;
    virtual payload_class *payload() = 0;
    virtual metadata_class *metadata() = 0;
    virtual event_class *event() = 0;
    virtual uint64_t id() const = 0;
    virtual uint64_t instance() const = 0;
    virtual mez_xpti_event *event_data() = 0;
    virtual mez_xpti_payload *payload_data() = 0;
};

using metadata_map = std::unordered_map<uint32_t, int32_t>;
static_assert(sizeof(metadata_map) == sizeof(mez_xpti_map), "this is not libstdc++'s map");

extern "C" __attribute__((visibility("default"))) int checked, wrong;
int checked, wrong;

static void check(bool condition, const char *text, int line)
{
    checked++;
    if (condition)
        return;
    wrong++;
    std::fprintf(stderr, "conformance.cpp:%d: %s\n", line, text);
}
#define CHECK(condition) check((condition), #condition, __LINE__)

// The producer writes the value n for the key "key n".
static uint32_t key(int n)
{
    char *kept;
    return xptiRegisterString(("key " + std::to_string(n)).c_str(), &kept);
}

static void look_at(metadata_map &map, int known)
{
    int seen = 0;
    for (const auto &[string, value] : map) {
        CHECK(string == key(value));
        seen++;
    }
    CHECK(seen == known);
    CHECK(map.size() == size_t(known));
    for (int i = 0; i < known; i++) {
        CHECK(map.count(key(i)) == 1);
        CHECK(map.find(key(i)) != map.end() && map.at(key(i)) == i);
    }
    CHECK(map.find(key(1000)) == map.end());
    const metadata_map copy = map;
    CHECK(copy == map);
}

// Insertions make the real class lay out new buckets; half of what it erases is the producer's, half its own.
static void change(metadata_map &map, int known)
{
    const int more = 40;
    for (int i = known; i < known + more; i++)
        map[key(i)] = i;
    look_at(map, known + more);
    for (int i = 0; i < known + more; i += 2)
        CHECK(map.erase(key(i)) == 1);
    for (int i = 0; i < known + more; i++)
        CHECK(map.count(key(i)) == size_t(i % 2));
    map.erase(map.begin());
    map.insert({key(2000), 2000});
    CHECK(map.at(key(2000)) == 2000);
    metadata_map other = map, taken;
    taken.swap(other);
    CHECK(taken == map);
    map = taken;
    map.rehash(7);
    CHECK(taken == map);
}

static void look_at(payload_class *it, const mez_xpti_event *event)
{
    CHECK(!std::strcmp(it->name(), "saxpy") && !std::strcmp(it->file(), "main.c"));
    CHECK(it->line() == 7 && it->column() == 0);
    CHECK(it->flags() & MEZ_XPTI_HAS_LINE);
    CHECK(!std::strcmp(xptiLookupString(uint32_t(it->name_string())), "saxpy"));
    CHECK(!std::strcmp(xptiLookupString(uint32_t(it->file_string())), "main.c"));
    CHECK(it->id() == event->unique_id);
    CHECK(it->is_valid());
    CHECK(it->data() == event->payload);
}

static void look_at(event_class *it, mez_xpti_event *event)
{
    CHECK(it->id() == event->unique_id && it->instance() == event->instance_id);
    CHECK(it->source() == event->source_id && it->target() == event->target_id);
    CHECK(it->flags() == event->flags);
    CHECK(it->payload_data() == event->payload && it->data() == event);
    it->set_type(MEZ_XPTI_EVENT_BARRIER);
    it->set_activity(MEZ_XPTI_ACTIVITY_SLEEP);
    CHECK(it->type() == MEZ_XPTI_EVENT_BARRIER && event->event_type == MEZ_XPTI_EVENT_BARRIER);
    CHECK(it->activity() == MEZ_XPTI_ACTIVITY_SLEEP);
    look_at(it->payload(), event);
    CHECK(it->metadata()->count() == event->metadata.count);
}

static void look_at(metadata_class *it)
{
    char *name;
    mez_xpti_object value;
    CHECK(it->first(&name, value) == MEZ_XPTI_FALSE && it->count() == 0);
    CHECK(it->next(&name, value) == MEZ_XPTI_FALSE);
    for (int i = 0; i < 20; i++)
        CHECK(it->add(("key " + std::to_string(i)).c_str(), i) == MEZ_XPTI_SUCCESS);
    CHECK(it->add("key 3", 3) == MEZ_XPTI_DUPLICATE);
    CHECK(it->count() == 20);
    int seen = 0, sum = 0;
    for (auto result = it->first(&name, value); result == MEZ_XPTI_SUCCESS;
         result = it->next(&name, value)) {
        CHECK("key " + std::to_string(value) == name);
        seen++;
        sum += value;
    }
    CHECK(seen == 20 && sum == 190);
}

static void look_at_tracepoint()
{
    auto *it =
        static_cast<tracepoint_class *>(xptiCreateTracepoint("saxpy", "main.c", 7, 0, nullptr));
    mez_xpti_event *event = it->event_data();
    CHECK(it->id() == event->unique_id && it->instance() == event->instance_id);
    CHECK(it->payload_data() == event->payload);
    look_at(it->metadata());
    look_at(it->payload(), event);
    look_at(it->event(), event);
    look_at(static_cast<event_class *>(const_cast<void *>(xptiLookupEvent(it->id()))), event);
    look_at(static_cast<payload_class *>(const_cast<void *>(xptiLookupPayload(it->id()))), event);
    CHECK(xptiDeleteTracepoint(it) == MEZ_XPTI_SUCCESS);
}

static void on_node(uint16_t, mez_xpti_event *, mez_xpti_event *event, uint64_t, const void *known)
{
    auto &map = *reinterpret_cast<metadata_map *>(xptiQueryMetadata(event));
    look_at(map, *static_cast<const int *>(known));
    change(map, *static_cast<const int *>(known));
    look_at_tracepoint();
}

void xptiTraceInit(unsigned, unsigned, const char *, const char *stream)
{
    if (!std::strcmp(stream, "solver"))
        xptiRegisterCallback(xptiRegisterStream(stream), MEZ_XPTI_NODE_CREATE, on_node);
}

void xptiTraceFinish(const char *)
{
}
