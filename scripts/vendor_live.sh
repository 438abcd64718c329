#!/bin/sh
# Recreates live/frontend/vendor/ from the npm packages onnxruntime-web and @huggingface/tokenizers. Needs node and npm.
# Only maintainers run it, to take up a new version; users get the files as they are.
# onnxruntime-web 1.24.3 is the smallest that needs no file beside its own. 1.30 has 3.7 MB, compressed, for its 3.1.
set -eu
target="$(cd "$(dirname "$0")/.." && pwd)/live/frontend/vendor"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-audit --no-fund onnxruntime-web@1.24.3 @huggingface/tokenizers@0.2.0 esbuild@0.25.12

# vendored NAME GLOBAL FILE HEADING: one module that exports one object. Text in ` ` would keep line breaks.
vendored() {
  npx esbuild "$3" --bundle --minify --format=iife --global-name="$2" --legal-comments=none --log-level=error \
    --supported:template-literal=false --define:import.meta.url=undefined --outfile=bundle.js
  {
    echo "// $4, made by scripts/vendor_live.sh. Its licence is in NOTICE.txt."
    printf 'export const %s = (() => { %s return %s; })();\n' "$2" "$(tr -d '\n' < bundle.js)" "$2"
  } > "$target/$1"
}

# WebAssembly alone, without WebGPU and WebGL
echo 'export { InferenceSession, Tensor, env } from "./node_modules/onnxruntime-web/dist/ort.wasm.bundle.min.mjs";' > ort.js
echo 'export { Tokenizer } from "@huggingface/tokenizers";' > tokenizers.js
mkdir -p "$target"
vendored ort.js ORT ort.js "onnxruntime-web 1.24.3"
vendored tokenizers.js TOKENIZERS tokenizers.js "@huggingface/tokenizers 0.2.0"
# compressed here: a host that does not compress sends it as small, and a single file holds it as it is
gzip -9 -n -c node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm > "$target/ort.wasm.gz"
{
  cat <<'NOTICE'
A live page travels with two libraries.

onnxruntime-web 1.24.3 (ort.js, ort.wasm.gz), https://github.com/microsoft/onnxruntime, MIT License
What it is built from is listed in ThirdPartyNotices.txt of that version.

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

@huggingface/tokenizers 0.2.0 (tokenizers.js), https://github.com/huggingface/tokenizers.js, Apache License 2.0

NOTICE
  cat node_modules/@huggingface/tokenizers/LICENSE
} > "$target/NOTICE.txt"
cd "$target"
sha256sum NOTICE.txt ort.js ort.wasm.gz tokenizers.js > checksums.sha256
