// SPDX-License-Identifier: MIT
//
// mez run: runs one kernel.

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <mezzanine/mezzanine.h>

#include "command.h"
#include "file.h"
#include "launch.h"
#include "output.h"
#include "request.h"

static const char usage[] =
    "usage: mez run FILE KERNEL --global N[,M[,K]] [OPTIONS] [ARGUMENTS]\n"
    "\n"
    "Runs a kernel of a device image, or of a source: a file in OpenCL C whose name ends in .cl "
    "is\n"
    "compiled first, with -DNAME=VALUE, -Ifolder, -O3, -g and other options of clang among ours.\n"
    "The file - is standard input, either of both. Each argument of the kernel is one here:\n"
    "\n"
    "  TYPE:NUMBER              a number: f32:2.5 i32:-3 u64:0x10\n"
    "  TYPE:NUMBER,NUMBER,...   a vector: float4:1,2,3,4 or f32x4:1,2,3,4\n"
    "  buf:TYPE:COUNT[=START]   a buffer of COUNT elements\n"
    "  out:TYPE:COUNT[=START]   the same, and it is printed after the run\n"
    "  local:BYTES, local:TYPE:COUNT\n"
    "                           local memory of the work-group\n"
    "  null                     a pointer to nothing\n"
    "\n"
    "TYPE is f16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64, or as in OpenCL C half float double char\n"
    "uchar short ushort int uint long ulong; int8 is eight ints. START is zero (the default), "
    "iota\n"
    "(0, 1, 2, ...), a number, random[:SEED] (floating point in [0, 1), integers of any bits) or\n"
    "@FILE (raw bytes, exactly as many as the buffer has).\n"
    "\n"
    "  --global N[,M[,K]]     work-items; N is get_global_size(0)\n"
    "  --local N[,M[,K]]      work-items of a work-group (default: the library chooses)\n"
    "  --print INDEX[:FIRST[:COUNT]]\n"
    "                         print elements of a buffer after the run; arguments count from 0\n"
    "  --all                  leave nothing out when a long buffer is printed\n"
    "  --save INDEX=FILE      write a buffer's bytes to a file after the run\n"
    "  --expect INDEX=START   fail unless the buffer holds START after the run\n"
    "  --tolerance NUMBER     how far from that a number may be (default 0); relative to what is\n"
    "                         expected where that is larger than 1\n"
    "  --device gpu|cpu|NAME  gpu, cpu or part of a device's name; wins over MEZ_DEVICE\n"
    "  --flags FLAGS          for the driver's compiler, such as -ze-opt-disable\n"
    "  --repeat N             run N times; buffers are not filled anew in between\n"
    "  --swap INDEX,INDEX     two buffers change places between the runs\n"
    "  --time                 on stderr: the host's time from submit to the end of the wait\n"
    "  --timeout SECONDS      give up waiting for a run (default: never)\n"
    "\n"
    "A failed assert of the kernel ends mez with SIGABRT, as C's assert does.\n";

// False: what failed has been said.
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
        fprintf(stderr, "mez run: gave up, as --timeout says\n");
        _exit(EXIT_FAILED);
    }
    return false;
}

static int run_request(const struct run_request *request)
{
    struct launch launch = {0};
    const bool good = work(request, &launch);
    if (good && request->time)
        output_times(stderr, &launch);
    launch_finish(&launch);
    return good ? EXIT_GOOD : EXIT_FAILED;
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
    else
        code = run_request(&request);
    run_request_finish(&request);
    return code;
}

const struct command run_command = {"run", "runs a kernel of an image", usage, run};
