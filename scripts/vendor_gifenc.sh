#!/bin/sh
# Recreates viz/frontend/vendor/gifenc.js from the npm package gifenc. Needs node and npm.
# Only maintainers run it, to take up a new version; users get the file as it is.
set -eu
target="$(cd "$(dirname "$0")/.." && pwd)/viz/frontend/vendor/gifenc.js"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-audit --no-fund gifenc@1.0.3 esbuild@0.25.12
echo 'export { GIFEncoder, nearestColorIndex, quantize } from "gifenc";' > entry.js
npx esbuild entry.js --bundle --minify --format=iife --global-name=GIFENC --legal-comments=none --log-level=error --outfile=bundle.js
{
  echo "/* gifenc 1.0.3, made by scripts/vendor_gifenc.sh."
  cat node_modules/gifenc/LICENSE.md
  echo "*/"
  printf 'export const GIFENC = (() => { %s return GIFENC; })();\n' "$(tr -d '\n' < bundle.js)"
} > "$target"
