#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels on ze-cpu, in each mode of its engine, checked, and on PoCL: results must be the same.

    differential.py --clang CLANG --llvm-spirv LLVM_SPIRV --ze RUN_ZE [--opencl RUN_OPENCL] [--seed N] [--count N]
                    [--statements N] [--keep FOLDER]

A seed makes one kernel; --count makes that many, with the seeds that follow. Where something differs, or a check finds
something in a kernel, which are all right, the kernel is kept in FOLDER, and a line says what. --statements N makes kernels
shorter, to look for the statement that matters. Without RUN_OPENCL, or where it finds no PoCL, ze-cpu is compared with itself.
ZE_CPU_DIFFERENTIAL=COUNT[:SEED] replaces both numbers.

The last line counts three tests: ze-cpu's modes, its checks, and PoCL.
"""

import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile

from comparison import TOTALS_BYTES, first_difference
from kernels import HEAD, Kernel

# Modes of ZE_CPU_ENGINE_MODE, and what the module is built with.
MODES = ['fission', 'coroutine', 'scalar', 'fission -ze-opt-disable']
# These give the same to the last bit. Where other code is optimised, LLVM may know a function's value for some constant where it calls
# the function elsewhere: that may cost units as it may between two implementations.
EXACT = MODES[:3]
CHECKED = 'checked'
CHECKS = {'ZE_CPU_CHECK': '1', 'ZE_CPU_STRICT': '1'}
KERNELS_IN_A_FILE = 20
MOST_LOST = 0.5  # of all kernels: those that are not translated, or that PoCL decides nothing about; PoCL 6 loses a quarter
INPUT_WORDS = 2048
SKIPPED = 77
SECONDS = 900  # for what runs a file; a kernel that takes too long on its own ends it before


def arguments():
    parser = argparse.ArgumentParser()
    for program in ['clang', 'llvm-spirv', 'ze']:
        parser.add_argument('--' + program, required=True)
    parser.add_argument('--opencl')
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--count', type=int, default=1)
    parser.add_argument('--statements', type=int)
    parser.add_argument('--keep', default='differences')
    given = parser.parse_args()
    wanted = os.environ.get('ZE_CPU_DIFFERENTIAL', '').split(':')
    if wanted[0]:
        given.count = int(wanted[0])
        given.seed = int(wanted[1]) if len(wanted) > 1 else given.seed
    return given


def input_words():
    """Numbers of all sizes, and bits that are special floating-point numbers."""
    pick = random.Random(1)
    special = [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
               0x807fffff, 0x4f000000, 0xcf000000, 0x3ff00000, 0x7ff00000, 0x7ff80000, 0x7bff7c00, 0x00010400]
    return [pick.choice([pick.getrandbits(32), pick.getrandbits(32), pick.getrandbits(pick.randrange(1, 33)), pick.choice(special)])
            for _ in range(INPUT_WORDS)]


def run(command, environment):
    """What went wrong, or ''."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace', timeout=SECONDS,
                              check=False, env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return f'{os.path.basename(command[0])} was not done after {SECONDS} seconds'
    if done.returncode == 0:
        return ''
    said = done.stdout.strip()
    return f'{os.path.basename(command[0])} ended with {done.returncode}: {said if len(said) < 1000 else said[:500] + "[...]" + said[-500:]}'


class Batch:
    """The kernels of one file."""

    def __init__(self, options, folder, seeds):
        self.options, self.folder = options, folder
        self.kernels = [Kernel(seed, options.statements) for seed in seeds]
        self.texts = [kernel.text() for kernel in self.kernels]

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self):
        with open(self.path('kernels.cl'), 'w', encoding='utf-8') as file:
            file.write(HEAD + ''.join(self.texts))
        with open(self.path('input'), 'wb') as file:
            file.write(struct.pack(f'<{INPUT_WORDS}I', *input_words()))

    def compile(self):
        # Optimised, they would have numbers of two bits and `freeze`, which llvm-spirv 15 does not know.
        return run([self.options.clang, '-target', 'spir64', '-x', 'cl', '-cl-std=CL2.0', '-O0', '-w', '-Xclang',
                    '-finclude-default-header', '-emit-llvm', '-c', self.path('kernels.cl'), '-o', self.path('kernels.bc')], {}) \
            or self.translate()

    def translate(self):
        """llvm-spirv 15 reads instructions that it has erased, which ends it by a signal once in some thousand times."""
        for _ in range(3):
            failed = run([self.options.llvm_spirv, self.path('kernels.bc'), '-o', self.path('kernels.spv')], {})
            if 'ended with -' not in failed:
                break
        return failed

    def results(self, kernels, program, module, mode, environment):
        """Of each kernel what it wrote, or a text that says why it has no results; what ends the program ends one kernel."""
        found = []
        while len(found) < len(kernels):
            rest = kernels[len(found):]
            with open(self.path('launches'), 'w', encoding='utf-8') as file:
                file.writelines(kernel.launch() + '\n' for kernel in rest)
            failed = run([program, self.path('launches'), self.path('input'), self.path('results'), self.path(module), *mode],
                         environment)
            found += self.read(rest)
            if len(found) < len(kernels):
                found.append(failed or 'there are too few results')
        return found

    def read(self, kernels):
        try:
            with open(self.path('results'), 'rb') as file:
                sizes = [kernel.result_bytes() + TOTALS_BYTES for kernel in kernels]
                results = [file.read(size) for size in sizes]
            os.remove(self.path('results'))
        except OSError:
            return []
        return [data for data, size in zip(results, sizes) if len(data) == size]

    def run_ze(self, mode, environment):
        return self.results(self.kernels, self.options.ze, 'kernels.spv', mode.split(), environment)

    def run_pocl(self, kernels, *options):
        return self.results(kernels, self.options.opencl, 'kernels.cl', options, {'POCL_CACHE_DIR': self.path('cache')})

    def run_all(self, has_pocl):
        """Results by name."""
        by_name = {mode: self.run_ze(mode, {}) for mode in MODES}
        by_name[CHECKED] = self.run_ze(MODES[0], CHECKS)
        if has_pocl:
            by_name['PoCL'] = self.run_pocl(self.kernels)
        return by_name

    def keep(self, index):
        os.makedirs(self.options.keep, exist_ok=True)
        path = os.path.join(self.options.keep, self.kernels[index].name_of_kernel + '.cl')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(f'// {self.kernels[index].launch()}\n' + HEAD + self.texts[index])
        return path


class Tally:
    """What has been found so far: `wrong` kernels by test, kernels `without` a result of PoCL that can be trusted, those that clang or llvm-spirv did not
    translate, the texts of those `checked`."""

    def __init__(self, has_pocl):
        self.has_pocl = has_pocl
        self.wrong = {'modes': 0, CHECKED: 0, 'PoCL': 0}  # kernels
        self.without = self.untranslated = self.compared = 0
        self.checked = set()

    def report(self, batch, index, test, text):
        self.wrong[test] += 1
        print(f'{batch.kernels[index].name_of_kernel}: {text}\n    {batch.keep(index)}', flush=True)

    def compare(self, batch, index, results):
        """One kernel. The first mode is what the others are compared with."""
        kernel, first = batch.kernels[index], results[MODES[0]]
        if isinstance(first, str):
            self.report(batch, index, 'modes', f'{MODES[0]}: {first}')
            return
        for name, found in results.items():
            if name == 'PoCL':
                self.compare_with_pocl(batch, index, first, found)
                continue
            text = found if isinstance(found, str) else first_difference(kernel, first, found, name in EXACT)
            if text:
                self.report(batch, index, 'modes' if name in MODES else name, f'{MODES[0]} and {name} differ: {text}')
            elif name == CHECKED:
                self.checked.add(batch.texts[index].replace(kernel.name_of_kernel, ''))

    def compare_with_pocl(self, batch, index, ours, theirs):
        """PoCL is asked again without optimisation where it differs: if it then contradicts itself, nothing follows from that."""
        kernel = batch.kernels[index]
        text = theirs if isinstance(theirs, str) else first_difference(kernel, ours, theirs, False)
        if not text:
            self.compared += 1
            return
        why = isinstance(theirs, str) and 'no result'
        if not why:
            again = batch.run_pocl([kernel], '-cl-opt-disable')[0]
            why = (isinstance(again, str) or first_difference(kernel, theirs, again, False)) and 'PoCL differs from itself'
        if why:
            self.without += 1
            print(f'{kernel.name_of_kernel}: {why}: {text.splitlines()[-1]}', flush=True)
        else:
            self.compared += 1
            self.report(batch, index, 'PoCL', f'{MODES[0]} and PoCL differ: {text}')

    def add(self, options, seeds):
        with tempfile.TemporaryDirectory() as folder:
            batch = Batch(options, folder, seeds)
            batch.write()
            failed = batch.compile()
            if not failed:
                by_name = batch.run_all(self.has_pocl)
                for index in range(len(seeds)):
                    self.compare(batch, index, {name: found[index] for name, found in by_name.items()})
                return
        if len(seeds) == 1:
            self.untranslated += 1
            print(f'{batch.kernels[0].name_of_kernel}: not translated: {failed.splitlines()[0]}')
            return
        middle = len(seeds) // 2
        self.add(options, seeds[:middle])
        self.add(options, seeds[middle:])

    def conclude(self, count):
        """Prints the sums; true if all is well."""
        if self.untranslated > MOST_LOST * count:
            print(f'{self.untranslated} kernels were not translated, which are too many')
            self.wrong['modes'] += 1
        if self.without > MOST_LOST * count:
            print(f'PoCL has no result of {self.without} kernels that can be trusted, which are too many')
            self.wrong['PoCL'] += 1
        print(f'{count - self.untranslated} kernels: {len(self.checked)} different ones checked without a finding, '
              f'{self.compared} compared with PoCL, wrong: {self.wrong}')
        failed, skipped = sum(wrong > 0 for wrong in self.wrong.values()), int(not self.has_pocl)
        print(f'{3 - failed - skipped} passed, {failed} failed, {skipped} skipped')
        return failed == 0


def main():
    options = arguments()
    has_pocl = bool(options.opencl) and subprocess.run([options.opencl], check=False).returncode != SKIPPED
    if not has_pocl:
        print('skip: there is no PoCL')
    tally = Tally(has_pocl)
    end = options.seed + options.count
    for first in range(options.seed, end, KERNELS_IN_A_FILE):
        tally.add(options, range(first, min(first + KERNELS_IN_A_FILE, end)))
    return 0 if tally.conclude(options.count) else 1


if __name__ == '__main__':
    sys.exit(main())
