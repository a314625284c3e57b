#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A library exports names that match a pattern, and no others:
#
#   exports.sh NM LIBRARY PATTERN

others=$("$1" -D --defined-only "$2" | awk '{ print $NF }' | grep -vE "^($3)$")
if [ -n "$others" ]; then
    printf '%s exports, besides %s:\n%s\n' "$2" "$3" "$others" >&2
    exit 1
fi
