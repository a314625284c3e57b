#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks rooms on purpose and sees whether `mez doctor` names the cause and what to do.

doctor_cases.py SUITE MEZ [LIBRARY...]

SUITE is unit (no device needed), cpu or capture. The libraries, of unit: the drivers that crash, need another library and do
odd things, the library that another needs, the one that hides the loader, and where the build has traces their dispatcher and
recorder. What takes two users is skipped unless run by root.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NOBODY = 65534
OTHER_GROUP = 4343  # of nobody, and not that of any node
LIBRARIES = ("crash", "needy", "odd", "needed", "no_loader", "dispatcher", "recorder")
OURS = re.compile(r"MEZ_|XPTI_|ZE_(?!CPU_ENGINE)|ZES_|ZET_|ZEX_|XDG_CACHE_HOME$|LD_LIBRARY_PATH$")
KEPT = {"cpu": {"MEZ_CPU_DRIVER"}, "capture": set(), "unit": set()}


class Room:
    """A machine below a folder, as its user would find it."""

    def __init__(self, folder, suite, mez, libraries):
        self.folder = pathlib.Path(folder)
        self.root = self.folder / "root"
        self.mez = self.folder / "mez"
        self.libraries = libraries
        self.root.mkdir()
        shutil.copy(mez, self.mez)
        self.folder.chmod(0o755)
        self.environment = {name: value for name, value in os.environ.items()
                            if not OURS.match(name) or name in KEPT[suite]}
        self.environment["HOME"] = str(self.folder)
        if suite == "unit":
            self.environment["MEZ_CPU_DRIVER"] = "/nowhere/libze_cpu.so.1"

    def file(self, path, text="", mode=0o644, group=None):
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        if group is not None:
            os.chown(place, -1, group)
        place.chmod(mode)
        return place

    def link(self, path, target):
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)

    def gpu(self, vendor="0x8086", kind="0x030000", driver=None):
        folder = "sys/bus/pci/devices/0000:00:02.0"
        for name, text in ("vendor", vendor), ("class", kind), ("device", "0x9a49"):
            self.file(f"{folder}/{name}", text + "\n")
        if driver:
            self.link(f"{folder}/driver", f"../../../../bus/pci/drivers/{driver}")

    def traced(self, *tools):
        """Variables that have the build's own recorder, and these tools, trace a program."""
        if "recorder" not in self.libraries:
            raise Skip("the build has no traces")
        return {"XPTI_FRAMEWORK_DISPATCHER": self.libraries["dispatcher"],
                "XPTI_SUBSCRIBERS": ",".join((self.libraries["recorder"], *tools))}

    def run(self, *words, nobody=False, **variables):
        other = {"user": NOBODY, "group": NOBODY, "extra_groups": [OTHER_GROUP]} if nobody else {}
        return subprocess.run([self.mez, "doctor", *words], env=self.environment | variables, cwd=self.folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=300, check=False, **other)

    def ask(self, nobody=False, **variables):
        result = self.run("--json", "--root", str(self.root), nobody=nobody, **variables)
        if result.returncode not in (0, 1):
            raise AssertionError(f"exit code {result.returncode}:\n{result.stderr}")
        require(result.stderr == "", "on stderr", result.stderr)
        answer = json.loads(result.stdout)
        fails = [check for check in answer["checks"] if check["verdict"] == "fail"]
        require((result.returncode == 1) == bool(fails) == (answer["verdict"] == "fail"), "exit code and verdicts differ", answer)
        for check in answer["checks"]:
            require((check["verdict"] == "pass") != bool(check.get("advice")), "all but PASS need advice", check)
        return answer


class Skip(Exception):
    """Why a case can't be tried."""


def require(condition, what, got):
    if not condition:
        raise AssertionError(f"{what}:\n{json.dumps(got, indent=1)}")


def expect(answer, check, verdict, found, advice=""):
    """One finding of that check and verdict has these texts; patterns."""
    for finding in answer["checks"]:
        if finding["check"] == check and finding["verdict"] == verdict and re.search(found, finding["found"]) and \
                re.search(advice, finding.get("advice", "")):
            return
    require(False, f"no finding: {check}, {verdict}, {found!r}, {advice!r}", answer["checks"])


def need_root():
    if os.geteuid() != 0:
        raise Skip("only root can be two users")


# --- Loader and libraries

def the_loader_is_missing(room):
    preload = {"LD_PRELOAD": str(room.libraries["no_loader"]),
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}
    answer = room.ask(**preload)
    expect(answer, "loader", "fail", r"libze_loader\.so\.1.*No such file", r"libze1")
    expect(answer, "device", "fail", r"no device")


def the_loader_is_no_library(room):
    room.file("bad/libze_loader.so.1", "text")
    answer = room.ask(LD_LIBRARY_PATH=str(room.root / "bad"))
    expect(answer, "loader", "fail", r"libze_loader\.so\.1: (file too short|invalid ELF header)", r"LD_LIBRARY_PATH")


def the_loader_is_good(room):
    expect(room.ask(), "loader", "pass", r"/libze_loader\.so\.1.*, version \d")


def two_loaders(room):
    room.file("etc/ld.so.conf", "# two\ninclude ld.so.conf.d/*.conf\n")
    room.file("etc/ld.so.conf.d/a.conf", "  /opt/intel/lib # newer\n")
    room.file("etc/ld.so.conf.d/b.conf", "include /etc/ld.so.conf\n/usr/lib\n")
    room.file("opt/intel/lib/libze_loader.so.1.17.2")
    room.link("opt/intel/lib/libze_loader.so.1", "libze_loader.so.1.17.2")
    room.file("usr/lib/libze_loader.so.1")
    expect(room.ask(), "libraries", "warn",
           r"libze_loader\.so\.1 is installed 2 times, and programs use the first one: "
           r"\S+/opt/intel/lib/libze_loader\.so\.1\.17\.2, then \S+/usr/lib/",
           r"keep only one")


def one_loader_by_two_names_is_one(room):
    room.file("usr/lib/libze_loader.so.1")
    room.link("lib", "usr/lib")
    expect(room.ask(), "libraries", "pass", r"^libze_loader\.so\.1$")


def a_compiler_twice_on_the_path(room):
    room.file("usr/lib/libigc.so.1")
    room.file("mine/libigc.so.1")
    expect(room.ask(LD_LIBRARY_PATH=f"/nowhere:{room.root / 'mine'}"), "libraries", "warn",
           r"libigc\.so\.1 is installed 2 times, and programs use the first one: \S+/mine/", r"LD_LIBRARY_PATH")


def a_layer_of_another_version(room):
    for name, version in ("libze_loader", "1.8.0"), ("libze_validation_layer", "1.17.2"):
        room.file(f"usr/lib/{name}.so.{version}")
        room.link(f"usr/lib/{name}.so.1", f"{name}.so.{version}")
    expect(room.ask(), "libraries", "warn", r"loader and its validation layer have .*1\.8\.0 and .*1\.17\.2", r"from the same source")


def halves_of_a_compiler_of_two_versions(room):
    for name, version in ("libigc", "1.0.1"), ("libigdfcl", "1.0.2"):
        room.file(f"usr/lib/{name}.so.{version}")
        room.link(f"usr/lib/{name}.so.1", f"{name}.so.{version}")
    expect(room.ask(), "libraries", "warn", r"two halves of Intel's compiler", r"from the same source")


# --- Drivers

def a_driver_that_is_text(room):
    text = room.file("driver.so", "This is not a library, and long enough to be read as one: " + 64 * "x")
    answer = room.ask(ZE_ENABLE_ALT_DRIVERS=str(text))
    expect(answer, "driver", "fail", r"driver\.so can't be loaded: .*invalid ELF header", r"another file")
    expect(answer, "device", "fail", r"no device")


def a_driver_that_is_not_there(room):
    expect(room.ask(ZE_ENABLE_ALT_DRIVERS="/no/such/driver.so"), "driver", "fail",
           r"ZE_ENABLE_ALT_DRIVERS names /no/such/driver\.so, which does not exist", r"correct the name")


def a_driver_that_misses_a_library(room):
    driver = shutil.copy(room.libraries["needy"], room.folder)
    expect(room.ask(ZE_ENABLE_ALT_DRIVERS=str(driver)), "driver", "fail",
           r"can't be loaded: \S*needed\S*: cannot open shared object file", r"install the libraries")


def a_driver_that_crashes(room):
    name = str(room.libraries["crash"])
    expect(room.ask(ZE_ENABLE_ALT_DRIVERS=name), "driver", "fail", re.escape(name) + ": the driver crashed: Aborted", r"remove it")


def a_driver_that_ends_the_process(room):
    expect(room.ask(ZE_ENABLE_ALT_DRIVERS=str(room.libraries["odd"]), ODD_DRIVER_EXITS="3"), "driver", "fail",
           r"the driver ended the process with exit code 3; it printed: odd: this machine won't do$", r"remove it")


def a_library_that_is_no_driver(room):
    expect(room.ask(ZE_ENABLE_ALT_DRIVERS=str(room.libraries["needed"])), "driver", "fail", r"not a Level Zero driver",
           r"list drivers, such as libze_intel_gpu\.so\.1")


def one_bad_driver_does_not_hide_the_next(room):
    answer = room.ask(ZE_ENABLE_ALT_DRIVERS=f"{room.libraries['crash']},{room.libraries['needed']}")
    expect(answer, "driver", "fail", r"crashed")
    expect(answer, "driver", "fail", r"not a Level Zero driver")


def spaces_in_the_list_of_drivers(room):
    expect(room.ask(ZE_ENABLE_ALT_DRIVERS="/no/a.so, /no/b.so"), "driver", "fail", r"a space beside \" /no/b\.so\"", r"remove the spaces")


def an_empty_name_in_the_list_of_drivers(room):
    expect(room.ask(ZE_ENABLE_ALT_DRIVERS="/no/a.so,,/no/b.so"), "driver", "fail", r"an empty name", r"comma")


def an_empty_list_of_drivers(room):
    expect(room.ask(ZE_ENABLE_ALT_DRIVERS=""), "variables", "warn", r"ZE_ENABLE_ALT_DRIVERS is empty", r"unset it")


def a_driver_that_mixes_compilers(room):
    copies = [room.folder / name / "libigc.so.1" for name in ("a", "b")]
    for copy in copies:
        copy.parent.mkdir()
        shutil.copy(room.libraries["needed"], copy)
    answer = room.ask(ZE_ENABLE_ALT_DRIVERS=str(room.libraries["odd"]), ODD_DRIVER_LOADS=",".join(map(str, copies)))
    expect(answer, "driver", "warn", r"a library twice: \S+/a/libigc\.so\.1 and \S+/b/libigc\.so\.1", r"mixed versions crash")
    expect(answer, "driver", "warn", r"lacks zeGetDriverProcAddrTable and 44 more functions")


def the_cpu_driver_is_not_there(room):
    expect(room.ask(), "driver", "warn", r"there is no CPU driver at /nowhere/", r"MEZ_CPU_DRIVER")


# --- Kernel and nodes

def no_kernel_folder(room):
    expect(room.ask(), "kernel driver", "warn", r"/sys/bus/pci/devices: No such file", r"containers")


def a_gpu_with_its_driver(room):
    room.gpu(driver="i915")
    expect(room.ask(), "kernel driver", "pass", r"^Intel GPU 8086:9a49 at 0000:00:02\.0: i915 of Linux \d")


def a_gpu_without_a_driver(room):
    room.gpu()
    expect(room.ask(), "kernel driver", "fail", r"has no driver for it", r"modprobe")


def a_gpu_given_to_a_virtual_machine(room):
    room.gpu(driver="vfio-pci")
    expect(room.ask(), "kernel driver", "fail", r"bound to vfio-pci", r"i915 or xe")


def another_vendors_gpu(room):
    room.gpu(vendor="0x10de", driver="nouveau")
    expect(room.ask(), "kernel driver", "warn", r"no Intel GPU")


def intels_other_devices(room):
    room.gpu(kind="0x020000", driver="e1000e")
    expect(room.ask(), "kernel driver", "warn", r"no Intel GPU")


def no_folder_of_nodes(room):
    expect(room.ask(), "device nodes", "warn", r"/dev/dri: No such file", r"modprobe i915.*--device /dev/dri")


def a_folder_without_render_nodes(room):
    room.file("dev/dri/card0")
    expect(room.ask(), "device nodes", "warn", r"/dev/dri has no render node", r"kernel driver")


def an_unreadable_folder_of_nodes(room):
    room.file("dev/dri/renderD128")
    folder = room.root / "dev/dri"
    folder.chmod(0)
    try:
        answer = room.ask(nobody=os.geteuid() == 0)
    finally:
        folder.chmod(0o755)
    expect(answer, "device nodes", "fail", r"/dev/dri: Permission denied", r"chmod 755")


def a_node_that_opens(room):
    room.file("dev/dri/renderD128", mode=0o600)
    expect(room.ask(), "device nodes", "pass", r"/dev/dri/renderD128 can be opened")


def a_node_of_a_group_that_is_not_ours(room):
    need_root()
    room.file("etc/group", "render:x:4242:somebody\n")
    room.file("dev/dri/renderD128", mode=0o660, group=4242)
    expect(room.ask(nobody=True), "device nodes", "fail", r"renderD128 can't be opened: Permission denied",
           r"usermod -a -G render nobody")


def a_group_that_waits_for_a_new_login(room):
    need_root()
    room.file("etc/group", "video:x:44:\nrender:x:4242:somebody,nobody\n")
    room.file("dev/dri/renderD128", mode=0o660, group=4242)
    expect(room.ask(nobody=True), "device nodes", "fail", r"Permission denied", r"log in again, or run `newgrp render`")


def a_group_without_a_name(room):
    need_root()
    room.file("etc/group", "video:x:44:\n")
    room.file("dev/dri/renderD128", mode=0o660, group=4242)
    expect(room.ask(nobody=True), "device nodes", "fail", r"Permission denied", r"--group-add 4242")


def a_node_that_is_for_nobody(room):
    room.file("dev/dri/renderD128", mode=0)
    expect(room.ask(nobody=os.geteuid() == 0), "device nodes", "fail", r"Permission denied", r"permissions 0000 .*udev rule")


def one_good_node_of_two(room):
    room.file("dev/dri/renderD128", mode=0)
    room.file("dev/dri/renderD129", mode=0o666)
    answer = room.ask(nobody=os.geteuid() == 0)
    expect(answer, "device nodes", "warn", r"renderD128 can't be opened")
    expect(answer, "device nodes", "pass", r"renderD129 can be opened")


# --- Variables

def variables_with_a_meaning(room):
    answer = room.ask(ZE_FLAT_DEVICE_HIERARCHY="FLAT", ZE_AFFINITY_MASK="0,2.1", ZEX_NUMBER_OF_CCS="0:4,1:2", ZES_ENABLE_SYSMAN="1")
    expect(answer, "variables", "pass", r"FLAT: programs see sub-devices as devices")
    expect(answer, "variables", "pass", r"ZE_AFFINITY_MASK=0,2\.1: ")
    expect(answer, "variables", "pass", r"ZEX_NUMBER_OF_CCS=0:4,1:2: ")
    require(not any(check["check"] == "variables" and check["verdict"] != "pass" for check in answer["checks"]), "warned", answer)


def variables_without_a_meaning(room):
    for name, value, found, advice in (
            ("ZE_FLAT_DEVICE_HIERARCHY", "flat", r"is invalid", r"COMPOSITE, FLAT or COMBINED"),
            ("ZE_AFFINITY_MASK", "0,gpu1", r"\"gpu1\" is not a device", r"0,1\.1"),
            ("ZE_AFFINITY_MASK", "0,", r"\"\" is not a device", r""),
            ("ZE_AFFINITY_MASK", "0.1.2", r"\"0\.1\.2\" is not a device", r""),
            ("ZE_AFFINITY_MASK", "99999999999999999999", r"is not a device", r""),
            ("ZEX_NUMBER_OF_CCS", "0:3", r"\"0:3\" is invalid", r"1, 2 or 4"),
            ("ZEX_NUMBER_OF_CCS", "4", r"\"4\" is invalid", r""),
            ("ZES_ENABLE_SYSMAN", "yes", r"does not enable it", r"set it to 1"),
            ("ZE_ENABLE_NULL_DRIVER", "1", r"does nothing", r"unset it"),
            ("ZE_ENABLE_LOADER_INTERCEPT", "1", r"wraps all handles", r"unset it")):
        expect(room.ask(**{name: value}), "variables", "warn", f"{name}={re.escape(value)}.*{found}|{name}={value}: {found}", advice)


def settings_without_a_meaning(room):
    for name, value, advice in (
            ("MEZ_ASSERT", "maybe", "abort or error"), ("MEZ_ASSERT_LIMIT", "0", "from 1 to 1024"),
            ("MEZ_ASSERT_LINK", "static", "program or dynamic"),
            ("MEZ_ASSERT_RECORD", "queue", "launch or module"), ("MEZ_BATCH", "4097", "from 1 to 4096"),
            ("MEZ_DRIVERS", "all", "gpu, cpu or gpu,cpu"), ("MEZ_QUEUE", "fast", "immediate, batched, basic or adaptive"),
            ("MEZ_STALL", "-1", "a number of seconds"), ("MEZ_VALIDATE", "yes", "0 or 1"),
            ("MEZ_CHECK", "yes", "0, 1, or a number of bytes")):
        expect(room.ask(**{name: value}), "settings", "fail", f"{name}={value} is invalid: use .*{advice}", r"unset ")
    expect(room.ask(MEZ_LOG="loud"), "settings", "warn", r"MEZ_LOG=loud: .*\(known: off, error, warn", r"unset ")


def settings_that_nothing_reads(room):
    answer = room.ask(MEZ_DEVISE="gpu", mez_cache="off", MEZ_PLAY="1", MEZ_TEST_DEVICE="cpu", MESA_LOG="1")
    expect(answer, "settings", "warn", r"^MEZ_DEVISE is set, but nothing reads it", r"did you mean MEZ_DEVICE\?")
    expect(answer, "settings", "warn", r"^mez_cache is set", r"did you mean MEZ_CACHE\?")
    expect(answer, "settings", "warn", r"^MEZ_PLAY is set", r"listed below")
    expect(room.ask(MEZZ_QUEUE="basic"), "settings", "warn", r"^MEZZ_QUEUE is set", r"did you mean MEZ_QUEUE\?")
    require(len([check for check in answer["checks"] if check["check"] == "settings"]) == 3, "other names count", answer)


def all_settings_are_shown(room):
    settings = {setting["name"]: setting for setting in room.ask(MEZ_QUEUE="basic", MEZ_BATCH="")["settings"]}
    require(settings["MEZ_QUEUE"]["value"] == "basic" and "value" not in settings["MEZ_BATCH"], "values", settings)
    require(settings["MEZ_STALL"]["default"] == "10" and len(settings) >= 13, "defaults", settings)


# --- Traces

def a_trace_that_is_asked_for(room):
    variables = room.traced()
    output = str(room.folder / "t.json")
    expect(room.ask(**variables, MEZ_TRACE=output), "traces", "pass", r"programs write to .*/t\.json$")
    answer = room.ask(**variables)
    expect(answer, "traces", "pass", r"through .*libxptifw\.so")
    require("mez-trace: " not in json.dumps(answer), "a tool is started with drivers, and taken for them", answer)
    expect(room.ask(), "traces", "pass", r"tracing is off")


def the_last_trace_stays(room):
    output = room.file("t.json", "the last one's")
    for variables in room.traced(), {}:
        room.ask(**variables, MEZ_TRACE=str(output))
        require(output.read_text(encoding="utf-8") == "the last one's", "written over", variables)
        require([file.name for file in room.root.iterdir()] == ["t.json"], "new files", variables)


def a_trace_that_can_not_be_written(room):
    variables = room.traced()
    expect(room.ask(**variables, MEZ_TRACE="/no/t.json"), "traces", "warn", r"/no/t\.json can't be written: No such file", r"folder")
    expect(room.ask(**variables, MEZ_TRACE="t.jason"), "traces", "warn", r"t\.jason does not end in a known", r"\.json, ")
    expect(room.ask(**variables, MEZ_TRACE_MEMORY="/no"), "traces", "warn", r"MEMORY=/no can't be opened: No such file", r"unset ")


def nothing_to_trace_with(room):
    room.traced()
    expect(room.ask(MEZ_TRACE="t.json"), "traces", "warn", r"nothing is traced: there is no .*/libmez-trace\.so", r"install")
    expect(room.ask(XPTI_SUBSCRIBERS="tool.so"), "traces", "warn", r"no dispatcher loads these tools", r"or use `mez trace`")


def traces_without_a_meaning(room):
    variables = room.traced()
    expect(room.ask(MEZ_TRACE_BUFFER="0"), "traces", "warn", r"MEZ_TRACE_BUFFER is 1 to 1024, in MiB, not \"0\"", r"unset ")
    expect(room.ask(MEZ_TRACE_DETAIL="all"), "traces", "warn", r"MEZ_TRACE_DETAIL is basic, .*, not \"all\"", r"unset ")
    expect(room.ask(XPTI_TRACE_ENABLE="yes"), "traces", "warn", r"ENABLE=yes is invalid", r"unset ")
    expect(room.ask(**variables, XPTI_TRACE_ENABLE="0"), "traces", "warn", r"ENABLE=0: nothing is traced", r"unset ")
    expect(room.ask(XPTI_TRACE_ENABLE="0"), "traces", "pass", r"tracing is off")


def a_dispatcher_that_is_none(room):
    room.traced()
    for path, verdict, found in (("/no/such.so", "warn", r"No such file"), (room.libraries["needed"], "warn", r"lacks xpti"),
                                 (room.libraries["crash"], "fail", r"the dispatcher crashed: Aborted")):
        expect(room.ask(XPTI_FRAMEWORK_DISPATCHER=path), "traces", verdict, f"{path}: .*{found}", r"unset ")


def tools_that_are_none(room):
    answer = room.ask(**room.traced("/no/such.so", "", room.libraries["needed"], room.libraries["crash"]))
    expect(answer, "traces", "warn", r"/no/such\.so can't be used: .*No such file", r"remove it")
    expect(answer, "traces", "warn", r"needed\.so can't be used: it does not export xptiTraceInit", r"remove it")
    expect(answer, "traces", "fail", r"the tool \S*crash\.so: the tool crashed: Aborted", r"remove it")
    require(len([check for check in answer["checks"] if check["check"] == "traces"]) == 3, "the recorder is good", answer)


# --- Cache and device configuration

def a_cache_to_be_made(room):
    expect(room.ask(), "cache", "pass", r"/\.cache/mezzanine is made when")
    require(not (room.folder / ".cache").exists(), "the doctor made it", [])


def a_cache_that_is_there(room):
    (room.folder / "cache").mkdir(mode=0o700)
    expect(room.ask(MEZ_CACHE=str(room.folder / "cache"), MEZ_CACHE_LIMIT="2K"), "cache", "pass", r": 0 entries, 0 of 2048 bytes")


def a_cache_that_is_a_file(room):
    expect(room.ask(MEZ_CACHE=str(room.file("cache"))), "cache", "warn", r"/cache can't be used: Not a directory", r"MEZ_CACHE")


def a_cache_below_a_file(room):
    expect(room.ask(MEZ_CACHE=str(room.file("cache")) + "/a/b"), "cache", "warn", r"can't be used: Not a directory", r"MEZ_CACHE")


def a_cache_that_others_may_write_to(room):
    (room.folder / "cache").mkdir()
    (room.folder / "cache").chmod(0o777)
    expect(room.ask(MEZ_CACHE=str(room.folder / "cache")), "cache", "warn", r"others may write to it", r"chmod 700")


def a_cache_that_is_not_writable(room):
    folder = room.folder / "cache"
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    folder.chmod(0o500)
    expect(room.ask(nobody=os.geteuid() == 0, MEZ_CACHE=str(folder)), "cache", "warn", r"can't be used: Permission denied", r"MEZ_CACHE")
    expect(room.ask(nobody=os.geteuid() == 0, MEZ_CACHE=str(folder / "a/b")), "cache", "warn", r"can't be used: Permission denied")


def a_cache_without_a_meaning(room):
    expect(room.ask(MEZ_CACHE="on please"), "cache", "fail", r"MEZ_CACHE=on please is invalid: use on, off", r"unset ")
    expect(room.ask(MEZ_CACHE_LIMIT="1G5"), "cache", "fail", r"MEZ_CACHE_LIMIT=1G5 is invalid", r"unset ")


def a_cache_that_is_off(room):
    expect(room.ask(MEZ_CACHE="off"), "cache", "pass", r"^off: MEZ_CACHE=off$")
    expect(room.ask(HOME=""), "cache", "warn", r"neither XDG_CACHE_HOME nor HOME", r"set HOME")
    expect(room.ask(HOME="/does/not/exist"), "cache", "warn", r"HOME names a folder that does not exist", r"set HOME")


def a_broken_device_configuration(room):
    broken = room.file("devices.yaml", "intel_gpu_new:\n  aspects: [fp16\n  sub-group-sizes: 8\n")
    expect(room.ask(MEZ_DEVICE_CONFIG=str(broken)), "device configuration", "fail", r"devices\.yaml:[23]:", r"correct the file")


def an_absent_device_configuration(room):
    expect(room.ask(MEZ_DEVICE_CONFIG="/no/devices.yaml"), "device configuration", "fail", r"/no/devices\.yaml.*No such file", r"unset")


def an_odd_device_configuration(room):
    odd = room.file("devices.yaml", "intel_gpu_new:\n  aspects: [fp16, gloss]\n  may-support-other-aspects: false\n  sub-group-sizes: [8]\n")
    answer = room.ask(MEZ_DEVICE_CONFIG=str(odd))
    expect(answer, "device configuration", "warn", r"devices\.yaml:2:.*gloss", r"correct the line")
    expect(answer, "device configuration", "pass", r": 1 targets?")


# --- The command

def what_people_read(room):
    result = room.run("--root", str(room.root), MEZ_QUEUE="fast")
    require(result.returncode == 1 and result.stderr == "", "exit code", [result.returncode, result.stderr])
    lines = result.stdout.splitlines()
    require("FAIL settings: MEZ_QUEUE=fast is invalid: use immediate, batched, basic or adaptive" in lines, "FAIL", lines)
    require("     -> set a valid value, or unset the variable" in lines, "advice", lines)
    require("  MEZ_QUEUE          fast" in lines and "  MEZ_STALL          not set: 10" in lines, "settings", lines)
    require(all(len(line) <= 100 for line in lines if not re.search(r"\S{70}", line)), "long lines", lines)
    counts = {word: len([line for line in lines if line.startswith(word + " ")]) for word in ("FAIL", "WARN", "PASS")}
    require(lines[-1] == ", ".join(f"{count} {word}" for word, count in counts.items()), "counts", lines)


def a_wrong_command_line(room):
    for words, said in (["--jason"], "unknown option --jason"), (["now"], "unexpected argument \"now\""), \
            (["--root"], "--root needs a value: --root DIR"), (["--root="], "--root: the name of the folder is empty"):
        result = room.run(*words)
        require(result.returncode == 2 and said in result.stderr and result.stdout == "", said, [result.stdout, result.stderr])


# --- With drivers

def the_cpu_driver_alone(room):
    answer = room.ask(ZE_ENABLE_ALT_DRIVERS=room.environment["MEZ_CPU_DRIVER"])  # even where there is a GPU
    expect(answer, "driver", "pass", r"libze_cpu\.so\S*: 1 device, first \"ze-cpu")
    expect(answer, "device", "warn", r"programs get no GPU, but \"ze-cpu", r"MEZ_DEVICE=cpu")
    require(answer["verdict"] == "warn", "a missing GPU counts as a failure", answer)


def the_cpu_by_choice(room):
    answer = room.ask(MEZ_DEVICE="cpu")
    expect(answer, "driver", "pass", r"libze_cpu\.so\S*: 1 device, first \"ze-cpu")
    expect(answer, "device", "pass", r"programs get \"ze-cpu")


def a_device_that_is_not_there(room):
    expect(room.ask(MEZ_DEVICE="abacus", MEZ_DRIVERS="cpu"), "device", "fail", r"no device fits \"abacus\"", r"follow the advice")


def a_mask_that_hides_all(room):
    expect(room.ask(MEZ_DRIVERS="cpu", ZE_AFFINITY_MASK="7"), "device", "fail",
           r"ZE_AFFINITY_MASK=7 hides all devices; without it there is 1",
           r"unset it")


def what_a_driver_prints_is_reported(room):
    answer = room.ask(MEZ_DRIVERS="cpu", ZE_CPU_THREADS="many")
    expect(answer, "driver", "warn",
           r"reports no device: .*; it printed: ze-cpu: ZE_CPU_THREADS=many is not a number", r"follow the driver's message")
    expect(answer, "device", "fail", r"ZE_CPU_THREADS=many")


def a_gpu(room):
    answer = room.ask()
    expect(answer, "driver", "pass", r"libze_intel_gpu\.so\.\S+: 1 device, first \"Intel")
    expect(answer, "device", "pass", r"programs get \"Intel")


WITH_CPU = [the_cpu_driver_alone, the_cpu_by_choice, a_device_that_is_not_there, a_mask_that_hides_all, what_a_driver_prints_is_reported]
WITH_GPU = [a_gpu]


def cases_of(suite):
    chosen = {"cpu": WITH_CPU, "capture": WITH_GPU}
    others = [case for name, case in globals().items()
              if callable(case) and getattr(case, "__code__", None) and case.__code__.co_varnames[:1] == ("room",)]
    return chosen.get(suite) or [case for case in others if case not in WITH_CPU + WITH_GPU]


def run_case(case, suite, mez, libraries):
    with tempfile.TemporaryDirectory() as folder:
        try:
            case(Room(folder, suite, mez, libraries))
        except Skip as reason:
            return "skipped", str(reason)
        except AssertionError as wrong:
            return "failed", str(wrong)
    return "passed", ""


def main():
    suite, mez, *libraries = sys.argv[1:]
    libraries = dict(zip(LIBRARIES, map(os.path.abspath, libraries)))
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in cases_of(suite):
        end, why = run_case(case, suite, os.path.abspath(mez), libraries)
        counts[end] += 1
        print("not ok" if end == "failed" else "ok", "-", case.__name__.replace("_", " "))
        if why:
            print(f"skip: {why}" if end == "skipped" else why)
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
