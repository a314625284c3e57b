// SPDX-License-Identifier: MIT

#include "comparison.h"

#include <stdio.h>

#include "subjects.h"

enum side { WE_REFUSE, THE_COMPILER_REFUSES };

// docs/requirements.md has this list for users.
static struct class
{
    enum side side;
    unsigned about;
    const char *what, *reason;
    size_t count;
} classes[] = {
    {WE_REFUSE, ABOUT_GROUP_SIZE, "work-groups larger than the device's",
        "the compiler takes any size; the driver fails when the kernel is made, without a reason",
        0},
    {WE_REFUSE, ABOUT_LOCAL_MEMORY, "more local memory than the device's",
        "the compiler takes any size, and the device has no more", 0},
    {WE_REFUSE, ABOUT_IMAGE, "images on a device without them",
        "IGC 1 and its driver take them in silence; the device has no image dimensions", 0},
    {WE_REFUSE, ABOUT_DECLARED, "aspects that only a declaration requires",
        "declarations are the author's word, which the compiler does not know", 0},
    {WE_REFUSE, ABOUT_DOUBLE, "arithmetic on vectors of doubles",
        "the compiler looks at scalars only, and writes double instructions for devices without "
        "them; each of these was found in the machine code",
        0},
    {WE_REFUSE, ABOUT_ASSERT, "__devicelib_assert_fail with another signature than its own",
        "a call of it is invalid; IGC 1 does not look, IGC 2 crashes on most of them", 0},
    {THE_COMPILER_REFUSES, ABOUT_DOUBLE, "structs with doubles that are copied in private memory",
        "without optimisation only; the compiler takes some of them to pieces first, and then "
        "finds "
        "doubles that the code never looks at: ours is a warning",
        0},
    {THE_COMPILER_REFUSES, ABOUT_ATOMIC16, "atomics on 16 bits",
        "drivers do not report whether they have them: ours is a warning", 0},
    {THE_COMPILER_REFUSES, ABOUT_REGISTERS, "arguments of less than 2,048 bytes",
        "those that leave it too few registers, which depends on all else in the kernel", 0},
};

static size_t dropped;

static bool count_class(enum side side, unsigned about)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (classes[i].side == side && classes[i].about == about) {
            classes[i].count++;
            return true;
        }
    }
    return false;
}

// The machine code has to have the doubles that we refuse a kernel for, unless nobody uses them.
static bool is_proven(unsigned subject, const struct compilation *answer, bool may_drop)
{
    if (subject != ABOUT_DOUBLE || answer->has_double_instructions)
        return count_class(WE_REFUSE, subject);
    dropped += may_drop;
    return may_drop;
}

// What of our refusal nothing speaks for.
static unsigned find_unexplained(unsigned refused, const struct compilation *answer, bool may_drop)
{
    unsigned unexplained = 0;
    for (unsigned subject = 1; subject <= refused; subject <<= 1) {
        if (refused & subject && !is_proven(subject, answer, may_drop))
            unexplained |= subject;
    }
    return unexplained;
}

static bool compare_accepted(const struct prediction *prediction, size_t device,
    const struct compilation *answer, bool may_drop)
{
    char text[160];
    const unsigned refused = prediction->refused[device];
    const unsigned unexplained = find_unexplained(refused, answer, may_drop);
    if (unexplained)
        fprintf(stderr, "%s on %s: it builds, and we refuse it for %s\n", prediction->name,
            answer->device, describe_subjects(unexplained, text, sizeof text));
    const bool missed = answer->has_double_instructions && !device_has_doubles(device) &&
                        !((refused | prediction->doubted[device]) & ABOUT_DOUBLE);
    if (missed)
        fprintf(stderr, "%s on %s: its code has double instructions, and we see no doubles\n",
            prediction->name, answer->device);
    return !unexplained && !missed;
}

// May it refuse what we let pass?
static bool is_excused(
    const struct prediction *prediction, size_t device, const struct compilation *answer)
{
    const unsigned doubtful = ABOUT_DOUBLE | ABOUT_ATOMIC16;
    if (answer->about & doubtful && !(prediction->doubted[device] & answer->about))
        return false;
    return count_class(THE_COMPILER_REFUSES, answer->about);
}

bool compare(const struct prediction *prediction, size_t device, const struct compilation *answer,
    bool may_drop)
{
    const unsigned refused = prediction->refused[device];
    if (answer->builds)
        return compare_accepted(prediction, device, answer, may_drop);
    const bool in_silence = // IGC 2
        answer->about == ABOUT_CRASH && refused & (ABOUT_IMAGE | ABOUT_ASSERT);
    if (answer->about & (refused | prediction->declared[device]) || in_silence ||
        is_excused(prediction, device, answer))
        return true;
    char text[160];
    fprintf(stderr, "%s on %s: it fails (%s), and we refuse it for %s\n", prediction->name,
        answer->device, answer->message, describe_subjects(refused, text, sizeof text));
    return false;
}

void print_classes(void)
{
    static const char *const sides[] = {"we refuse", "the compiler refuses"};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        const struct class *class = &classes[i];
        printf("%s, %zu times: %s: %s\n", sides[class->side], class->count, class->what,
            class->reason);
    }
    if (dropped)
        printf("we refuse, %zu times: arithmetic on vectors of doubles whose result nobody uses\n",
            dropped);
}
