#!/bin/sh
# A rebuild every week, published to a bucket.
#
#     weekly.sh WORKSPACE          build once now, then serve the schedule until interrupted
#     weekly.sh WORKSPACE --once   build once, for a scheduler of your own
#
# Keys stay in the environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL
# for a store that is not Amazon's. Needs the extra s3.
set -eu
workspace=$1
cd "$(dirname "$0")"

# Misspelt keys and times that cannot be end here, not next Monday.
benchloom config check

# The first release is made while someone looks. A killed run started again goes on where it
# stopped; what is published already is compared and not sent again.
benchloom rebuild --workspace "$workspace"

# Read every byte of it again. Exit code 1 is a finding, 3 a budget or a site that refused.
benchloom release check --workspace "$workspace"

[ "${2:-}" = --once ] || exec benchloom schedule --workspace "$workspace"
