#!/bin/sh
# SPDX-License-Identifier: MIT
#
# From OpenCL C to SPIR-V: compile.sh clang llvm-spirv source.cl module.spv [clang options]
# LLVM_SPIRV_OPTIONS has options of llvm-spirv.
set -e
clang=$1 llvm_spirv=$2 source=$3 module=$4
shift 4
"$clang" -c -target spir64-unknown-unknown -cl-std=CL2.0 -Xclang -finclude-default-header -emit-llvm "$@" \
    "$source" -o "$module.bc"

# llvm-spirv 15 reads instructions that it has erased, which ends it by a signal once in some thousand times.
for attempt in 1 2 3; do
    status=0
    "$llvm_spirv" ${LLVM_SPIRV_OPTIONS-} "$module.bc" -o "$module" || status=$?
    [ $status -gt 128 ] || break
    echo "$llvm_spirv was ended by a signal, attempt $attempt of 3" >&2
done
[ $status -eq 0 ] || exit $status
rm "$module.bc"
