#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the mez command and compares what it prints, to the letter, and its exit code.

run_cases.py SUITE MEZ KERNELS.spv [CRASHING_DRIVER]

SUITE is unit (no device needed), cpu or capture.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile

HINT = "`mez {} --help` explains the command\n"


def usage_error(command, message):
    return f"mez {command}: {message}\n" + HINT.format(command)


# Each case: name, arguments ({spv}: the kernels, {crash}: the crashing driver, {folder}: a folder of its own, <FILE: standard input), exit code, stdout, stderr. A compiled pattern is searched for instead of
# being compared; None is not looked at.
UNIT = [
    ("no command", [], 2, "", re.compile(r"^usage: mez COMMAND")),
    ("help", ["--help"], 0, re.compile(r"^usage: mez COMMAND.*\n  info .*\n  kernels .*\n  run .*\n  check ", re.S), ""),
    ("help of run", ["run", "--help"], 0, re.compile(r"^usage: mez run FILE KERNEL --global"), ""),
    ("help of info", ["info", "--help"], 0, re.compile(r"^usage: mez info"), ""),
    ("help of kernels", ["kernels", "-h"], 0, re.compile(r"^usage: mez kernels FILE"), ""),
    ("version", ["--version"], 0, re.compile(r"^mez \d+\.\d+\.\d+\n$"), ""),
    ("unknown command", ["rum"], 2, "", "mez: unknown command \"rum\"\n`mez --help` lists the commands\n"),
    ("unknown option", ["--rum"], 2, "", "mez: unknown option \"--rum\"\n`mez --help` lists the commands\n"),
    ("unknown option of info", ["info", "--jason"], 2, "", usage_error("info", "unknown option --jason")),
    ("too much for info", ["info", "gpu"], 2, "", usage_error("info", "unexpected argument \"gpu\"")),
    ("no file", ["kernels"], 2, "", usage_error("kernels", "the input file is missing")),
    ("two files", ["kernels", "a", "b"], 2, "", usage_error("kernels", "unexpected second file \"b\"")),
    ("no kernel", ["run", "a.spv"], 2, "",
     usage_error("run", "the name of a kernel is missing; `mez kernels a.spv` lists the kernels")),
    ("no range", ["run", "a.spv", "k"], 2, "", usage_error("run", "the range is missing: add --global N[,M[,K]]")),
    ("value that does not fit", ["run", "a.spv", "k", "--global", "8", "i8:300"], 2, "",
     usage_error("run", "argument 0: i8:300 is out of range for the type")),
    ("a driver that crashes", ["ZE_ENABLE_ALT_DRIVERS={crash}", "info"], 1,
     re.compile(r"\nno GPU: the driver crashed: Aborted;.*"
                r"\nno CPU: the driver crashed.*\nenvironment:\n", re.S), ""),
    ("cache of nothing", ["MEZ_CACHE={folder}/cache", "cache"], 0, re.compile(
        r"^folder     /.*/cache\nentries    0\nsize       0 of 1073741824 bytes\nhits       0\nmisses     0\nstored     0\n"
        r"evicted    0\ndamaged    0\n$"), ""),
    ("cache with a limit", ["MEZ_CACHE={folder}/cache", "MEZ_CACHE_LIMIT=2K", "cache", "show"], 0,
     re.compile(r"size       0 of 2048 bytes\n"), ""),
    ("cache that is off", ["MEZ_CACHE=off", "cache", "show"], 0, "folder     none: MEZ_CACHE=off\n", ""),
    ("cache with a wrong setting", ["MEZ_CACHE=of", "cache"], 1, "", re.compile(r"^mezzanine: MEZ_CACHE=of is invalid")),
    ("cache is cleared", ["MEZ_CACHE={folder}/cache", "cache", "clear"], 0, "0 entries removed\n", ""),
    ("cache of others", ["MEZ_CACHE=/tmp", "cache", "clear"], 1, "", re.compile(r"/tmp can't be cleared")),
    ("cache action", ["cache", "empty"], 2, "", usage_error("cache", "\"empty\" is neither show nor clear")),
    ("stdout is full", ["--help", ">/dev/full"], 1, None, "mez: standard output: No space left on device\n"),
]

# With Intel's driver in the process, which sanitizers end, and with the CPU driver.
WITH_DRIVERS = [
    # Intel's driver is sent away, so there is no GPU on any machine.
    ("no GPU", ["ZE_AFFINITY_MASK=99", "MEZ_DEVICE=cpu", "kernels", "--device", "gpu", "{spv}"], 1, "",
     re.compile(r"^mezzanine: --device gpu was given, but there is no GPU\n(.*\n)*"
                r" *what helps: ask for the device cpu, or for no device: the CPU driver can be loaded; `mez doctor` shows why")),
    ("no GPU, says the environment", ["ZE_AFFINITY_MASK=99", "MEZ_DRIVERS=gpu", "kernels", "{spv}"], 1, "",
     re.compile(r"^mezzanine: Level Zero can't be opened\n(.*\n)* *what helps: unset MEZ_DRIVERS")),
]

KERNELS = """saxpy         3 arguments
add_vector    2 arguments
place         1 argument
rotate_group  2 arguments
add_all       9 arguments
is_null       2 arguments
below         2 arguments, asserts
for_ever      1 argument
"""

# What fails before a device runs anything is the same on every device.
ANY_DEVICE = [
    ("kernels", ["kernels", "{spv}"], 0, KERNELS, ""),
    ("kernels of no file", ["kernels", "absent.spv"], 1, "", re.compile(r"absent\.spv.*No such file", re.S)),
    ("kernels of standard input", ["kernels", "-", "<{spv}"], 0, KERNELS, ""),
    ("run of standard input", ["run", "-", "is_null", "--global", "1", "null", "buf:int:1", "<{spv}"], 0, "", ""),
    ("run of a source from standard input", ["run", "-DNUMBER=int", "-", "helper", "--global", "1", "<nothing.cl"], 1, "", re.compile(
        r"^mezzanine: \"<stdin>\" has no kernel \"helper\"\n(.*\n)*"
        r" *its kernels: none \(in OpenCL C a kernel is a function marked \"kernel void\"\)\n")),
    ("run of a wrong source", ["run", "-", "helper", "--global", "1", "<nothing.cl"], 1, "", re.compile(r"<stdin>:1:\d+: error")),
    ("run of nothing", ["run", "-", "helper", "--global", "1"], 1, "", re.compile(r"^mezzanine: ")),
    ("kernels of no SPIR-V", ["kernels", "four.bin"], 1, "", re.compile(r"MEZ_ERRC_INVALID_IMAGE")),
    ("run of no file", ["run", "absent.spv", "k", "--global", "1"], 1, "",
     re.compile(r"\"absent\.spv\" can't be read: No such file or directory")),
    ("run of a folder", ["run", ".", "k", "--global", "1"], 1, "", re.compile(r"\"\.\" can't be read: Is a directory")),
    ("no such kernel", ["run", "{spv}", "saxpi", "--global", "1"], 1, "",
     re.compile(r"has no kernel \"saxpi\"\n.*\n *its kernels: saxpy, ")),
    ("too few arguments", ["run", "{spv}", "saxpy", "--global", "4", "f32:1"], 1, "",
     re.compile(r"1 argument was given, but the kernel declares 3")),
    ("wrong size", ["run", "{spv}", "saxpy", "--global", "4", "f64:1", "buf:float:4", "buf:float:4"], 1, "",
     re.compile(r"^mez run: argument 0 \(float.*\) is given as double; the kernel takes float\n$")),
    ("wrong type of the same size", ["run", "typed.cl", "step", "--global", "4", "buf:f32:4", "out:f32:4", "f32:4", "f32:1"], 1, "",
     "mez run: argument 2 (int w) is given as float; the kernel takes int\n"),
    ("another wrong type of the same size", ["run", "typed.cl", "step", "--global", "4", "buf:f32:4", "out:f32:4", "u32:4", "i32:1"], 1,
     "", "mez run: argument 3 (float k) is given as int; the kernel takes float\n"),
    ("wrong vector", ["run", "typed.cl", "sum", "--global", "1", "f32x4:1,2,3,4", "f32:1", "buf:f32:1"], 1, "",
     "mez run: argument 0 (int4 v) is given as float4; the kernel takes int4\n"),
    ("vector of too few", ["run", "typed.cl", "sum", "--global", "1", "i32x4:1,2,3,4", "f64:1", "buf:f32:1"], 1, "",
     "mez run: argument 1 (float2 f) is given as double; the kernel takes float2\n"),
    ("buffer of another type", ["run", "typed.cl", "step", "--global", "4", "buf:double:4", "buf:i32:4", "i32:4", "f32:1"], 0, "",
     re.compile(r"^mez run: warning: argument 0 \(global float \*a\) is given a buffer of double; the kernel takes one of float\n"
                r"mez run: warning: argument 1 \(global float \*b\) is given a buffer of int; the kernel takes one of float\n$")),
    ("buffers of the same numbers", ["run", "typed.cl", "sum", "--global", "1", "u32x4:1,2,3,4", "float2:1,2", "buf:float4:1"], 0, "", ""),
    ("buffer in another place", ["run", "typed.cl", "step", "--global", "4", "f32:1", "buf:f32:4", "i32:4", "f32:1"], 1, "",
     re.compile(r"argument 0 \(global float \*a\) is a value \(MEZ_VAL\), but the kernel declares a pointer to global memory")),
    ("wrong work-group", ["run", "{spv}", "saxpy", "--global", "5", "--local", "2", "f32:1", "buf:float:5",
                          "buf:float:5"], 1, "", re.compile(r"work-group size 2 does not divide the range 5")),
    ("file of another size", ["run", "{spv}", "saxpy", "--global", "4", "f32:1", "buf:float:4=@four.bin",
                              "buf:float:4"], 1, "", "mez run: four.bin has fewer bytes than the buffer, which has 16\n"),
    ("no such device", ["MEZ_DEVICE=cpu", "run", "{spv}", "saxpy", "--global", "4", "--device", "abacus"], 1, "",
     re.compile(r"no device fits \"abacus\"\n(?!.*MEZ_DEVICE=)(.*\n)* *from: --device abacus\n")),
    ("no such device, says the environment", ["MEZ_DEVICE=abacus", "kernels", "{spv}"], 1, "",
     re.compile(r"no device fits \"abacus\"\n(.*\n)* *from: MEZ_DEVICE=abacus\n")),
    ("time", ["run", "{spv}", "saxpy", "--global", "4", "--time", "--repeat", "3", "f32:1", "buf:float:4",
              "buf:float:4"], 0, "",
     re.compile(r"^host time from submission to the end of the wait, without compilation and copies: 3 runs, "
                r"shortest [0-9.]+ us, median [0-9.]+ us, longest [0-9.]+ us\n$")),
    ("build flags", ["run", "{spv}", "saxpy", "--global", "4", "--flags", "-ze-opt-disable", "f32:1",
                     "buf:float:4", "buf:float:4"], 0, "",
     re.compile(r"^(mezzanine: warn: image: the driver built .* says: \n.*Stack call has been detected.*)?$", re.S)),  # IGC 2
]

CPU = ANY_DEVICE + [
    ("a kernel that faults", ["run", "{spv}", "saxpy", "--global", "4", "f32:1", "null", "buf:float:4"], 1, "",
     re.compile(r'\n    driver says: kernel "saxpy" accessed memory that is not there .*group: \[0,0,0\].*, a null pointer or near one\n')),
    ("a kernel that is checked", ["MEZ_CACHE={folder}/cache", "run", "{spv}", "saxpy", "--global", "16", "--check", "f32:1", "buf:float:16",
                                  "buf:float:15"], 1, "",
     re.compile(r'\n    driver says: kernel "saxpy" read 4 bytes where it may not access memory \(ZE_CPU_CHECK\); global id: \[15,0,0\].*, '
                r"0 bytes behind the end of device memory of 60 bytes at .*\n")),
    ("a kernel that is checked again, from the cache", ["MEZ_CACHE={folder}/cache", "run", "{spv}", "saxpy", "--global", "16", "--check",
                                                        "f32:1", "buf:float:16", "buf:float:15"], 1, "",
     re.compile(r'\n    driver says: kernel "saxpy" read 4 bytes where')),
    ("a kernel that is right, checked", ["run", "{spv}", "saxpy", "--global", "4", "--check", "f32:1", "buf:float:4=iota", "out:float:4=1"], 0,
     "argument 2: float[4]\n  [0..3] 1 2 3 4\n", ""),
    ("the same without the check, from the cache", ["MEZ_CACHE={folder}/cache", "run", "{spv}", "saxpy", "--global", "16", "f32:1",
                                                    "buf:float:16", "buf:float:15"], 0, "", ""),
    ("buffer beyond the device", ["run", "{spv}", "place", "--global", "1", "buf:uint:100000000000000"], 1, "",
     re.compile(r"is more than device .* allows\n *MEZ_ERRC_MEMORY_ALLOCATION")),
    ("kernels on a device", ["MEZ_DEVICE=abacus", "kernels", "--device", "cpu", "{spv}"], 0, KERNELS, ""),
    ("info", ["info"], 0, re.compile(
        r"^Mezzanine \d.*\nCPU: .*\(what a program gets by default\)\n.*  sub-group sizes .*\n    of it free +\d.*\nenvironment:\n.*"
        r"  MEZ_CPU_DRIVER=", re.S), ""),
    ("info of the driver", ["info"], 0, re.compile(
        r"\n  driver version +1 .*\n  driver has +linked modules, large allocations\n  SPIR-V "), ""),
    ("info to nobody", ["info", "<&->&-"], 1, "", "mez: standard output: Bad file descriptor\n"),
    ("info of asserts", ["info"], 0, re.compile(r"\n  asserts +by Mezzanine's device library\n"), ""),
    ("info of listed asserts", ["ZE_CPU_ASSERT=code", "info"], 0, re.compile(
        r"\n  asserts +native, cl_intel_devicelib_assert \(the driver lists it\)\n"), ""),
    ("info of asserts that are not listed", ["ZE_CPU_ASSERT=abort", "info"], 0, re.compile(
        r"\n  asserts +native, cl_intel_devicelib_assert \(not listed, but the compiler has it\)\n"), ""),
    ("info of a newer driver", ["ZE_CPU_NEWER=1", "info", "--verbose"], 0, re.compile(
        r"\n  driver has +in-order lists, counter-based events, host functions, linked modules, "
        r"large allocations\n  functions +zeCommandListHostSynchronize \(1\.6\): (from the driver|in the loader)\n(.*\n)*"
        r"   +zeInitDrivers \(1\.10\): .*\n  extensions +ZE_experimental_module_program 1\.0\n(   .*\n)*"
        r"   +ZE_experimental_event_pool_counter_based 1\.0\n"), ""),
    ("info of a wrapped driver", ["ZE_CPU_NEWER=1", "ZE_ENABLE_LOADER_INTERCEPT=1", "info", "--verbose"], 0, re.compile(
        r"\n  driver has +(in-order lists, counter-based events, )?(.*, )?linked modules, large allocations\n"
        r"  handles +the loader wraps it, .*\n  functions +zeCommandListHostSynchronize \(1\.6\): (not available|in the loader)\n"), ""),
    ("run below a loader that refuses newer flags", ["ZE_CPU_NEWER=1", "ZE_ENABLE_VALIDATION_LAYER=1",
                                                     "ZE_ENABLE_PARAMETER_VALIDATION=1", "run", "{spv}", "is_null",
                                                     "--global", "2", "null", "out:int:2"], 0,
     "argument 1: int[2]\n  [0..1] 1 1\n", ""),
    ("info of a divided device", ["ZE_CPU_SUB_DEVICES=2", "ZE_AFFINITY_MASK=0", "info"], 0, re.compile(
        r"\n  hierarchy +composite: .*\n  sub-device 0 +\d+ compute units, .*\n  sub-device 1 .*\n\nenvironment:\n.*"
        r"  ZE_AFFINITY_MASK=0\n", re.S), ""),
    ("info of a part", ["ZE_CPU_SUB_DEVICES=4", "ZE_FLAT_DEVICE_HIERARCHY=COMBINED", "ZE_AFFINITY_MASK=2", "info"], 0,
     re.compile(r"\n  part number +2\n  hierarchy +combined: .*\n\nenvironment:", re.S), ""),
    ("saxpy", ["run", "{spv}", "saxpy", "--global", "10", "f32:2", "buf:float:10=iota", "out:float:10=0.5"], 0,
     "argument 2: float[10]\n"
     "  [0..7] 0.5 2.5 4.5 6.5 8.5 10.5 12.5 14.5\n"
     "  [8..9] 16.5 18.5\n", ""),
    ("repeat", ["run", "{spv}", "saxpy", "--global", "4", "--repeat", "3", "f32:1", "buf:f32:4=iota",
                "out:f32:4"], 0,
     "argument 2: float[4]\n  [0..3] 0 3 6 9\n", ""),
    ("repeat with swapped buffers", ["run", "{spv}", "saxpy", "--global", "4", "--repeat", "4", "--swap", "1,2", "f32:1",
                                     "out:f32:4=1", "out:f32:4=1"], 0,
     "argument 1: float[4]\n  [0..3] 5 5 5 5\nargument 2: float[4]\n  [0..3] 8 8 8 8\n", ""),
    ("as expected", ["run", "{spv}", "saxpy", "--global", "9", "--expect", "2=iota", "--expect=1=iota", "f32:1", "buf:f32:9=iota",
                     "buf:f32:9"], 0, "", ""),
    ("not as expected", ["run", "{spv}", "saxpy", "--global", "9", "--expect", "2=iota", "f32:2", "buf:f32:9=iota",
                         "buf:f32:9"], 1, "",
     "mez run: argument 2: 8 of 9 elements are not as expected; the first is [1]: 2 instead of 1\n"),
    ("expected from a file of another size", ["run", "{spv}", "saxpy", "--global", "9", "--expect", "2=@four.bin", "f32:2",
                                              "buf:f32:9=iota", "buf:f32:9"], 1, "",
     "mez run: four.bin has fewer bytes than the buffer, which has 36\n"),
    ("vectors", ["run", "{spv}", "add_vector", "--global", "3", "f32x4:1,2,3,4", "out:float4:3=iota"], 0,
     "argument 1: float4[3]\n"
     "  [0..1] (1, 3, 5, 7) (5, 7, 9, 11)\n"
     "  [2]    (9, 11, 13, 15)\n", ""),
    ("three dimensions", ["run", "{spv}", "place", "--global", "2,3,2", "--local", "1,3,2", "out:uint:12"], 0,
     "argument 0: uint[12]\n"
     "  [0..7]  0 1 10 11 20 21 100 101\n"
     "  [8..11] 110 111 120 121\n", ""),
    ("local memory", ["run", "{spv}", "rotate_group", "--global", "8", "--local", "4", "local:int:4",
                      "out:int:8=iota"], 0,
     "argument 1: int[8]\n  [0..7] 3 0 1 2 7 4 5 6\n", ""),
    ("all integers", ["run", "{spv}", "add_all", "--global", "1", "i8:-1", "u8:200", "i16:-300", "u16:40000",
                      "i32:-5000000", "u32:4000000000", "i64:-60000000000", "u64:0x700000000", "out:long:1"], 0,
     "argument 8: long[1]\n"
     f"  [0] {-1 + 200 - 300 + 40000 - 5000000 + 4000000000 - 60000000000 + 0x700000000}\n", ""),
    ("null", ["run", "{spv}", "is_null", "--global", "2", "null", "out:int:2"], 0,
     "argument 1: int[2]\n  [0..1] 1 1\n", ""),
    ("file in, file out", ["run", "{spv}", "saxpy", "--global", "1", "f32:0", "buf:float:1", "buf:u8:4=@four.bin",
                           "--save", "2=saved.bin", "--print", "2:1:2"], 0,
     "argument 2: uchar[4]\n  [1..2] 0 128\n", ""),
    ("long buffers are cut", ["run", "{spv}", "place", "--global", "70", "out:uint:70", "--print", "0:68"], 0,
     "argument 0: uint[70]\n"
     + "".join(f"  {f'[{i}..{i + 7}]':8} {' '.join(str(n) for n in range(i, i + 8))}\n" for i in range(0, 64, 8))
     + "  ... and 6 more; --all prints them\n"
       "argument 0: uint[70]\n  [68..69] 68 69\n", ""),
    ("all of it", ["run", "{spv}", "place", "--global", "66", "--all", "out:uint:66"], 0,
     "argument 0: uint[66]\n"
     + "".join(f"  {f'[{i}..{i + 7}]':8} {' '.join(str(n) for n in range(i, i + 8))}\n" for i in range(0, 64, 8))
     + "  [64..65] 64 65\n", ""),
    ("assert", ["run", "{spv}", "below", "--global", "16", "buf:int:16=iota", "i32:15"], -signal.SIGABRT, "",
     re.compile(r"kernels\.cl:\d+: below: global id: \[15,0,0\], local id: \[\d+,0,0\] "
                r"Assertion `values\[get_global_id\(0\)\] < limit` failed\.\n$")),
    ("assert that holds", ["run", "{spv}", "below", "--global", "16", "buf:int:16=iota", "i32:16"], 0, "", ""),
    ("timeout", ["run", "{spv}", "for_ever", "--global", "1", "--timeout", "0.3", "buf:int:1"], 1, "",
     re.compile(r"MEZ_ERRC_TIMEOUT.*\nmez run: the kernel did not end within the time given by --timeout\n$", re.S)),
    ("the option wins over MEZ_DEVICE", ["MEZ_DEVICE=abacus", "run", "{spv}", "is_null", "--global", "1",
                                         "--device", "cpu", "null", "out:int:1"], 0,
     "argument 1: int[1]\n  [0] 1\n", ""),
    ("invalid MEZ_DEVICE", ["MEZ_DEVICE=abacus", "info"], 0,
     re.compile(r"\nCPU: .*\nno default device: no device fits \"abacus\"", re.S), ""),
    ("no driver", ["MEZ_CPU_DRIVER=/nowhere.so", "info", "--verbose"], 1,
     re.compile(r"\nno CPU: Level Zero can't be opened: no CPU driver at /nowhere\.so\n.*"
                r"\n    CPU driver: /nowhere\.so can't be loaded", re.S), ""),
]

CAPTURE = ANY_DEVICE + [
    ("info", ["info"], 0, re.compile(
        r"^Mezzanine \d.*\nGPU: .*\(what a program gets by default\)\n  PCI id            8086:", re.S), ""),
    ("info of the driver", ["info", "--verbose"], 0, re.compile(
        r"\n  driver has +(.*, )?linked modules, large allocations\n  functions +zeCommandListHostSynchronize \(1\.6\): "
        r"(not available|in the loader)\n(.*\n)*  extensions +ZE_.* \d+\.\d+\n"), ""),
    ("launch", ["run", "{spv}", "add_all", "--global", "1", "i8:-1", "u8:200", "i16:-300", "u16:40000", "i32:-5",
                "u32:4", "i64:-6", "u64:0x7", "buf:long:1"], 0, "", ""),
    ("local memory and null", ["run", "{spv}", "rotate_group", "--global", "8", "--local", "4", "local:int:4",
                               "buf:int:8=iota"], 0, "", ""),
]

SUITES = {"unit": UNIT, "unit-with-drivers": UNIT + WITH_DRIVERS, "cpu": CPU, "capture": CAPTURE}


def split_environment(words):
    """Words such as NAME=VALUE before the command are for the environment, as in a shell."""
    environment = dict(os.environ)
    while words and re.match(r"[A-Z_]+=", words[0]):
        name, value = words[0].split("=", 1)
        environment[name] = value
        words = words[1:]
    return environment, words


def close_input_and_output():
    os.close(0)
    os.close(1)


def run(mez, paths, words, folder):
    environment, words = split_environment([word.format(**paths) for word in words])
    if words[:1] in (["run"], ["info"]):  # as users have it: the next one finds what was built, and what was asked
        environment["MEZ_CACHE"] = os.path.join(folder, "built")
    to_full = words[-1:] == [">/dev/full"]
    closed = words[-1:] == ["<&->&-"]
    words = words[:-1] if closed else words
    given = [word[1:] for word in words if word.startswith("<")]
    words = [word for word in words if not word.startswith("<")]
    with open("/dev/full", "w", encoding="ascii") as full, open(os.path.join(folder, (given or ["/dev/null"])[0]), "rb") as stdin:
        return subprocess.run([mez, *(words[:-1] if to_full else words)], cwd=folder, env=environment,
                              stdin=stdin, stdout=full if to_full else subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60, check=False,
                              preexec_fn=close_input_and_output if closed else None)


def fits(wanted, got):
    if wanted is None:
        return True
    return wanted == got if isinstance(wanted, str) else wanted.search(got) is not None


def differences(case, result):
    _, _, code, out, err = case
    for what, wanted, got in ("exit code", str(code), str(result.returncode)), ("stdout", out, result.stdout), \
            ("stderr", err, result.stderr):
        if not fits(wanted, got):
            yield f"{what}, wanted:\n{getattr(wanted, 'pattern', wanted)}\ngot:\n{got}\n"


def saved_file_is_right(folder):
    with open(os.path.join(folder, "saved.bin"), "rb") as saved:
        return saved.read() == b"\x00\x00\x80\x3f"


def main():
    suite = sys.argv[1]
    mez, *paths = map(os.path.abspath, sys.argv[2:])
    paths = dict(zip(("spv", "crash"), paths))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "four.bin"), "wb") as file:
            file.write(b"\x00\x00\x80\x3f")  # 1.0f
        with open(os.path.join(folder, "nothing.cl"), "w", encoding="ascii") as file:
            file.write("void helper(global NUMBER *x) { *x = 1; }\n")
        with open(os.path.join(folder, "typed.cl"), "w", encoding="ascii") as file:
            file.write("kernel void step(global const float *a, global float *b, int w, float k)\n"
                       "{ size_t i = get_global_id(0); b[i] = a[i] * k + w; }\n"
                       "kernel void sum(int4 v, float2 f, global float *out) { *out = v.x + v.w + f.y; }\n")
        paths["folder"] = folder
        for case in SUITES[suite]:
            wrong = list(differences(case, run(mez, paths, case[1], folder)))
            if "--save" in case[1] and not wrong and not saved_file_is_right(folder):
                wrong = ["the saved file has other bytes\n"]
            print("not ok" if wrong else "ok", "-", case[0])
            print("".join(wrong), end="")
            failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
