// SPDX-License-Identifier: MIT

#include "findings.h"

#include "base/alloc.h"
#include "base/text.h"
#include "wrap.h"

#define WIDTH 100
#define ADVICE_INDENT 5 // below the check's name

static const char *const words[] = {
    [VERDICT_PASS] = "PASS", [VERDICT_WARN] = "WARN", [VERDICT_FAIL] = "FAIL"};
static const char *const keys[] = {
    [VERDICT_PASS] = "pass", [VERDICT_WARN] = "warn", [VERDICT_FAIL] = "fail"};

// --- Collecting

// NULL where memory runs out.
static char *print_list(struct findings *findings, const char *format, va_list arguments)
{
    mez_text text = {0};
    mez_text_add_list(&text, format, arguments);
    if (!text.string)
        findings->incomplete = true;
    return text.string; // taken over: mez_free_memory frees it
}

static void add(struct findings *findings, enum verdict verdict, const char *check,
    const char *format, va_list arguments)
{
    findings->counts[verdict]++; // also of findings for whose text there is no memory
    if (!mez_vector_push(&findings->list, (struct finding){.check = check, .verdict = verdict})) {
        findings->incomplete = true;
        return;
    }
    findings->list.items[findings->list.count - 1].found = print_list(findings, format, arguments);
}

void found_pass(struct findings *findings, const char *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(findings, VERDICT_PASS, check, format, arguments);
    va_end(arguments);
}

void found_warn(struct findings *findings, const char *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(findings, VERDICT_WARN, check, format, arguments);
    va_end(arguments);
}

void found_fail(struct findings *findings, const char *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(findings, VERDICT_FAIL, check, format, arguments);
    va_end(arguments);
}

void found_advice(struct findings *findings, const char *format, ...)
{
    if (findings->list.count == 0 || findings->list.items[findings->list.count - 1].advice)
        return;
    va_list arguments;
    va_start(arguments, format);
    findings->list.items[findings->list.count - 1].advice = print_list(findings, format, arguments);
    va_end(arguments);
}

void findings_finish(struct findings *findings)
{
    for (size_t i = 0; i < findings->list.count; i++) {
        mez_free_memory(findings->list.items[i].found);
        mez_free_memory(findings->list.items[i].advice);
    }
    mez_vector_finish(&findings->list);
    *findings = (struct findings){0};
}

// --- Showing

static const char *found_of(const struct finding *finding)
{
    return finding->found ? finding->found : "there is not enough memory to show this";
}

static void print_finding(FILE *stream, const struct finding *finding)
{
    mez_text line = {0};
    mez_text_add(&line, "%s %s: %s", words[finding->verdict], finding->check, found_of(finding));
    print_wrapped(stream, 0, WIDTH, mez_text_get(&line));
    mez_text_finish(&line);
    if (!finding->advice)
        return;
    mez_text_add(&line, "-> %s", finding->advice);
    print_wrapped(stream, ADVICE_INDENT, WIDTH, mez_text_get(&line));
    mez_text_finish(&line);
}

void findings_print(FILE *stream, const struct findings *findings)
{
    for (size_t i = 0; i < findings->list.count; i++)
        print_finding(stream, &findings->list.items[i]);
}

void findings_print_counts(FILE *stream, const struct findings *findings)
{
    mez_print(stream, "%zu FAIL, %zu WARN, %zu PASS\n", findings->counts[VERDICT_FAIL],
        findings->counts[VERDICT_WARN], findings->counts[VERDICT_PASS]);
}

static enum verdict worst(const struct findings *findings)
{
    enum verdict verdict = VERDICT_FAIL;
    while (verdict > VERDICT_PASS && findings->counts[verdict] == 0)
        verdict--;
    return verdict;
}

static void print_finding_json(mez_json *json, const struct finding *finding)
{
    mez_json_open(json, NULL, '{');
    mez_json_string(json, "check", finding->check);
    mez_json_string(json, "verdict", keys[finding->verdict]);
    mez_json_string(json, "found", found_of(finding));
    if (finding->advice)
        mez_json_string(json, "advice", finding->advice);
    mez_json_close(json, '}');
}

void findings_print_json(mez_json *json, const struct findings *findings)
{
    mez_json_string(json, "verdict", keys[worst(findings)]);
    mez_json_open(json, "counts", '{');
    for (enum verdict verdict = VERDICT_PASS; verdict < VERDICT_COUNT; verdict++)
        mez_json_number(json, keys[verdict], findings->counts[verdict]);
    mez_json_close(json, '}');
    mez_json_open(json, "checks", '[');
    for (size_t i = 0; i < findings->list.count; i++)
        print_finding_json(json, &findings->list.items[i]);
    mez_json_close(json, ']');
}
