// SPDX-License-Identifier: MIT
//
// mez run: runs one kernel.

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <mezzanine/mezzanine.h>

#include "base/text.h"
#include "command.h"
#include "file.h"
#include "launch.h"
#include "output.h"
#include "request.h"

static const char usage[] =
    "usage: mez run FILE KERNEL --global N[,M[,K]] [OPTIONS] [ARGUMENTS]\n"
    "\n"
    "Runs a kernel of a device image. A file whose name ends in .cl is OpenCL C and is compiled\n"
    "first; -DNAME=VALUE, -Ifolder, -O3, -g and other options of clang can be given. If FILE is\n"
    "-, an image or source is read from standard input. ARGUMENTS are the kernel's arguments:\n"
    "\n"
    "  TYPE:NUMBER              a number: f32:2.5 i32:-3 u64:0x10\n"
    "  TYPE:NUMBER,NUMBER,...   a vector: float4:1,2,3,4 or f32x4:1,2,3,4\n"
    "  buf:TYPE:COUNT[=START]   a buffer of COUNT elements\n"
    "  out:TYPE:COUNT[=START]   the same, and its contents are printed after the run\n"
    "  local:BYTES, local:TYPE:COUNT\n"
    "                           local memory of the work-group\n"
    "  null                     a null pointer\n"
    "\n"
    "TYPE is f16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64, or a type of OpenCL C: half float double\n"
    "char uchar short ushort int uint long ulong; int8 is a vector of eight ints. START is zero\n"
    "(the default), iota (0, 1, 2, ...), a number, random[:SEED] (floating point in [0, 1),\n"
    "integers with random bits) or @FILE (raw bytes, exactly as many as the buffer has).\n"
    "\n"
    "  --global N[,M[,K]]     number of work-items; N is get_global_size(0)\n"
    "  --local N[,M[,K]]      work-items per work-group (default: the library chooses)\n"
    "  --print INDEX[:FIRST[:COUNT]]\n"
    "                         print elements of a buffer after the run; arguments count from 0\n"
    "  --all                  print long buffers completely\n"
    "  --save INDEX=FILE      write a buffer's bytes to a file after the run\n"
    "  --expect INDEX=START   fail unless the buffer holds START after the run\n"
    "  --tolerance NUMBER     how much a number may differ from the expected one (default: 0);\n"
    "                         relative to the expected number if that is larger than 1\n"
    "  --device gpu|cpu|NAME  gpu, cpu or part of a device's name; overrides MEZ_DEVICE\n"
    "  --flags FLAGS          options for the driver's compiler, such as -ze-opt-disable\n"
    "  --repeat N             run N times; buffers are not filled again in between\n"
    "  --swap INDEX,INDEX     exchange two buffers between the runs\n"
    "  --time                 print to stderr the host time from submission to the end of the "
    "wait\n"
    "  --timeout SECONDS      stop waiting for a run after this time (default: never)\n"
    "  --check                find the kernel's mistakes, such as accesses outside of its memory,\n"
    "                         races, and uses of what nobody has written: runs on the CPU driver\n"
    "                         with all of ZE_CPU_CHECK, unless that is set; add -g for lines\n"
    "\n"
    "A failed assert of the kernel ends mez with SIGABRT, as C's assert does.\n";

// False: the failure has been reported.
static bool write_outputs(const struct run_request *request, const struct launch *launch)
{
    struct problem problem;
    output_print(stdout, request, launch);
    if (output_save(request, launch, &problem) && output_check(request, launch, &problem))
        return true;
    report_problem(&run_command, &problem);
    return false;
}

static bool work(const struct run_request *request, struct launch *launch)
{
    struct problem problem = {""};
    mez_error error;
    if (!launch_prepare(launch, request, &error, &problem))
        mez_failed(error) ? report_error(error) : report_problem(&run_command, &problem);
    else if (mez_failed(error = launch_run(launch)))
        report_error(error);
    else
        return write_outputs(request, launch);
    // After a wait that was given up the device still uses what we would free, and freeing would wait for it.
    if (mez_error_is(error, MEZ_ERRC_TIMEOUT)) {
        mez_print(stderr, "mez run: the kernel did not end within the time given by --timeout\n");
        _exit(EXIT_FAILED);
    }
    return false;
}

// Only the CPU driver can. It reads the variable when it is opened.
static bool prepare_check(struct run_request *request)
{
    if (request->check && !request->device)
        request->device = "cpu";
    return !request->check ||
           setenv("ZE_CPU_CHECK", "memory,divergence,uninitialized,races", 0) == 0;
}

static int run_request(const struct run_request *request)
{
    struct launch launch = {0};
    const bool good = work(request, &launch);
    if (good && request->time)
        output_times(stderr, &launch);
    const bool strays = mez_error_is(launch_finish(&launch), MEZ_ERRC_STRAY_WRITE);
    if (strays) // the log has said where
        mez_print(stderr, "mez run: the kernel has written where none of its buffers is\n");
    return good && !strays ? EXIT_GOOD : EXIT_FAILED;
}

static int run(int count, char *const *arguments)
{
    struct run_request request;
    struct problem problem = {"out of memory"};
    int code = EXIT_FAILED;
    if (!run_request_init(&request, count))
        code = report_problem(&run_command, &problem);
    else if (!run_request_read(&request, count, arguments, &problem))
        code = report_usage(&run_command, &problem);
    else if (!prepare_check(&request))
        code = report_problem(&run_command, &problem);
    else
        code = run_request(&request);
    run_request_finish(&request);
    return code;
}

const struct command run_command = {"run", "runs a kernel of an image", usage, run};
