#!/bin/sh
# Cuts the fonts of the shop from their packages (docs/how-to/brand.md). Needs fonttools (Debian: fonttools python3-brotli).
# Each font becomes two files: the signs of the shop's own texts, which pages preload, and other Latin ones, which load with
# the first text that has one. web/styles/fonts.css names the same signs.
set -e
cd "$(dirname "$0")"
packages=../../node_modules/@fontsource-variable
own=U+0020-007E,U+00A0,U+00A9,U+00B0,U+00B7,U+00C9,U+00D7,U+00E9,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026
other=U+00A1-00A8,U+00AA-00AF,U+00B1-00B6,U+00B8-00C8,U+00CA-00D6,U+00D8-00E8,U+00EA-00FF,U+0131,U+0152-0153,U+02C6,U+02DC
other=$other,U+201A,U+201E,U+2020-2021,U+2030,U+2039-203A,U+20AC,U+2122,U+2212

cut() {
  pyftsubset "$1" --flavor=woff2 --layout-features=kern,liga,lnum,tnum,ccmp,locl,mark,mkmk --unicodes="$2" --output-file="$3"
}

# Headings: the size of large letters, whose strokes are finer.
fonttools varLib.instancer "$packages/fraunces/files/fraunces-latin-opsz-normal.woff2" opsz=72 wght=400:600 -o /tmp/fraunces.ttf
cut /tmp/fraunces.ttf "$own" fraunces-72-latin-own.woff2
cut /tmp/fraunces.ttf "$other" fraunces-72-latin-ext.woff2
# Text: with all of its weights. Cut to those in use, its variations would have coordinates above 1, and Firefox would drop them.
source_sans="$packages/source-sans-3/files/source-sans-3-latin-wght-normal.woff2"
cut "$source_sans" "$own" source-sans-3-latin-own.woff2
cut "$source_sans" "$other" source-sans-3-latin-ext.woff2
