#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Calls llvm-spirv, up to three times where a signal ends it: llvm_spirv.sh PROGRAM [ARGUMENTS]
# llvm-spirv 15 reads instructions that it has erased, which ends it so once in some thousand times.
for attempt in 1 2 3; do
    status=0
    "$@" || status=$?
    [ $status -gt 128 ] || break
    echo "$1 was ended by a signal, attempt $attempt of 3" >&2
done
exit $status
