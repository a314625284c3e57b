// SPDX-License-Identifier: MIT
//
// Joint matrices: the words of property sets, and what the architectures have.

#include "check/matrix.h"
#include "device.h"

static mez_slice words_of(const char *text)
{
    return (mez_slice){text, strlen(text)};
}

static bool read_matrix(const char *text, mez_matrix *matrix)
{
    mez_matrix_words words;
    return mez_matrix_split(words_of(text), &words) && mez_matrix_read(&words, matrix);
}

static bool read_mad(const char *text, mez_matrix_mad *mad)
{
    mez_matrix_words words;
    return mez_matrix_split(words_of(text), &words) && mez_matrix_mad_read(&words, mad);
}

static void a_matrix_is_read_with_and_without_scopes(void **state)
{
    (void)state;
    mez_matrix matrix;
    assert_true(read_matrix("matrix_type::bf16,use::accumulator,8,16", &matrix));
    assert_int_equal(matrix.type, MEZ_MATRIX_BF16);
    assert_int_equal(matrix.use, MEZ_MATRIX_ACCUMULATOR);
    assert_int_equal(matrix.rows, 8);
    assert_int_equal(matrix.columns, 16);
    assert_true(read_matrix("uint64,b,4294967295,0", &matrix));
    assert_int_equal(matrix.type, MEZ_MATRIX_UINT64);
    assert_int_equal(matrix.rows, UINT32_MAX);
}

static void a_multiplication_is_read(void **state)
{
    (void)state;
    mez_matrix_mad mad;
    assert_true(read_mad("matrix_type::fp16,matrix_type::fp16,matrix_type::fp32,matrix_type::fp32,"
                         "8,16,32",
        &mad));
    assert_int_equal(mad.a, MEZ_MATRIX_FP16);
    assert_int_equal(mad.d, MEZ_MATRIX_FP32);
    assert_int_equal(mad.m, 8);
    assert_int_equal(mad.k, 16);
    assert_int_equal(mad.n, 32);
}

static void other_words_are_not_understood(void **state)
{
    (void)state;
    static const char *const bad[] = {"", ",", "fp16,a,8", "fp16,a,8,16,", "fp16,a,8,16,1",
        "fp16,d,8,16", "fp16,a,8,x", "fp16,a,-8,16", "fp16,a,4294967296,16", "fp16,,8,16",
        "1,2,3,4,5,6,7,8"};
    mez_matrix matrix;
    mez_matrix_mad mad;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(read_matrix(bad[i], &matrix));
        assert_false(read_mad(bad[i], &mad));
    }
}

static mez_answer ask(mez_requirement_kind kind, const char *text, const char *name, char *said)
{
    mez_target target = small_target();
    target.name = name;
    const mez_requirement requirement = {.kind = kind, .matrix = words_of(text)};
    const mez_check_device device = mez_check_device_of("device", &target);
    mez_requirements requirements = {.image = "image.spv"};
    mez_verdict verdict;
    assert_ok(mez_requirements_add(&requirements, &requirement));
    assert_ok(mez_check(&requirements, &device, &verdict));
    if (said)
        snprintf(said, 512, "%s", verdict.count ? verdict.reasons[0].text : "");
    const mez_answer answer = verdict.answer;
    mez_verdict_finish(&verdict);
    mez_requirements_finish(&requirements);
    return answer;
}

#define MATRIX MEZ_REQUIRES_MATRIX
#define MAD MEZ_REQUIRES_MATRIX_MAD

static void rows_and_columns_mean_what_the_use_says(void **state)
{
    (void)state;
    static const char *const pvc = "intel_gpu_pvc"; // int8: up to 8 rows, 16 columns, depth 32
    assert_int_equal(ask(MATRIX, "sint8,a,8,32", pvc, NULL), MEZ_HAS);
    assert_int_equal(ask(MATRIX, "uint8,a,3,32", pvc, NULL), MEZ_HAS);
    assert_int_equal(ask(MATRIX, "sint8,a,9,32", pvc, NULL), MEZ_LACKS);
    assert_int_equal(ask(MATRIX, "sint8,a,8,16", pvc, NULL), MEZ_LACKS);
    assert_int_equal(ask(MATRIX, "sint8,b,32,16", pvc, NULL), MEZ_HAS);
    assert_int_equal(ask(MATRIX, "sint8,b,16,32", pvc, NULL), MEZ_LACKS);
    assert_int_equal(ask(MATRIX, "sint32,accumulator,8,16", pvc, NULL), MEZ_HAS);
    assert_int_equal(ask(MATRIX, "sint32,accumulator,8,32", pvc, NULL), MEZ_LACKS);
    assert_int_equal(ask(MATRIX, "fp64,accumulator,8,16", pvc, NULL), MEZ_LACKS);
    assert_int_equal(ask(MATRIX, "no_type,a,8,32", pvc, NULL), MEZ_LACKS);
}

static void architectures_differ(void **state)
{
    (void)state;
    assert_int_equal(ask(MAD, "fp16,fp16,fp32,fp16,8,16,16", "intel_gpu_pvc", NULL), MEZ_HAS);
    assert_int_equal(ask(MAD, "fp16,fp16,fp32,fp16,8,16,8", "intel_gpu_acm_g10", NULL), MEZ_LACKS);
    assert_int_equal(ask(MAD, "fp16,fp16,fp32,fp32,8,16,8", "intel_gpu_acm_g10", NULL), MEZ_HAS);
    assert_int_equal(ask(MAD, "bf16,bf16,fp32,fp32,9,7,3", "intel_cpu_spr", NULL), MEZ_HAS);
    assert_int_equal(ask(MAD, "fp16,fp16,fp32,fp32,9,7,3", "intel_cpu_spr", NULL), MEZ_LACKS);
    assert_int_equal(ask(MAD, "fp16,fp16,fp32,fp32,9,7,3", "intel_cpu_gnr", NULL), MEZ_HAS);
    assert_int_equal(ask(MAD, "fp16,bf16,fp32,fp32,8,16,16", "intel_gpu_pvc", NULL), MEZ_LACKS);
}

static void refusals_have_the_published_words(void **state)
{
    (void)state;
    char said[512];
    assert_int_equal(
        ask(MATRIX, "matrix_type::tf32,use::a,16,8", "intel_gpu_pvc", said), MEZ_LACKS);
    assert_string_equal(said, "joint_matrix with parameters matrix_type::tf32, use::a, Rows=16, "
                              "Cols=8 is not supported on this device");
    assert_int_equal(ask(MAD, "fp16,fp16,fp32,fp32,1,2,3", "intel_gpu_pvc", said), MEZ_LACKS);
    assert_string_equal(said,
        "joint_matrix_mad function with parameters atype=fp16, btype=fp16, "
        "ctype=fp32, dtype=fp32, M=1, K=2, N=3 is not supported on this device");
    assert_int_equal(ask(MATRIX, "fp16,a,8,16", "intel_gpu_tgllp", said), MEZ_LACKS);
    assert_string_equal(
        said, "no matrix hardware on the target device, joint_matrix is not supported");
    assert_int_equal(ask(MAD, "fp16,fp16,fp32,fp32,1,2,3", "intel_gpu_tgllp", said), MEZ_LACKS);
    assert_string_equal(
        said, "no matrix hardware on the target device, joint_matrix_mad is not supported");
}

static void what_can_not_be_read_only_warns(void **state)
{
    (void)state;
    char said[512];
    assert_int_equal(ask(MATRIX, "fp16;a", "intel_gpu_pvc", said), MEZ_MAY_HAVE);
    assert_string_equal(said, "joint_matrix requirement 'fp16;a' can't be understood");
    assert_int_equal(ask(MAD, "fp16,a,8,16", "intel_gpu_tgllp", said), MEZ_MAY_HAVE);
}

static void matrix_hardware_of_unknown_sizes_only_warns(void **state)
{
    (void)state;
    mez_target target = small_target();
    target.name = "intel_gpu_new";
    mez_aspects_add(&target.aspects, MEZ_ASPECT_ext_intel_matrix);
    const mez_check_device device = mez_check_device_of("device", &target);
    const mez_requirement matrix = REQUIRES_WORDS(MATRIX, "fp16,a,8,16");
    const mez_requirement mad = REQUIRES_WORDS(MATRIX_MAD, "fp16,fp16,fp32,fp32,1,2,3");
    assert_int_equal(mez_check_one(&matrix, MEZ_ASPECTS_CLASSIC, &device), MEZ_MAY_HAVE);
    assert_int_equal(mez_check_one(&mad, MEZ_ASPECTS_CLASSIC, &device), MEZ_MAY_HAVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_is_read_with_and_without_scopes),
        cmocka_unit_test(a_multiplication_is_read),
        cmocka_unit_test(other_words_are_not_understood),
        cmocka_unit_test(rows_and_columns_mean_what_the_use_says),
        cmocka_unit_test(architectures_differ),
        cmocka_unit_test(refusals_have_the_published_words),
        cmocka_unit_test(what_can_not_be_read_only_warns),
        cmocka_unit_test(matrix_hardware_of_unknown_sizes_only_warns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
