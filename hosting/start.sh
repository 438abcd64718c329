#!/bin/sh
# Start the app in a container. Where RAY_ADDRESS names a cluster, the container joins it first as a node without
# cores: Ray's drivers must run on a node, and training must not take the cores of the pages.
set -eu
if [ -n "${RAY_ADDRESS:-}" ]; then
    until ray start --address="$RAY_ADDRESS" --num-cpus=0 --object-store-memory=100000000 --disable-usage-stats; do
        echo "No Ray head at $RAY_ADDRESS yet; trying again." >&2
        sleep 2
    done
fi
exec streamlit run app.py --server.port "${PORT:-8501}" --server.address 0.0.0.0
