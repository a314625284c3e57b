// SPDX-License-Identifier: MIT
//
// Images as toolchains make them, each with a kernel `checked` that can assert. CASE says which:
//   0  imports what a failed assert calls
//   1  as 0, and brings the function of C's assert: the usual image of DPC++
//   2  as 0, and imports the variable as it was published last
//   3  as 0, and imports the reading function as it was published last
//   4  imports both variables, of which no device library has both
//   5  is linked with a device library already, of the first design
//   6  the same of the last
//   7  the same of its own making, without a variable that we know
//   8  as 7, and imports the function of C's assert
//   9  imports only the function of C's assert
//   10 imports only the variable, and can't assert
//   11 defines what a failed assert calls, with a signature other than the published one
//   12 imports it so

typedef struct {
    int words[176];
} record;

#if CASE == 2 || CASE == 4
extern global record SPIR_AssertHappenedMem;
#endif
#if CASE == 4 || CASE == 10
extern global record __SYCL_AssertHappenedMem;
#endif
#if CASE == 5
global record __SYCL_AssertHappenedMem;
#define FILL __SYCL_AssertHappenedMem.words[0] = line
#elif CASE == 6
global record SPIR_AssertHappenedMem;
#define FILL SPIR_AssertHappenedMem.words[0] = line
#elif CASE == 7 || CASE == 8
global int failures;
#define FILL failures = line
#endif

#if CASE < 11
void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2);
#elif CASE == 11
__attribute__((noinline)) void __devicelib_assert_fail(global int *failures, int line)
{
    *failures = line;
}
#else
void __devicelib_assert_fail(global int *failures, int line);
#endif
void __assert_fail(const char *expression, const char *file, uint line, const char *function);

// The optimiser puts it into its caller in case 6: then only the variable shows that the kernel can assert.
#ifdef FILL
#if CASE != 6
__attribute__((noinline))
#endif
void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2)
{
    FILL;
}
#endif

#if CASE == 1
void __assert_fail(const char *expression, const char *file, uint line, const char *function)
{
    __devicelib_assert_fail(expression, file, line, function, get_global_id(0), get_global_id(1),
        get_global_id(2), get_local_id(0), get_local_id(1), get_local_id(2));
}
#endif

#if CASE == 3
void __devicelib_assert_read(void *destination);
#endif

kernel void checked(global int *result)
{
#if CASE == 1 || CASE == 8 || CASE == 9
    if (result[0])
        __assert_fail((const char *)result, 0, 1, 0);
#elif CASE > 10
    if (result[0])
        __devicelib_assert_fail(result, 1);
#elif CASE != 10
    if (result[0])
        __devicelib_assert_fail((const char *)result, 0, 1, 0, 0, 0, 0, 0, 0, 0);
#endif
#if CASE == 2 || CASE == 4
    result[1] = SPIR_AssertHappenedMem.words[0];
#endif
#if CASE == 4 || CASE == 10
    result[2] = __SYCL_AssertHappenedMem.words[0];
#endif
#if CASE == 3
    record copy;
    __devicelib_assert_read(&copy);
    result[1] = copy.words[0];
#endif
}

kernel void unchecked(global int *result)
{
    result[get_global_id(0)] = 1;
}
