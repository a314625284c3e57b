# SPDX-License-Identifier: MIT
"""OpenCL C that calls overloads: each argument is loaded from memory, each result stored."""
import re

OPAQUE = {"reserve_id_t", "queue_t", "ndrange_t", "clk_event_t"}
IS_OPAQUE = re.compile(r"\b(image\w+_t|pipe|sampler_t|queue_t|clk_event_t|reserve_id_t)\b")
# Of a module of eight kernels the engine compiles only those that are asked for.
KERNELS = 8
CALLS_IN_A_KERNEL = 12
HEAD = """\
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
#pragma OPENCL EXTENSION cl_khr_gl_msaa_sharing : enable
"""
SPACE_NAMES = {"__global": "out", "__local": "local_memory", "__private": "&own", "__generic": "out",
               "__constant": "constants"}


def declaration(call):
    parameters = ", ".join(call.parameters) or "void"
    return f"{call.returns} __attribute__((overloadable)) {call.function}({parameters});\n"


def is_object(parameter):
    """Is it something that only arguments of kernels and variables may be?"""
    return not parameter.startswith("=") and IS_OPAQUE.search(parameter) is not None


def argument(parameter, index):
    if parameter.startswith("="):
        return parameter[1:]
    if is_object(parameter):
        return f"object{index}"
    if parameter.endswith("*"):
        return f"({parameter}){SPACE_NAMES[parameter.split()[0]]}"
    return f"*(__global const {parameter} *)(in + {128 * index})"


def statement(call):
    arguments = ", ".join(argument(parameter, index) for index, parameter in enumerate(call.parameters))
    text = f"{call.function}({arguments})"
    if call.returns == "void" or call.returns in OPAQUE:
        return f"    {text};\n"
    if call.returns == "event_t":
        return f"    {{\n        event_t event = {text};\n        wait_group_events(1, &event);\n    }}\n"
    kind = {"bool": "int", "void *": "size_t"}.get(call.returns, call.returns)
    return f"    *(__global {kind} *)out = ({kind}){text};\n" if kind != call.returns else \
        f"    *(__global {kind} *)out = {text};\n"


def objects(calls):
    """Parameters and variables that the only call needs."""
    if len(calls) != 1:
        return "", ""
    parameters = variables = ""
    for index, text in enumerate(calls[0].parameters):
        if not is_object(text):
            continue
        if re.search(r"image|pipe|sampler", text):
            parameters += f", {text} object{index}"
        else:
            kind = text.rstrip(" *")
            variables += f"    {kind} stored{index};\n    {text} object{index} = {'&' if '*' in text else ''}stored{index};\n"
    return parameters, variables


def kernel(name, calls):
    parameters, variables = objects(calls)
    return (f"__kernel void {name}(__global char *out, __global const char *in, __constant char *constants,\n"
            f"    __local char *local_memory{parameters})\n{{\n    ulong16 own;\n    size_t two[2] = {{1, 1}}, three[3] = {{1, 1, 1}};\n{variables}"
            + "".join(statement(call) for call in calls) + "}\n")


def in_kernels(calls):
    """Calls that have objects come alone."""
    alone = [[call] for call in calls if any(is_object(text) for text in call.parameters)]
    others = [call for call in calls if not any(is_object(text) for text in call.parameters)]
    size = max(1, min(CALLS_IN_A_KERNEL, len(others) // KERNELS))
    return alone + [others[i:i + size] for i in range(0, len(others), size)]


def source(calls, declared):
    """A module; `declared` are those that clang does not know."""
    text = HEAD + "".join(sorted({declaration(call) for call in declared}))
    for index, part in enumerate(in_kernels(calls)):
        text += kernel(f"calls{index}", part)
    return text
