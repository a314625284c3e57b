#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes SPIR-V's assembly with instructions that llvm-spirv 15 does not know, for test_rewritten.c.

rewritten.py OUT.spvasm
"""
import sys

HEAD = """\
OpCapability Kernel
OpCapability Addresses
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float64
OpMemoryModel Physical64 OpenCL
{entries}
OpSource OpenCL_C 300000 %file "a text that goes on"
OpSourceContinued " here"
OpDecorate %decorations Volatile
%decorations = OpDecorationGroup
OpGroupMemberDecorate %decorations %record 0 %record 1
%void = OpTypeVoid
%bool = OpTypeBool
%i8 = OpTypeInt 8 0
%i16 = OpTypeInt 16 0
%i32 = OpTypeInt 32 0
%i64 = OpTypeInt 64 0
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%float2 = OpTypeVector %float 2
%i32x2 = OpTypeVector %i32 2
%i32x4 = OpTypeVector %i32 4
%size2 = OpConstant %i64 2
%record = OpTypeStruct %i8 %i32x4
%records = OpTypeArray %record %size2
%outer = OpTypeStruct %i32 %records
%record_alike = OpTypeStruct %i8 %i32x4
%records_alike = OpTypeArray %record_alike %size2
%outer_alike = OpTypeStruct %i32 %records_alike
%pair_i8 = OpTypeStruct %i8 %i8
%pair_i16 = OpTypeStruct %i16 %i16
%pair_i32 = OpTypeStruct %i32 %i32
%pair_i64 = OpTypeStruct %i64 %i64
%pair_i32x2 = OpTypeStruct %i32x2 %i32x2
%to_i64 = OpTypePointer CrossWorkgroup %i64
%to_i32x4 = OpTypePointer CrossWorkgroup %i32x4
%to_record = OpTypePointer CrossWorkgroup %record
%to_float = OpTypePointer CrossWorkgroup %float
%two_numbers = OpTypeFunction %void %to_i64 %i64 %i64
%two_records = OpTypeFunction %void %to_i64 %to_record %to_record
%two_vectors = OpTypeFunction %void %to_i32x4 %to_i32x4
%two_floats = OpTypeFunction %void %to_float %float %float
%null_i8 = OpConstantNull %i8
%null_i16 = OpConstantNull %i16
%null_i32 = OpConstantNull %i32
%null_i64 = OpConstantNull %i64
%null_float = OpConstantNull %float
%null_double = OpConstantNull %double
%null_bool = OpConstantNull %bool
%one = OpConstant %i64 1
%seven = OpConstant %i64 7
"""


class Kernel:
    """Collects the body of a kernel, whose results go to consecutive places of its first argument."""

    def __init__(self, name, kind, parameters):
        self.name, self.stored = name, 0
        self.lines = [f"%{name} = OpFunction %void None %{kind}"]
        self.lines += [f"{self.id(letter)} = OpFunctionParameter %{parameter}" for letter, parameter in parameters]
        self.lines.append(f"{self.id('entry')} = OpLabel")

    def id(self, name):
        return f"%{self.name}_{name}"

    def value(self, name, text):
        """`text` has {x} for the kernel's value x."""
        used = {key: self.id(key) for key in ["out", "a", "b"] + [line.split()[0][2 + len(self.name):] for line in self.lines
                                                                if line.startswith(f"%{self.name}_")]}
        self.lines.append(f"{self.id(name)} = {text.format(**used)}")

    def store(self, name, pointer, alignment):
        at = self.id(f"place{self.stored}")
        self.lines += [f"{at} = OpInBoundsPtrAccessChain %{pointer} {self.id('out')} %at{self.stored}",
                       f"OpStore {at} {self.id(name)} Aligned {alignment}"]
        self.stored += 1

    def text(self):
        return "\n".join(self.lines + ["OpReturn", "OpFunctionEnd"]) + "\n"


def numbers(name):
    return Kernel(name, "two_numbers", [("out", "to_i64"), ("a", "i64"), ("b", "i64")])


OPERATIONS = ["OpIAddCarry", "OpISubBorrow", "OpUMulExtended", "OpSMulExtended"]


def narrow(kernel, kind):
    for letter in "ab":
        kernel.value(letter + letter, f"OpUConvert %{kind} {{{letter}}}" if kind != "i64" else f"OpCopyObject %i64 {{{letter}}}")


def widen(kernel, name, source, kind):
    kernel.value(name, f"OpUConvert %i64 {{{source}}}" if kind != "i64" else f"OpCopyObject %i64 {{{source}}}")
    kernel.store(name, "to_i64", 8)


def wide(kind):
    kernel = numbers("wide_" + kind)
    narrow(kernel, kind)
    for index, operation in enumerate(OPERATIONS):
        kernel.value(f"r{index}", f"{operation} %pair_{kind} {{aa}} {{bb}}")
        for part in (0, 1):
            kernel.value(f"p{index}{part}", f"OpCompositeExtract %{kind} {{r{index}}} {part}")
            widen(kernel, f"w{index}{part}", f"p{index}{part}", kind)
    return kernel


def wide_vectors():
    """(a, b) and (b, a)."""
    kernel = numbers("wide_vectors")
    narrow(kernel, "i32")
    kernel.value("ab", "OpCompositeConstruct %i32x2 {aa} {bb}")
    kernel.value("ba", "OpCompositeConstruct %i32x2 {bb} {aa}")
    for index, operation in enumerate(OPERATIONS):
        kernel.value(f"r{index}", f"{operation} %pair_i32x2 {{ab}} {{ba}}")
        for part in (0, 1):
            for element in (0, 1):
                place = f"{index}{part}{element}"
                kernel.value(f"p{place}", f"OpCompositeExtract %i32 {{r{index}}} {part} {element}")
                widen(kernel, f"w{place}", f"p{place}", "i32")
    return kernel


def pointers():
    kernel = Kernel("pointers", "two_records", [("out", "to_i64"), ("a", "to_record"), ("b", "to_record")])
    for name, operation in ("same", "OpPtrEqual"), ("other", "OpPtrNotEqual"):
        kernel.value(name, f"{operation} %bool {{a}} {{b}}")
        kernel.value(name + "_number", f"OpSelect %i64 {{{name}}} %one %seven")
        kernel.store(name + "_number", "to_i64", 8)
    kernel.value("distance", "OpPtrDiff %i64 {a} {b}")
    kernel.store("distance", "to_i64", 8)
    kernel.value("short_distance", "OpPtrDiff %i32 {a} {b}")
    kernel.value("long_distance", "OpSConvert %i64 {short_distance}")
    kernel.store("long_distance", "to_i64", 8)
    kernel.value("size", "OpSizeOf %i32 {a}")
    widen(kernel, "long_size", "size", "i32")
    return kernel


def composites():
    """A vector's element in a struct in an array in a struct, and the same behind OpCopyLogical."""
    kernel = numbers("composites")
    narrow(kernel, "i32")
    kernel.value("none", "OpUndef %outer")
    kernel.value("first", "OpCompositeInsert %outer {aa} {none} 1 1 1 2")
    kernel.value("second", "OpCompositeInsert %outer {bb} {first} 1 0 1 3")
    kernel.value("third", "OpCompositeInsert %outer {bb} {second} 0")
    kernel.value("alike", "OpCopyLogical %outer_alike {third}")
    for name, source, place in [("p0", "third", "1 1 1 2"), ("p1", "third", "1 0 1 3"), ("p2", "alike", "1 1 1 2"),
                                ("p3", "alike", "1 0 1 3"), ("p4", "alike", "0")]:
        kernel.value(name, f"OpCompositeExtract %i32 {{{source}}} {place}")
        widen(kernel, "w" + name, name, "i32")
    return kernel


def vectors():
    """A vector of two vectors, of a vector between numbers, and behind them."""
    kernel = numbers("vectors")
    narrow(kernel, "i32")
    kernel.value("ab", "OpCompositeConstruct %i32x2 {aa} {bb}")
    for index, parts in enumerate(["{ab} {ab}", "{bb} {ab} {bb}", "{bb} {aa} {ab}"]):
        kernel.value(f"r{index}", f"OpCompositeConstruct %i32x4 {parts}")
        for element in range(4):
            kernel.value(f"p{index}{element}", f"OpCompositeExtract %i32 {{r{index}}} {element}")
            widen(kernel, f"w{index}{element}", f"p{index}{element}", "i32")
    return kernel


def copies():
    kernel = Kernel("copies", "two_vectors", [("out", "to_i32x4"), ("a", "to_i32x4")])
    for index, access in enumerate(["Volatile|Aligned 16", "", "Aligned 16 Volatile|Aligned 8"]):
        kernel.value(f"to{index}", f"OpInBoundsPtrAccessChain %to_i32x4 {{out}} %at{index}")
        kernel.value(f"from{index}", f"OpInBoundsPtrAccessChain %to_i32x4 {{a}} %at{2 - index}")
        kernel.lines.append(f"OpCopyMemory {kernel.id(f'to{index}')} {kernel.id(f'from{index}')} {access}")
    return kernel


def roundings():
    kernel = Kernel("roundings", "two_floats", [("out", "to_float"), ("a", "float"), ("b", "float")])
    kernel.value("rounded", "OpQuantizeToF16 %float {a}")
    kernel.store("rounded", "to_float", 4)
    kernel.value("both", "OpCompositeConstruct %float2 {b} {a}")
    kernel.value("rounded_both", "OpQuantizeToF16 %float2 {both}")
    for element in (0, 1):
        kernel.value(f"e{element}", f"OpCompositeExtract %float {{rounded_both}} {element}")
        kernel.store(f"e{element}", "to_float", 4)
    return kernel


def nulls():
    """Zero of each scalar type, and what false chooses."""
    kernel = numbers("nulls")
    for kind in ["i8", "i16", "i32", "i64"]:
        kernel.value("x" + kind, f"OpCopyObject %{kind} %null_{kind}")
        widen(kernel, "w" + kind, "x" + kind, kind)
    for kind in ["float", "double"]:
        kernel.value("n" + kind, f"OpConvertFToU %i64 %null_{kind}")
        kernel.store("n" + kind, "to_i64", 8)
    kernel.value("chosen", "OpSelect %i64 %null_bool {a} {b}")
    kernel.store("chosen", "to_i64", 8)
    return kernel


def main():
    kernels = [wide(kind) for kind in ["i8", "i16", "i32", "i64"]]
    kernels += [wide_vectors(), pointers(), composites(), vectors(), copies(), roundings(), nulls()]
    entries = "\n".join(f'OpEntryPoint Kernel %{kernel.name} "{kernel.name}"' for kernel in kernels)
    places = "".join(f"%at{index} = OpConstant %i64 {index}\n" for index in range(max(kernel.stored for kernel in kernels)))
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write(HEAD.format(entries=entries + '\n%file = OpString "rewritten.cl"') + places
                   + "".join(kernel.text() for kernel in kernels))


main()
