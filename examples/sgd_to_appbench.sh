#!/bin/sh
# Schema-Guided Dialogue to AppBench's format.
#
#     examples/sgd_to_appbench.sh DIALOGUES OUT
#
# DIALOGUES is SGD's folder with train, dev and test, or a zip archive of it.
set -eu
dialogues=$1
out=$2

# Plans as AppBench writes them: a reference wherever an argument has the name of an earlier result.
# One JSON line per dialogue, in OUT/appbench/planning_paths.appbench.jsonl.
benchloom convert sgd "$dialogues" --mode name --format appbench --out "$out/appbench"

# The same plans as typed rows, and a draw: a test set over the four categories (one or several
# apps, one or several calls) and a training set that shares no plan with it.
benchloom convert sgd "$dialogues" --mode name --select --out "$out/rows"

# References by value and origin instead of by name: what the user said stays a plain value.
benchloom convert sgd "$dialogues" --mode flow --format appbench --out "$out/by-value"
