// SPDX-License-Identifier: MIT
//
// What a kernel did when it was left, in words.
#include "fault_story.h"

#include "memory.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *bytes;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(text->bytes + text->length, text->size - text->length, format, arguments);
    va_end(arguments);
    const size_t room = text->size - text->length - 1;
    if (length > 0)
        text->length += (size_t)length < room ? (size_t)length : room;
}

// So far below the end of its stack a thread may have reached; frames touch each of their pages. The stack's pointer has come there,
// too: an allocation may lie right below a stack.
#define BELOW_STACK ((uintptr_t)1 << 20)
#define ABOVE_STACK_END ((uintptr_t)64 << 10)

static bool is_stack_overflow(const struct zc_fault *fault)
{
    return (fault->signal == SIGSEGV || fault->signal == SIGBUS) && fault->stack_end &&
           fault->address + BELOW_STACK >= fault->stack_end &&
           fault->address < fault->stack_end + ABOVE_STACK_END &&
           fault->stack < fault->stack_end + ABOVE_STACK_END;
}

static const char *what_memory_fault(const struct zc_fault *fault)
{
    if (is_stack_overflow(fault))
        return "used up the stack of its thread, by endless recursion or large private arrays";
    // An x86 processor raises SIGBUS for such an address where it was computed from rbp or rsp.
    if (fault->code == SI_KERNEL)
        return fault->signal == SIGBUS
                   ? "used an address that can't be one (SIGBUS)"
                   : "used an address that can't be one, or a misaligned vector (SIGSEGV)";
    if (fault->signal == SIGBUS)
        return "accessed memory behind the end of a file, or misaligned (SIGBUS)";
    return fault->code == SEGV_ACCERR ? "accessed memory that does not permit it (SIGSEGV)"
                                      : "accessed memory that is not there (SIGSEGV)";
}

static const char *what_happened(const struct zc_fault *fault)
{
    switch (fault->signal) {
    case SIGFPE:
        return "made the processor trap in arithmetic (SIGFPE)";
    case SIGILL:
        return "came to an instruction that traps, or that the processor does not have (SIGILL)";
    default:
        return what_memory_fault(fault);
    }
}

static bool has_address(const struct zc_fault *fault)
{
    return (fault->signal == SIGSEGV || fault->signal == SIGBUS) && fault->code != SI_KERNEL;
}

static void add_ids(struct text *text, const char *name, const uint64_t ids[3])
{
    add(text, "%s [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", name, ids[0], ids[1], ids[2]);
}

static void add_place(struct text *text, const struct zc_job *job, const struct zc_place *place)
{
    const struct zc_group *group = &job->group;
    uint64_t global[3];
    for (int i = 0; i < 3; i++)
        global[i] = place->group_id[i] * group->local_size[i] + place->local_id[i] +
                    group->global_offset[i];
    add(text, "; ");
    if (place->has_local_id) {
        add_ids(text, "global id:", global);
        add_ids(text, ", local id:", place->local_id);
        add(text, ", ");
    }
    add_ids(text, "group:", place->group_id);
    if (!place->has_local_id)
        add_ids(text, ", of size", group->local_size);
    if (place->line)
        add(text, "; %s:%" PRIu32, place->file, place->line);
}

static void add_address(
    struct text *text, const struct zc_job *job, uintptr_t address, bool is_memory)
{
    add(text, "; address 0x%" PRIxPTR, address);
    if (!is_memory)
        return;
    const size_t room = text->size - text->length;
    text->length += zc_memory_map_describe(job->memory, address, text->bytes + text->length, room);
}

void zc_fault_describe(const struct zc_job *job, const struct zc_worker *worker,
    const struct zc_fault *fault, char *bytes, size_t size)
{
    struct text text = {bytes, size, 0};
    struct zc_place place;
    job->engine->locate(worker, job->kernel, fault->code_at, fault->code_count, &place);
    add(&text, "kernel \"%s\" %s", job->kernel->name, what_happened(fault));
    add_place(&text, job, &place);
    if (has_address(fault))
        add_address(&text, job, fault->address, !is_stack_overflow(fault));
}

void zc_finding_describe(
    const struct zc_job *job, const struct zc_finding *finding, char *bytes, size_t size)
{
    struct text text = {bytes, size, 0};
    const char *missing = finding->has_address
                              ? zc_memory_checker_find_missing(&job->checker, finding->address)
                              : NULL;
    add(&text, "kernel \"%s\" %s", job->kernel->name, finding->text);
    if (finding->allocation)
        text.length += zc_memory_map_describe_number(
            job->memory, finding->allocation, text.bytes + text.length, text.size - text.length);
    add(&text, " (ZE_CPU_%s)", missing ? "STRICT" : "CHECK");
    add_place(&text, job, &finding->place);
    if (finding->has_address)
        add_address(&text, job, finding->address, true);
    if (missing)
        add(&text,
            ", which no argument points into, and the kernel has no indirect access to %s memory",
            missing);
}
