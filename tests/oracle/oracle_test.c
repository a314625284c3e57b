// SPDX-License-Identifier: MIT
//
// Do our verdicts agree with Intel's compiler? Each kernel of the modules is taken out of its module, judged for four
// devices, and compiled for them.
//
// Usage: oracle_test OCLOC [--may-drop] MODULE.spv... [--full MODULE.spv...]
//
// Each kernel is compiled for tgllp, which has no doubles, for the devices that we refuse it for otherwise, and every
// other kernel for one of the others in turn. With MEZ_ORACLE=full each is compiled for all of them, and the modules
// behind --full are read, too.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparison.h"
#include "subjects.h"

struct asked {
    size_t prediction, device;
};

struct questions {
    struct compilation *compilations;
    struct asked *asked;
    size_t count;
};

static bool asks_all(void)
{
    const char *wanted = getenv("MEZ_ORACLE");
    return wanted && strcmp(wanted, "full") == 0;
}

static bool is_asked(const struct prediction *prediction, size_t number, size_t device)
{
    const size_t turns = 2 * (DEVICES - 1);
    return asks_all() || device == 0 || device == 1 + number % turns ||
           (prediction->refused[device] & ~(unsigned)ABOUT_DOUBLE) != 0;
}

// Has the same module come before? Levels of optimisation often make no difference.
static bool is_repeated(const struct predictions *predictions, size_t number)
{
    const struct prediction *prediction = &predictions->items[number];
    for (size_t i = 0; i < number; i++) {
        const struct prediction *other = &predictions->items[i];
        if (other->word_count == prediction->word_count &&
            memcmp(other->words, prediction->words, other->word_count * sizeof *other->words) == 0)
            return true;
    }
    return false;
}

static void ask(struct questions *questions, const struct predictions *predictions, size_t number,
    size_t device)
{
    const struct prediction *prediction = &predictions->items[number];
    questions->asked[questions->count] = (struct asked){number, device};
    questions->compilations[questions->count++] = (struct compilation){
        .bytes = prediction->words,
        .size = prediction->word_count * sizeof *prediction->words,
        .device = device_names[device],
        .options = prediction->is_vector_compute ? "-vc-codegen" : NULL,
        // Scalars it judges itself.
        .look_inside = prediction->knows_vectors && !device_has_doubles(device),
    };
}

static bool make_questions(const struct predictions *predictions, struct questions *questions)
{
    const size_t room = predictions->count * DEVICES + 1;
    questions->compilations = calloc(room, sizeof *questions->compilations);
    questions->asked = calloc(room, sizeof *questions->asked);
    if (!questions->compilations || !questions->asked)
        return false;
    for (size_t i = 0; i < predictions->count; i++) {
        const bool repeated = is_repeated(predictions, i);
        for (size_t device = 0; !repeated && device < DEVICES; device++) {
            if (device_is_known(device) && is_asked(&predictions->items[i], i, device))
                ask(questions, predictions, i, device);
        }
    }
    return true;
}

// How many agreed, by device; the counts of kernels are for whoever sums up tests.
static bool report(
    const struct predictions *predictions, const struct questions *questions, bool may_drop)
{
    bool *wrong = calloc(predictions->count + 1, sizeof *wrong);
    size_t refused[DEVICES] = {0}, built[DEVICES] = {0}, failed = 0;
    for (size_t i = 0; wrong && i < questions->count; i++) {
        const struct asked asked = questions->asked[i];
        const struct compilation *answer = &questions->compilations[i];
        if (!compare(&predictions->items[asked.prediction], asked.device, answer, may_drop))
            wrong[asked.prediction] = true;
        (answer->builds ? built : refused)[asked.device]++;
    }
    for (size_t i = 0; wrong && i < predictions->count; i++)
        failed += wrong[i];
    for (size_t device = 0; device < DEVICES; device++)
        if (device_is_known(device))
            printf("%s: %zu kernels build, %zu are refused\n", device_names[device], built[device],
                refused[device]);
    print_classes();
    printf("%zu passed, %zu failed, 0 skipped\n", predictions->count - failed, failed);
    free(wrong);
    return wrong && failed == 0;
}

int main(int count, char **arguments)
{
    if (count < 3 || !*arguments[1]) {
        printf("skip: there is no ocloc\n");
        return 77;
    }
    struct predictions predictions = {0};
    struct questions questions = {0};
    char version[VERSION_ROOM];
    bool ok = read_driver_version(arguments[1], version) && choose_compiler(version);
    printf("ocloc of driver %s\n", version);
    const bool may_drop = strcmp(arguments[2], "--may-drop") == 0;
    for (int i = may_drop ? 3 : 2; ok && i < count; i++) {
        const bool is_mark = strcmp(arguments[i], "--full") == 0;
        if (is_mark && !asks_all())
            break;
        ok = is_mark || predict_module(arguments[i], &predictions);
    }
    ok = ok && make_questions(&predictions, &questions);
    ok = ok && compile_all(arguments[1], questions.compilations, questions.count);
    ok = ok && report(&predictions, &questions, may_drop);

    free(questions.compilations);
    free(questions.asked);
    predictions_finish(&predictions);
    return ok ? 0 : 1;
}
