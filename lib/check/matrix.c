// SPDX-License-Identifier: MIT

#include "check/matrix.h"

#include <string.h>

#include "check/judge.h"

bool mez_matrix_split(mez_slice words, mez_matrix_words *split)
{
    split->count = 0;
    for (size_t start = 0; start <= words.length; split->count++) {
        size_t end = start;
        while (end < words.length && words.start[end] != ',')
            end++;
        if (end == start || split->count == MEZ_MATRIX_PARTS)
            return false;
        split->parts[split->count] = (mez_slice){words.start + start, end - start};
        start = end + 1;
    }
    return true;
}

static bool is_word(mez_slice words, const char *wanted)
{
    return words.length == strlen(wanted) && memcmp(words.start, wanted, words.length) == 0;
}

// "matrix_type::fp16" -> "fp16"; it may stand without its scope.
static mez_slice without(const char *scope, mez_slice words)
{
    const size_t length = strlen(scope);
    if (words.length < length || memcmp(words.start, scope, length) != 0)
        return words;
    return (mez_slice){words.start + length, words.length - length};
}

static uint32_t read_type(mez_slice words)
{
    static const char *const names[] = {"bf16", "fp16", "tf32", "fp32", "fp64", "sint8", "sint16",
        "sint32", "sint64", "uint8", "uint16", "uint32", "uint64"}; // as their bits
    const mez_slice name = without("matrix_type::", words);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_word(name, names[i]))
            return UINT32_C(1) << i;
    return 0;
}

static bool read_use(mez_slice words, mez_matrix_use *use)
{
    static const char *const names[] = {
        [MEZ_MATRIX_A] = "a", [MEZ_MATRIX_B] = "b", [MEZ_MATRIX_ACCUMULATOR] = "accumulator"};
    const mez_slice name = without("use::", words);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        *use = (mez_matrix_use)i;
        if (is_word(name, names[i]))
            return true;
    }
    return false;
}

static bool read_size(mez_slice words, uint32_t *size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < words.length; i++) {
        if (words.start[i] < '0' || words.start[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(words.start[i] - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *size = (uint32_t)value;
    return true;
}

bool mez_matrix_read(const mez_matrix_words *words, mez_matrix *matrix)
{
    if (words->count != 4)
        return false;
    matrix->type = read_type(words->parts[0]);
    return read_use(words->parts[1], &matrix->use) && read_size(words->parts[2], &matrix->rows) &&
           read_size(words->parts[3], &matrix->columns);
}

bool mez_matrix_mad_read(const mez_matrix_words *words, mez_matrix_mad *mad)
{
    if (words->count != 7)
        return false;
    mad->a = read_type(words->parts[0]);
    mad->b = read_type(words->parts[1]);
    mad->c = read_type(words->parts[2]);
    mad->d = read_type(words->parts[3]);
    return read_size(words->parts[4], &mad->m) && read_size(words->parts[5], &mad->k) &&
           read_size(words->parts[6], &mad->n);
}

static bool fits(uint32_t size, uint32_t exact, uint32_t most)
{
    return exact ? size == exact : size <= most;
}

static bool fits_shape(const mez_matrix_combination *combination, const mez_matrix *matrix)
{
    const mez_matrix_combination *own = combination;
    const bool rows_are_k = matrix->use == MEZ_MATRIX_B,
               columns_are_k = matrix->use == MEZ_MATRIX_A;
    return fits(matrix->rows, rows_are_k ? own->k : own->m, rows_are_k ? own->max_k : own->max_m) &&
           fits(matrix->columns, columns_are_k ? own->k : own->n,
               columns_are_k ? own->max_k : own->max_n);
}

static bool matrix_fits(const mez_matrix_combination *combination, const mez_matrix *matrix)
{
    const uint32_t types[] = {
        [MEZ_MATRIX_A] = combination->a,
        [MEZ_MATRIX_B] = combination->b,
        [MEZ_MATRIX_ACCUMULATOR] = combination->c | combination->d,
    };
    return types[matrix->use] & matrix->type && fits_shape(combination, matrix);
}

static bool mad_fits(const mez_matrix_combination *combination, const mez_matrix_mad *mad)
{
    return combination->a & mad->a && combination->b & mad->b && combination->c & mad->c &&
           combination->d & mad->d && fits(mad->m, combination->m, combination->max_m) &&
           fits(mad->k, combination->k, combination->max_k) &&
           fits(mad->n, combination->n, combination->max_n);
}

// --- What architectures have
//
// Which joint matrices the architectures multiply, as the published runtime has it.

#define INT8 (MEZ_MATRIX_SINT8 | MEZ_MATRIX_UINT8)

// Any number of rows up to a most, or all exact, or all up to a most.
#define ROWS_UP_TO(most, columns, depth) .max_m = (most), .n = (columns), .k = (depth)
#define EXACTLY(rows, columns, depth) .m = (rows), .n = (columns), .k = (depth)
#define UP_TO(rows, columns, depth) .max_m = (rows), .max_n = (columns), .max_k = (depth)

#define TYPES(factors, sums) .a = (factors), .b = (factors), .c = (sums), .d = (sums)

// Sums may be kept in 32 bits or in the type of the factors.
#define HALVES(type)                                                  \
    {ROWS_UP_TO(8, 16, 16), TYPES(type, MEZ_MATRIX_FP32 | (type))},   \
        {EXACTLY(16, 16, 16), TYPES(type, MEZ_MATRIX_FP32 | (type))}, \
        {EXACTLY(1, 64, 16), TYPES(type, MEZ_MATRIX_FP32 | (type))},  \
        {EXACTLY(32, 64, 16), TYPES(type, MEZ_MATRIX_FP32 | (type))}, \
        {EXACTLY(1, 64, 32), TYPES(type, MEZ_MATRIX_FP32 | (type))},  \
    {                                                                 \
        EXACTLY(32, 64, 32), TYPES(type, MEZ_MATRIX_FP32 | (type))    \
    }

static const mez_matrix_combination lanes_16[] = {
    {ROWS_UP_TO(8, 16, 32), TYPES(INT8, MEZ_MATRIX_SINT32)},
    HALVES(MEZ_MATRIX_FP16),
    HALVES(MEZ_MATRIX_BF16),
    {ROWS_UP_TO(8, 16, 8), TYPES(MEZ_MATRIX_TF32, MEZ_MATRIX_FP32)},
};

static const mez_matrix_combination lanes_8[] = {
    {ROWS_UP_TO(8, 8, 32), TYPES(INT8, MEZ_MATRIX_SINT32)},
    {ROWS_UP_TO(8, 8, 16), TYPES(MEZ_MATRIX_FP16, MEZ_MATRIX_FP32)},
    {ROWS_UP_TO(8, 8, 16), TYPES(MEZ_MATRIX_BF16, MEZ_MATRIX_FP32)},
    {EXACTLY(32, 32, 16), TYPES(MEZ_MATRIX_BF16, MEZ_MATRIX_FP32)},
};

// The first two are those of the older one.
static const mez_matrix_combination amx[] = {
    {UP_TO(16, 16, 64), TYPES(INT8, MEZ_MATRIX_SINT32)},
    {UP_TO(16, 16, 32), TYPES(MEZ_MATRIX_BF16, MEZ_MATRIX_FP32)},
    {UP_TO(16, 16, 32), TYPES(MEZ_MATRIX_FP16, MEZ_MATRIX_FP32)},
};

static const struct row {
    const char *target;
    const mez_matrix_combination *combinations;
    uint32_t count;
} rows[] = {
#define ALL(list) (list), sizeof(list) / sizeof *(list)
    {"intel_gpu_pvc", ALL(lanes_16)},
    {"intel_gpu_bmg_g21", ALL(lanes_16)},
    {"intel_gpu_lnl_m", ALL(lanes_16)},
    {"intel_gpu_ptl_h", ALL(lanes_16)},
    {"intel_gpu_ptl_u", ALL(lanes_16)},
    {"intel_gpu_acm_g10", ALL(lanes_8)},
    {"intel_gpu_acm_g11", ALL(lanes_8)},
    {"intel_gpu_acm_g12", ALL(lanes_8)},
    {"intel_gpu_arl_h", ALL(lanes_8)},
    {"intel_cpu_spr", amx, 2},
    {"intel_cpu_gnr", ALL(amx)},
};

const mez_matrix_combination *mez_matrix_combinations(const char *target, uint32_t *count)
{
    *count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].target, target) != 0)
            continue;
        *count = rows[i].count;
        return rows[i].combinations;
    }
    return NULL;
}

// --- Judging
//
// Joint matrices that code asks for.

// What differs between a matrix and a multiplication.
typedef struct matrix_kind {
    // False: the words say no such thing.
    bool (*find)(const mez_matrix_words *words, const mez_check_device *device, bool *found);
    mez_check_text none, lacks, doubt;
} matrix_kind;

static bool find_matrix(const mez_matrix_words *words, const mez_check_device *device, bool *found)
{
    mez_matrix matrix;
    if (!mez_matrix_read(words, &matrix))
        return false;
    for (uint32_t i = 0; i < device->matrix_count; i++)
        *found |= matrix_fits(&device->matrices[i], &matrix);
    return true;
}

static bool find_mad(const mez_matrix_words *words, const mez_check_device *device, bool *found)
{
    mez_matrix_mad mad;
    if (!mez_matrix_mad_read(words, &mad))
        return false;
    for (uint32_t i = 0; i < device->matrix_count; i++)
        *found |= mad_fits(&device->matrices[i], &mad);
    return true;
}

static const matrix_kind one_matrix = {
    find_matrix, MEZ_CHECK_TEXT_NO_MATRIX, MEZ_CHECK_TEXT_MATRIX, MEZ_CHECK_TEXT_MATRIX_DOUBT};
static const matrix_kind multiplication = {find_mad, MEZ_CHECK_TEXT_NO_MATRIX_MAD,
    MEZ_CHECK_TEXT_MATRIX_MAD, MEZ_CHECK_TEXT_MATRIX_MAD_DOUBT};

static mez_answer note_unreadable(mez_judging *judging, const mez_requirement *requirement)
{
    mez_text words = {0};
    mez_text_add(&words, "%.*s", (int)requirement->matrix.length, requirement->matrix.start);
    const char *const values[] = {mez_text_get(&words)};
    mez_judging_note(judging, requirement, MEZ_MAY_HAVE, MEZ_CHECK_TEXT_MATRIX_UNREADABLE, values,
        "so the result is unknown");
    mez_text_finish(&words);
    return MEZ_MAY_HAVE;
}

// As mez_judging_note, with the parts of the requirement for values.
static mez_answer note_parts(mez_judging *judging, const mez_requirement *requirement,
    mez_answer answer, mez_check_text which, const char *has)
{
    mez_matrix_words words;
    mez_text texts[MEZ_MATRIX_PARTS] = {0};
    const char *values[MEZ_MATRIX_PARTS] = {0};
    mez_matrix_split(requirement->matrix, &words);
    for (uint32_t i = 0; i < words.count; i++) {
        mez_text_add(&texts[i], "%.*s", (int)words.parts[i].length, words.parts[i].start);
        values[i] = mez_text_get(&texts[i]);
    }
    mez_judging_note(judging, requirement, answer, which, values, "%s", has);
    for (uint32_t i = 0; i < words.count; i++)
        mez_text_finish(&texts[i]);
    return answer;
}

// Somebody says that there is matrix hardware, or may be, and nobody says what it can do.
static bool may_have_hardware(const mez_target *target)
{
    return mez_target_has(target, MEZ_ASPECT_ext_intel_matrix) || target->may_support_other_aspects;
}

static mez_answer judge(
    mez_judging *judging, const mez_requirement *requirement, const matrix_kind *kind)
{
    const mez_check_device *device = judging->device;
    mez_matrix_words words;
    bool found = false;
    if (!mez_matrix_split(requirement->matrix, &words) || !kind->find(&words, device, &found))
        return note_unreadable(judging, requirement);
    if (found)
        return MEZ_HAS;
    if (device->matrix_count > 0)
        return note_parts(judging, requirement, MEZ_LACKS, kind->lacks,
            "the device has joint matrices of other types and sizes");
    if (may_have_hardware(device->target))
        return note_parts(judging, requirement, MEZ_MAY_HAVE, kind->doubt,
            "the joint matrices of the device are unknown");
    return mez_judging_note(
        judging, requirement, MEZ_LACKS, kind->none, NULL, "the device has no matrix hardware");
}

mez_answer mez_judge_matrix(mez_judging *judging, const mez_requirement *requirement)
{
    return judge(judging, requirement, &one_matrix);
}

mez_answer mez_judge_matrix_mad(mez_judging *judging, const mez_requirement *requirement)
{
    return judge(judging, requirement, &multiplication);
}
