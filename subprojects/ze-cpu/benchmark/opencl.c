// SPDX-License-Identifier: MIT
//
// The kernels through OpenCL, on PoCL's processor.

#define CL_TARGET_OPENCL_VERSION 120
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem memory[MAX_ARGUMENTS];
static const struct bench_case *prepared;

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

static bool build(const char *path)
{
    size_t size;
    cl_int error = CL_SUCCESS;
    char *source = bench_read_file(path, &size);
    if (!source)
        return false;
    const char *text = source;
    program = clCreateProgramWithSource(context, 1, &text, &size, &error);
    free(source);
    return error == CL_SUCCESS && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS;
}

static bool open_opencl(const char *spirv, const char *source)
{
    (void)spirv;
    cl_int error = CL_SUCCESS;
    if (!find_device())
        return false;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error == CL_SUCCESS)
        queue = clCreateCommandQueue(context, device, 0, &error);
    return error == CL_SUCCESS && build(source);
}

static void *allocate(size_t size)
{
    void *buffer = NULL;
    return posix_memalign(&buffer, 4096, size) == 0 ? buffer : NULL;
}

static bool set_argument(cl_uint index, const struct argument *argument, void *buffer)
{
    cl_int error = CL_SUCCESS;
    switch (argument->kind) {
    case BUFFER:
        memory[index] = clCreateBuffer(
            context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, argument->size, buffer, &error);
        return error == CL_SUCCESS &&
               clSetKernelArg(kernel, index, sizeof(cl_mem), &memory[index]) == CL_SUCCESS;
    case LOCAL_BUFFER:
        return clSetKernelArg(kernel, index, argument->size, NULL) == CL_SUCCESS;
    case INTEGER:
        return clSetKernelArg(kernel, index, sizeof(int), &argument->integer) == CL_SUCCESS;
    case REAL:
        return clSetKernelArg(kernel, index, sizeof(float), &argument->real) == CL_SUCCESS;
    default:
        return true;
    }
}

static bool prepare(const struct bench_case *work, void *const *buffers)
{
    cl_int error = CL_SUCCESS;
    prepared = work;
    kernel = clCreateKernel(program, work->name, &error);
    bool ok = error == CL_SUCCESS;
    for (cl_uint i = 0; ok && i < MAX_ARGUMENTS; i++)
        ok = set_argument(i, &work->arguments[i], buffers[i]);
    return ok;
}

static bool run(void)
{
    return clEnqueueNDRangeKernel(queue, kernel, 3, NULL, prepared->global, prepared->local, 0,
               NULL, NULL) == CL_SUCCESS &&
           clFinish(queue) == CL_SUCCESS;
}

// Mapping is what makes the result visible in the buffer.
static void finish(void)
{
    void *mapped = clEnqueueMapBuffer(queue, memory[0], CL_TRUE, CL_MAP_READ, 0,
        prepared->arguments[0].size, 0, NULL, NULL, NULL);
    clEnqueueUnmapMemObject(queue, memory[0], mapped, 0, NULL, NULL);
    clFinish(queue);
    for (int i = 0; i < MAX_ARGUMENTS; i++) {
        if (memory[i])
            clReleaseMemObject(memory[i]);
        memory[i] = NULL;
    }
    clReleaseKernel(kernel);
}

const struct backend opencl_backend = {.name = "PoCL",
    .open = open_opencl,
    .allocate = allocate,
    .release = free,
    .prepare = prepare,
    .run = run,
    .finish = finish};
