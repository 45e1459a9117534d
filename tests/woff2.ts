/** Reads what variable fonts say of their variations, from files as they are served (WOFF2, https://www.w3.org/TR/WOFF2/). */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** In the order of their numbers in a table directory. */
const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill';
const knownTag = (index: number) => knownTags.slice(index * 5, index * 5 + 4);

/** The tables of a font by their tags. @throws {Error} if the file is none */
export function readTables(file: string): Map<string, DataView> {
  const bytes = readFileSync(file);
  if (bytes.toString('latin1', 0, 4) !== 'wOF2') throw new Error(`${file} is no WOFF2 font`);
  let at = 48;
  const base128 = () => {
    for (let value = 0; ; ) {
      const byte = bytes[at++] ?? 0;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  const entries = Array.from({ length: bytes.readUInt16BE(12) }, () => {
    const flags = bytes[at++] ?? 0;
    const known = flags & 63;
    const isKnown = known !== 63;
    const tag = isKnown ? knownTag(known) : bytes.toString('latin1', at, at + 4);
    if (!isKnown) at += 4;
    const length = base128();
    const version = flags >> 6;
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
    return { tag, length: isTransformed ? base128() : length };
  });
  const data = brotliDecompressSync(bytes.subarray(at, at + bytes.readUInt32BE(20)));
  let start = 0;
  return new Map(
    entries.map(({ tag, length }) => {
      const table = new DataView(data.buffer, data.byteOffset + start, length);
      start += length;
      return [tag, table];
    }),
  );
}

const fixed = (view: DataView, at: number) => view.getInt32(at) / 65536;
const f2dot14 = (view: DataView, at: number) => view.getInt16(at) / 16384;

/** Each axis of a font with its limits, such as `wght` from 200 to 900. */
export function axesOf(tables: Map<string, DataView>): { tag: string; min: number; max: number }[] {
  const fvar = table(tables, 'fvar');
  const start = fvar.getUint16(4);
  return Array.from({ length: fvar.getUint16(8) }, (_, i) => {
    const at = start + i * fvar.getUint16(10);
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => fvar.getUint8(at + byte)));
    return { tag, min: fixed(fvar, at + 4), max: fixed(fvar, at + 12) };
  });
}

/** Every coordinate of the places in the space of variations to which the font's deltas belong; 1 is the end of an axis. */
export function variationCoordinates(tables: Map<string, DataView>): number[] {
  return [...glyphCoordinates(table(tables, 'gvar')), ...metricCoordinates(tables.get('HVAR'))];
}

function glyphCoordinates(gvar: DataView): number[] {
  const axes = gvar.getUint16(4);
  const tuple = (at: number) => Array.from({ length: axes }, (_, i) => f2dot14(gvar, at + i * 2));
  const shared = Array.from({ length: gvar.getUint16(6) }, (_, i) =>
    tuple(gvar.getUint32(8) + i * axes * 2),
  ).flat();
  const isLong = (gvar.getUint16(14) & 1) === 1;
  const offset = (glyph: number) =>
    isLong ? gvar.getUint32(20 + glyph * 4) : gvar.getUint16(20 + glyph * 2) * 2;
  const glyphs = Array.from({ length: gvar.getUint16(12) }, (_, glyph) => {
    const start = gvar.getUint32(16) + offset(glyph);
    if (offset(glyph + 1) === offset(glyph)) return [];
    const found: number[] = [];
    let at = start + 4;
    for (let left = gvar.getUint16(start) & 0xfff; left > 0; left -= 1) {
      const flags = gvar.getUint16(at + 2);
      // A peak of its own; the start and end of the region.
      const tuples = (flags & 0x8000 ? 1 : 0) + (flags & 0x4000 ? 2 : 0);
      for (let i = 0; i < tuples; i += 1) found.push(...tuple(at + 4 + i * axes * 2));
      at += 4 + tuples * axes * 2;
    }
    return found;
  });
  return [...shared, ...glyphs.flat()];
}

function metricCoordinates(hvar: DataView | undefined): number[] {
  if (!hvar) return [];
  const store = hvar.getUint32(4);
  const regions = store + hvar.getUint32(store + 2);
  const count = hvar.getUint16(regions) * hvar.getUint16(regions + 2) * 3;
  return Array.from({ length: count }, (_, i) => f2dot14(hvar, regions + 4 + i * 2));
}

function table(tables: Map<string, DataView>, tag: string): DataView {
  const found = tables.get(tag);
  if (!found) throw new Error(`The font has no table ${tag}`);
  return found;
}
