// SPDX-License-Identifier: MIT
//
// What a target can do, and how values of one are written.

#include "target/target.h"

#include <string.h>
#include <strings.h>

#include <mezzanine/target.h>

// --- What a target can do

bool mez_target_has(const mez_target *target, mez_aspect aspect)
{
    return !target->aspects_known || mez_aspects_has(&target->aspects, aspect);
}

static bool is_listed(const uint32_t *list, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

bool mez_target_has_number(
    const mez_target *target, mez_aspect_numbering numbering, uint32_t number)
{
    const mez_aspect aspect = mez_aspect_from_number(numbering, number);
    if (aspect != MEZ_ASPECT_NONE)
        return mez_target_has(target, aspect);
    return !target->aspects_known ||
           is_listed(target->unnamed_aspects, target->unnamed_aspect_count, number);
}

bool mez_target_has_sub_group_size(const mez_target *target, uint32_t size)
{
    return target->sub_group_size_count == 0 ||
           is_listed(target->sub_group_sizes, target->sub_group_size_count, size);
}

bool mez_target_has_ip(const mez_target *target, uint32_t ip_version)
{
    for (uint32_t i = 0; i < target->ip_version_count; i++)
        if (mez_ip_release(target->ip_versions[i]) == mez_ip_release(ip_version))
            return true;
    return false;
}

// Names that compilers of SYCL give to GPUs of other vendors begin so.
static bool is_foreign(const char *name)
{
    static const char *const prefixes[] = {
        "ptx", "nvptx", "nvidia_gpu", "amdgcn", "amd_gpu", "llvm_nvptx", "llvm_amdgcn"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

bool mez_target_takes_spirv(const mez_target *target)
{
    return !is_foreign(target->name);
}

bool mez_target_is(const mez_target *target, mez_aspect_numbering numbering, uint32_t value)
{
    const bool any = !target->aspects_known && target->ip_version_count == 0;
    if (value >= MEZ_FIXED_TARGET_IP)
        return any || mez_target_has_ip(target, value);
    return mez_target_has_number(target, numbering, value);
}

// --- What programs ask

_Static_assert(
    sizeof(((mez_target_limits *)0)->sub_group_sizes) == sizeof(((mez_target *)0)->sub_group_sizes),
    "as many sub-group sizes as a target has");

const char *mez_target_get_name(const mez_target *target)
{
    return target ? target->name : NULL;
}

bool mez_target_has_aspect(const mez_target *target, const char *aspect)
{
    if (!target || !aspect)
        return false;
    const mez_aspect known = mez_aspect_find(aspect, strlen(aspect));
    return known != MEZ_ASPECT_NONE && mez_target_has(target, known);
}

uint32_t mez_target_get_aspects(const mez_target *target, const char **names, uint32_t capacity)
{
    uint32_t count = 0;
    if (!target)
        return 0;
    mez_aspects_each(&target->aspects, aspect)
    {
        if (count < capacity)
            names[count] = mez_aspect_name(aspect);
        count++;
    }
    return count;
}

void mez_target_get_limits(const mez_target *target, mez_target_limits *limits)
{
    if (!limits)
        return;
    *limits = (mez_target_limits){.compiler = "", .compiler_options = ""};
    if (!target)
        return;
    *limits = (mez_target_limits){
        .max_group_size = target->max_group_size,
        .max_local_memory = target->max_local_memory,
        .max_argument_size = target->max_argument_size,
        .sub_group_size_count = target->sub_group_size_count,
        .compiler = target->aot_toolchain,
        .compiler_options = target->aot_options,
        .takes_spirv = mez_target_takes_spirv(target),
        .spirv_version = target->spirv_version,
        .may_have_other_aspects = !target->aspects_known || target->may_support_other_aspects,
    };
    memcpy(limits->max_group_sizes, target->max_group_sizes, sizeof limits->max_group_sizes);
    memcpy(limits->sub_group_sizes, target->sub_group_sizes, sizeof limits->sub_group_sizes);
}

// --- Values as texts

// A digit's value; 16 for what is none.
static uint32_t digit_of(char digit)
{
    if (digit >= '0' && digit <= '9')
        return (uint32_t)(digit - '0');
    if (digit >= 'a' && digit <= 'f')
        return (uint32_t)(digit - 'a') + 10;
    if (digit >= 'A' && digit <= 'F')
        return (uint32_t)(digit - 'A') + 10;
    return 16;
}

// Reads digits and moves behind them; false where there are none, or too many.
static bool take_digits(const char **text, uint32_t base, uint32_t *number)
{
    const char *first = *text;
    uint64_t value = 0;
    for (; digit_of(**text) < base; (*text)++) {
        value = value * base + digit_of(**text);
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return *text != first;
}

static bool take_number(const char **text, uint32_t *number)
{
    if (strncasecmp(*text, "0x", 2) != 0)
        return take_digits(text, 10, number);
    *text += 2;
    return take_digits(text, 16, number);
}

static bool take_character(const char **text, char wanted)
{
    if (**text != wanted)
        return false;
    (*text)++;
    return true;
}

bool mez_value_number(const char *text, uint32_t *number)
{
    return take_number(&text, number) && !*text;
}

static bool is_word(const char *text, const char *word)
{
    if (strcasecmp(text, word) != 0)
        return false;
    // tRUE does not count
    const bool small = strcmp(text, word) == 0;
    const bool capital = text[0] != word[0] && strcmp(text + 1, word + 1) == 0;
    bool capitals = true;
    for (; *text; text++)
        capitals &= *text >= 'A' && *text <= 'Z';
    return small || capital || capitals;
}

bool mez_value_bool(const char *text, bool *value)
{
    *value = is_word(text, "true") || is_word(text, "yes") || is_word(text, "on");
    return *value || is_word(text, "false") || is_word(text, "no") || is_word(text, "off");
}

bool mez_value_ip(const char *text, uint32_t *ip_version)
{
    uint32_t architecture, release, revision = 0;
    if (!take_number(&text, &architecture))
        return false;
    if (!*text) {
        *ip_version = architecture;
        return architecture >= MEZ_FIXED_TARGET_IP;
    }
    if (!take_character(&text, '.') || !take_number(&text, &release))
        return false;
    if (*text && (!take_character(&text, '.') || !take_number(&text, &revision)))
        return false;
    *ip_version = architecture << 22 | release << 14 | revision;
    return !*text && architecture >= 4 && architecture < 1 << 10 && release < 1 << 8 &&
           revision < 1 << 6;
}

bool mez_value_pci(const char *text, mez_pci_range *range)
{
    uint32_t first, last;
    if (!take_number(&text, &first))
        return false;
    last = first;
    if (*text && (!take_character(&text, '-') || !take_number(&text, &last)))
        return false;
    *range = (mez_pci_range){(uint16_t)first, (uint16_t)last};
    return !*text && first > 0 && first <= last && last <= UINT16_MAX;
}
