#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs a program under valgrind, if there is one: memory errors and lost memory fail.

if ! command -v valgrind >/dev/null; then
  echo "skip: valgrind"
  exit 77
fi
exec valgrind -q --error-exitcode=1 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite "$@"
