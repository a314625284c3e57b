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
"$(dirname "$0")/../../../scripts/llvm_spirv.sh" "$llvm_spirv" ${LLVM_SPIRV_OPTIONS-} "$module.bc" -o "$module"
rm "$module.bc"
