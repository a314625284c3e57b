#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A failed assert of a kernel built with -g stops in the debugger at the kernel's own line.
#
#   test_debugger.sh PROGRAM SPIRV SOURCE
#
# The source marks the lines with a comment. Skipped (77) where there is no gdb or it may not trace.

program=$1 spirv=$2 source=$3
command -v gdb >/dev/null || { echo "no gdb"; exit 77; }

# A program that is traced cannot look for leaks.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

line_of() {
    grep -n "here the $1 fails" "$source" | cut -d: -f1
}

fail() {
    echo "FAILED: $1"
    exit 1
}

expect() {
    printf '%s\n' "$output" | grep -Eq "$1" || fail "no line matches $1"
}

# Runs the kernel until it stops, shows where, and lets it go on. More arguments are for gdb.
debug() {
    kernel=$1
    shift
    output=$(gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'set print thread-events off' \
        "$@" -ex run -ex bt -ex continue --args "$program" "$spirv" "$kernel" 2>&1)
    printf '%s\n' "$output"
    case $output in
        *"ptrace: Operation not permitted"* | *"ould not trace the inferior"*) exit 77 ;;
    esac
    case $output in
        *"Unhandled dwarf"*) fail "gdb does not understand where a variable lies" ;;
    esac
}

debug fail_in_function
expect 'received signal SIGTRAP'
expect "^#0 .*check .*debugged.cl:$(line_of first)"
expect '^#1 .*fail_in_function .*debugged.cl:[0-9]+'
expect 'the last work-item wrote 4'
expect 'exited normally'

debug fail_behind_barrier
expect 'received signal SIGTRAP'
expect "^#0 .*fail_behind_barrier .*debugged.cl:$(line_of second)"
expect 'the last work-item wrote 3'
expect 'exited normally'

# Before the kernel is built nobody knows its lines.
debug fail_in_function -ex 'set breakpoint pending on' -ex "break debugged.cl:$(line_of first)"
expect 'Thread.* hit Breakpoint 1'
expect "^#0 .*check .*debugged.cl:$(line_of first)"

# Without a debugger nothing stops.
output=$("$program" "$spirv" fail_in_function 2>&1) || fail "ends with $? without a debugger"
expect 'the last work-item wrote 4'
