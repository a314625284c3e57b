// SPDX-License-Identifier: MIT
//
// Runs the kernels of a source file on PoCL's processor:
//
//     run_opencl LAUNCHES INPUT RESULTS SOURCE [OPTIONS]
//
// Without arguments it says which PoCL there is. Ends with 77 where there is none.

#define CL_TARGET_OPENCL_VERSION 120
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

enum { SKIPPED = 77 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;

static bool is_pocl(cl_platform_id platform)
{
    char name[128] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
    return strcmp(name, "Portable Computing Language") == 0;
}

static bool find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && i < 16; i++) {
        if (is_pocl(platforms[i]))
            return clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS;
    }
    return false;
}

static bool open_device(void)
{
    cl_int error = CL_SUCCESS;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error == CL_SUCCESS)
        queue = clCreateCommandQueue(context, device, 0, &error);
    return error == CL_SUCCESS;
}

static void print_log(void)
{
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
}

static bool build(const char *path, const char *more)
{
    char options[256];
    size_t size = 0;
    cl_int error = CL_SUCCESS;
    char *source = read_file(path, &size);
    const char *text = source;
    if (!source)
        return false;
    program = clCreateProgramWithSource(context, 1, &text, &size, &error);
    free(source);
    snprintf(options, sizeof(options), "-cl-std=CL1.2 -w %s", more);
    if (error == CL_SUCCESS &&
        clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS)
        return true;
    print_log();
    return false;
}

static cl_mem share(cl_mem_flags flags, void *bytes, size_t size)
{
    return clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR, size, bytes, NULL);
}

static bool enqueue(cl_kernel kernel, const struct launch *launch, const cl_mem *buffers)
{
    const cl_uint n = N;
    size_t global[3];
    for (int i = 0; i < 3; i++)
        global[i] = launch->local[i] * launch->groups[i];
    bool ok = true;
    for (cl_uint i = 0; i < 3; i++)
        ok = ok && clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]) == CL_SUCCESS;
    return ok && clSetKernelArg(kernel, 3, sizeof(n), &n) == CL_SUCCESS &&
           clSetKernelArg(kernel, 4, SCRATCH_BYTES, NULL) == CL_SUCCESS &&
           clEnqueueNDRangeKernel(queue, kernel, 3, launch->offset, global, launch->local, 0, NULL,
               NULL) == CL_SUCCESS;
}

// Reading to where the buffer is makes the results visible there.
static bool fetch(cl_mem buffer, void *bytes, size_t size)
{
    return clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL) == CL_SUCCESS;
}

static bool run(const struct launch *launch, const struct memory *memory)
{
    const cl_mem buffers[] = {
        share(CL_MEM_READ_WRITE, memory->results, launch->result_bytes),
        share(CL_MEM_READ_WRITE, memory->totals, TOTALS_BYTES),
        share(CL_MEM_READ_ONLY, (void *)memory->input, INPUT_BYTES),
    };
    cl_kernel kernel = clCreateKernel(program, launch->name, NULL);
    const bool ok = buffers[0] && buffers[1] && buffers[2] && kernel &&
                    enqueue(kernel, launch, buffers) &&
                    fetch(buffers[0], memory->results, launch->result_bytes) &&
                    fetch(buffers[1], memory->totals, TOTALS_BYTES);
    if (kernel)
        clReleaseKernel(kernel);
    for (int i = 0; i < 3; i++) {
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    }
    return ok;
}

static void *allocate(size_t size)
{
    void *memory = NULL;
    return posix_memalign(&memory, 4096, size) == 0 ? memory : NULL;
}

int main(int argc, char **argv)
{
    char version[256] = "";
    if (!find_device())
        return SKIPPED;
    clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof(version) - 1, version, NULL);
    if (argc < 5) {
        printf("PoCL %s\n", version);
        return 0;
    }
    const bool ok = open_device() && build(argv[4], argc > 5 ? argv[5] : "") &&
                    run_launches(argv[1], argv[2], argv[3], allocate, free, run);
    return ok ? 0 : 1;
}
