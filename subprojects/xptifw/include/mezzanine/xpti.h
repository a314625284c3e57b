// SPDX-License-Identifier: MIT
//
// The functions of XPTI in plain C: 50, as the dispatcher libxptifw.so exports them, Mezzanine's or Intel's.
//
// A producer (a program or library that reports what it does) links libmezzanine-xpti.a (pkg-config: mezzanine-xpti), which has the
// same functions, loads the dispatcher that XPTI_FRAMEWORK_DISPATCHER names and passes them on; see <mezzanine/xpti_proxy.h>. Its
// calls, in this order:
//
//     xptiFrameworkInitialize();
//     const mez_xpti_stream stream = xptiRegisterStream("solver");
//     xptiInitialize("solver", 1, 0, "solver 1.0");                   // now subscribers get to know the stream
//     ...
//     uint64_t instance;
//     mez_xpti_payload where = {.name = "step", .file = __FILE__, .line = __LINE__,
//         .flags = MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_FILE | MEZ_XPTI_HAS_LINE};
//     mez_xpti_event *step = xptiMakeEvent(NULL, &where, MEZ_XPTI_EVENT_ALGORITHM, MEZ_XPTI_ACTIVITY_ACTIVE, &instance);
//     xptiNotifySubscribers(stream, MEZ_XPTI_TASK_BEGIN, NULL, step, instance, NULL);
//     ...
//     xptiReleaseEvent(step);
//     ...
//     xptiFinalize("solver");
//     xptiFrameworkFinalize();
//
// A subscriber (a tool) is a shared library that XPTI_SUBSCRIBERS names. It exports xptiTraceInit and xptiTraceFinish, declared
// below, registers its callbacks in the first, and need not be linked with anything: the dispatcher that loads it is there.
//
// Thread-safety: safe, except for xptiReset.

#ifndef MEZZANINE_XPTI_H
#define MEZZANINE_XPTI_H

#include <mezzanine/xpti_data.h>
#include <mezzanine/xpti_types.h>

#ifndef MEZ_XPTI_API
#define MEZ_XPTI_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// --- The framework

// Counted; the last Finalize ends every stream.
MEZ_XPTI_API void xptiFrameworkInitialize(void);
MEZ_XPTI_API void xptiFrameworkFinalize(void);

// Announces a stream to every subscriber. INVALID_ARGUMENT: no name or no version; FAIL: there are 254 streams already, or there is
// no memory.
MEZ_XPTI_API mez_xpti_result xptiInitialize(
    const char *stream, uint32_t major, uint32_t minor, const char *version);
// When everybody who has announced the stream has called it: no callback is called for it any more, and every subscriber is notified.
MEZ_XPTI_API void xptiFinalize(const char *stream);

// True: there is a subscriber, and XPTI_TRACE_ENABLE is not set, empty, "1" or "true"; or xptiForceSetTraceEnabled has said so.
MEZ_XPTI_API bool xptiTraceEnabled(void);
// True: and somebody listens to this type of the stream; 0: to any.
MEZ_XPTI_API bool xptiCheckTraceEnabled(mez_xpti_stream stream, uint16_t trace_type);
// Tools switch tracing on and off while the program runs.
MEZ_XPTI_API void xptiForceSetTraceEnabled(bool enabled);
// Forgets every stream, string, object, event and callback, for tests. No other thread may be in any function, and nothing that
// the dispatcher has handed out may be used any more.
MEZ_XPTI_API void xptiReset(void);

// --- Streams

// The same name gets the same stream. NO_STREAM: no name, or there are 254 already.
MEZ_XPTI_API mez_xpti_stream xptiRegisterStream(const char *name);
// As xptiFinalize, whoever else has announced it. INVALID_ARGUMENT: no name; NOT_FOUND: nobody listened to it.
MEZ_XPTI_API mez_xpti_result xptiUnregisterStream(const char *name);
// The most that any subscriber wants of the stream: MEZ_XPTI_DETAIL_*.
MEZ_XPTI_API uint8_t xptiGetEffectiveStreamDetailLevel(mez_xpti_stream stream);

// --- Callbacks

// Called in the order of registration. DUPLICATE: is registered; UNDELETE: was registered once and is again;
// INVALID_ARGUMENT: no callback, or a number that is not a stream; FAIL: no memory.
MEZ_XPTI_API mez_xpti_result xptiRegisterCallback(
    mez_xpti_stream stream, uint16_t trace_type, mez_xpti_callback callback);
// A call that another thread is in goes on. NOT_FOUND: is not registered.
MEZ_XPTI_API mez_xpti_result xptiUnregisterCallback(
    mez_xpti_stream stream, uint16_t trace_type, mez_xpti_callback callback);
// Calls the callbacks of the type, with no lock held. SUCCESS also when there is none; FALSE: tracing is off; INVALID_ARGUMENT: no
// event, except for the types of functions, memory and diagnostics, which then need user data.
MEZ_XPTI_API mez_xpti_result xptiNotifySubscribers(mez_xpti_stream stream, uint16_t trace_type,
    mez_xpti_event *parent, mez_xpti_event *event, uint64_t instance, const void *user_data);

// Types of one's own, for a tool's or library's name; `user_type` below 128. 0: no name, there are 255 already, or no memory.
MEZ_XPTI_API uint16_t xptiRegisterUserDefinedTracePoint(const char *tool, uint8_t user_type);
MEZ_XPTI_API uint16_t xptiRegisterUserDefinedEventType(const char *tool, uint8_t user_type);

// --- Strings and objects. Each is kept once, for as long as the process lives.

// NO_STRING: no text, an empty one, no `kept`, or no memory. *kept becomes the dispatcher's copy; NULL on failure.
MEZ_XPTI_API mez_xpti_string xptiRegisterString(const char *text, char **kept);
// NULL: there is none.
MEZ_XPTI_API const char *xptiLookupString(mez_xpti_string string);
// NO_OBJECT: no data, or no memory.
MEZ_XPTI_API mez_xpti_object xptiRegisterObject(const char *data, size_t size, uint8_t type);
// Of one that is not there `data` is NULL and the size 0.
MEZ_XPTI_API mez_xpti_object_data xptiLookupObject(mez_xpti_object object);

// --- Events

// A new event for a visit of the location; `instance` becomes its number. The first argument is not used. NULL: no payload, none with
// a name or file, no `instance`, or no memory. Release it with xptiReleaseEvent; what is not released stays for ever.
MEZ_XPTI_API mez_xpti_event *xptiMakeEvent(const char *name, mez_xpti_payload *payload,
    uint16_t event_type, int activity_type, uint64_t *instance);
// Ignores what is not an event. Afterwards nothing of the event may be touched.
MEZ_XPTI_API void xptiReleaseEvent(mez_xpti_event *event);
// DUPLICATE: the key had a value and has this one now. INVALID_ARGUMENT: no event, no key or an empty one; FAIL: no memory.
MEZ_XPTI_API mez_xpti_result xptiAddMetadata(
    mez_xpti_event *event, const char *key, mez_xpti_object value);
MEZ_XPTI_API mez_xpti_map *xptiQueryMetadata(mez_xpti_event *event);
// NULL: no event has that id now.
MEZ_XPTI_API const mez_xpti_event *xptiFindEvent(uint64_t id);
MEZ_XPTI_API const mez_xpti_payload *xptiQueryPayload(mez_xpti_event *event);
MEZ_XPTI_API const mez_xpti_payload *xptiQueryPayloadByUID(uint64_t id);
// An id that stands for a location, written to the payload too; 0: the payload has neither name nor file, or there is no memory.
MEZ_XPTI_API uint64_t xptiRegisterPayload(mez_xpti_payload *payload);
// 1, 2, 3 and so on, for instances of one's own.
MEZ_XPTI_API uint64_t xptiGetUniqueId(void);

// --- Trace points as C++ objects: pointers to classes with virtual functions, which C only passes on

MEZ_XPTI_API void *xptiCreateTracepoint(
    const char *function, const char *file, uint32_t line, uint32_t column, void *code);
// INVALID_ARGUMENT: it is not a trace point.
MEZ_XPTI_API mez_xpti_result xptiDeleteTracepoint(void *tracepoint);
MEZ_XPTI_API const void *xptiLookupPayload(uint64_t id); // a xpti_payload_t; NULL: none
MEZ_XPTI_API const void *xptiLookupEvent(uint64_t id);   // a xpti_trace_event_t; NULL: none

// --- What the calling thread is doing, for the layers below it

// The id of the event that the thread is in; 0: none.
MEZ_XPTI_API uint64_t xptiGetUniversalId(void);
MEZ_XPTI_API void xptiSetUniversalId(uint64_t id);
// One pair of a key and a value. `key` is not copied: it must live until the next pair. FAIL: no key.
MEZ_XPTI_API mez_xpti_result xptiStashTuple(const char *key, uint64_t value);
// NOT_FOUND: nothing is stashed; INVALID_ARGUMENT: no `key` or no `value`.
MEZ_XPTI_API mez_xpti_result xptiGetStashedTuple(char **key, uint64_t *value);
// Nothing: the pair stays until the next one. (It is so in Intel's, and tools depend on it.)
MEZ_XPTI_API void xptiUnstashTuple(void);

// The thread's trace point, which also sets its universal id.
MEZ_XPTI_API const void *xptiGetTracepointScopeData(void);
MEZ_XPTI_API mez_xpti_result xptiSetTracepointScopeData(void *tracepoint);
MEZ_XPTI_API void xptiUnsetTracepointScopeData(void);
// As xptiCreateTracepoint; it is the caller who sets it as the thread's.
MEZ_XPTI_API const void *xptiRegisterTracepointScope(
    const char *function, const char *file, uint32_t line, uint32_t column, void *code);
MEZ_XPTI_API void xptiEnableTracepointScopeNotification(bool enabled);
MEZ_XPTI_API bool xptiCheckTracepointScopeNotification(void);

// --- What scopes notify with

MEZ_XPTI_API mez_xpti_stream xptiGetDefaultStreamID(void);
MEZ_XPTI_API mez_xpti_result xptiSetDefaultStreamID(mez_xpti_stream stream);
MEZ_XPTI_API uint16_t xptiGetDefaultEventType(void);
MEZ_XPTI_API mez_xpti_result xptiSetDefaultEventType(uint16_t event_type);
MEZ_XPTI_API uint16_t xptiGetDefaultTraceType(void);
MEZ_XPTI_API mez_xpti_result xptiSetDefaultTraceType(uint16_t trace_type);

// --- What a subscriber exports. The first two are needed.

// Called for every stream, known to the subscriber or not, and perhaps more than once.
__attribute__((visibility("default"))) void xptiTraceInit(
    unsigned major, unsigned minor, const char *version, const char *stream);
__attribute__((visibility("default"))) void xptiTraceFinish(const char *stream);
// Writes how much is wanted of the stream: MEZ_XPTI_DETAIL_*. False: has no wish.
__attribute__((visibility("default"))) bool xptiQuerySubscriberStreamDetailLevel(
    const char *stream, uint8_t *level);

#ifdef __cplusplus
}
#endif

#endif
