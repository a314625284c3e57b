#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Thousands of random kernels: random_long.sh TEST ENGINE CLANG LLVM_SPIRV [FIRST_SEED [COUNT]]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
first=${5:-10000} count=${6:-3000} step=100
for ((seed = first; seed < first + count; seed += step)); do
  python3 "$(dirname "$0")/random_kernels.py" $seed $step "$folder/random.cl"
  "$3" -target spir64 -x cl -cl-std=CL2.0 -O0 -w -Xclang -finclude-default-header \
    -emit-llvm -c "$folder/random.cl" -o "$folder/random.bc"
  "$4" "$folder/random.bc" -o "$folder/random.spv"
  "$1" "$2" "$folder" random || { echo "seeds from $seed"; exit 1; }
done
