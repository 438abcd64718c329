#!/bin/sh
# Recreates tests/live/frontend/vendor/ from the npm package scorm-again, the learning platform of the tests.
# Needs node and npm. Only maintainers run it, to take up a new version.
set -eu
target="$(cd "$(dirname "$0")/.." && pwd)/tests/live/frontend/vendor"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-audit --no-fund scorm-again@3.4.3
mkdir -p "$target"
for name in scorm12 scorm2004; do
  grep -v '^//# sourceMappingURL' "node_modules/scorm-again/dist/esm/$name.min.js" > "$target/$name.js"
done
{
  echo "scorm-again 3.4.3 (scorm12.js, scorm2004.js), https://github.com/jcputney/scorm-again, MIT License"
  echo
  cat node_modules/scorm-again/LICENSE
} > "$target/NOTICE.txt"
cd "$target"
sha256sum NOTICE.txt scorm12.js scorm2004.js > checksums.sha256
