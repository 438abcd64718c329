#!/bin/sh
# Recreates viz/frontend/vendor/d3.js from the packages d3-zoom, d3-selection and d3-transition. Needs node and npm.
# Only maintainers run it, to take up a new version; users get the file as it is.
set -eu
target="$(cd "$(dirname "$0")/.." && pwd)/viz/frontend/vendor/d3.js"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-audit --no-fund d3-zoom@3.0.0 d3-selection@3.0.0 d3-transition@3.0.1 esbuild@0.25.12
cat > entry.js <<'ENTRY'
export { select } from "d3-selection";
import "d3-transition";
import { zoom, zoomIdentity } from "d3-zoom";
export { zoom, zoomIdentity };
ENTRY
npx esbuild entry.js --bundle --minify --format=iife --global-name=D3 --legal-comments=none --log-level=error --outfile=bundle.js
{
  echo "/* d3-zoom 3.0.0, d3-selection 3.0.0, d3-transition 3.0.1 and what they import, made by scripts/vendor_d3.sh."
  cat node_modules/d3-zoom/LICENSE
  echo "*/"
  printf 'export const D3 = (() => { %s return D3; })();\n' "$(tr -d '\n' < bundle.js)"
} > "$target"
