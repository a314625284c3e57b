# SPDX-License-Identifier: MIT
"""Modules in SPIR-V's assembly, each around one use of an instruction (instructions.txt)."""

TAGS = ["capability", "mode", "debug", "decorate", "type", "function", "parameter", "variable", "body"]

# Names that uses may rely on. Semantics: 16 is sequentially consistent, 4 releases; 0x100 and 0x200 are memory of groups and global.
MODULE = """\
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability GenericPointer
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float64
OpCapability Groups
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformClustered
{capability}
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "kernel"
{mode}
%file = OpString "kernel.cl"
{debug}
{decorate}
%void = OpTypeVoid
%bool = OpTypeBool
%uchar = OpTypeInt 8 0
%ushort = OpTypeInt 16 0
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%uint2 = OpTypeVector %uint 2
%uint4 = OpTypeVector %uint 4
%float2 = OpTypeVector %float 2
%float4 = OpTypeVector %float 4
%bool4 = OpTypeVector %bool 4
%uchar_global = OpTypePointer CrossWorkgroup %uchar
%uint_global = OpTypePointer CrossWorkgroup %uint
%float_global = OpTypePointer CrossWorkgroup %float
%uint_local = OpTypePointer Workgroup %uint
%uint_generic = OpTypePointer Generic %uint
%uint_private = OpTypePointer Function %uint
%uchar_private = OpTypePointer Function %uchar
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u4 = OpConstant %uint 4
%l1 = OpConstant %ulong 1
%l4 = OpConstant %ulong 4
%device = OpConstant %uint 1
%group = OpConstant %uint 2
%sub_group = OpConstant %uint 3
%sequential = OpConstant %uint 0x310
%release = OpConstant %uint 0x204
{type}
%kernel_type = OpTypeFunction %void {parameter_types} %uint_global %uint_global %uchar_global %uchar_global %uint_local %uint %uint %ulong %float %float %uint4 %uint4 %float4 %float4
{function}
%kernel = OpFunction %void None %kernel_type
{parameter}
%out = OpFunctionParameter %uint_global
%other = OpFunctionParameter %uint_global
%bytes = OpFunctionParameter %uchar_global
%more_bytes = OpFunctionParameter %uchar_global
%local = OpFunctionParameter %uint_local
%x = OpFunctionParameter %uint
%y = OpFunctionParameter %uint
%l = OpFunctionParameter %ulong
%f = OpFunctionParameter %float
%g = OpFunctionParameter %float
%v = OpFunctionParameter %uint4
%w = OpFunctionParameter %uint4
%p = OpFunctionParameter %float4
%q = OpFunctionParameter %float4
%entry = OpLabel
{variable}
%yes = OpIEqual %bool %x %y
%yes4 = OpIEqual %bool4 %v %w
{body}
OpReturn
OpFunctionEnd
"""


def read_uses(path):
    """For each instruction the lines of its use; the last counts where there are several."""
    uses, names = {}, []
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    for line in lines[lines.index(""):]:
        if line.startswith("=="):
            names = line[2:].split()
            uses.update({name: [] for name in names})
        elif line:
            for name in names:
                uses[name].append(line.replace("@", name))
    return uses


def module(lines):
    places, parameter_types = {tag: [] for tag in TAGS}, []
    for line in lines:
        tag, colon, rest = line.partition(": ")
        if tag == "parameter":
            name, kind = rest.split()
            places[tag].append(f"{name} = OpFunctionParameter {kind}")
            parameter_types.append(kind)
        elif colon and tag in places:
            places[tag].append(rest)
        else:
            places["body"].append(line)
    return MODULE.format(parameter_types=" ".join(parameter_types), **{tag: "\n".join(texts) for tag, texts in places.items()})
