#!/bin/sh
# Make sure that a browser for the tests is there: the system's, Debian's package, or Playwright's own download.
set -e
python=$1
if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then
  exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Chromium ..."
  if apt-get update -qq >/dev/null && apt-get install -y -qq chromium >/dev/null; then exit 0; fi
fi
exec "$python" -m playwright install chromium
