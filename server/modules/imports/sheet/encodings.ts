/** Which characters the bytes of a file stand for. What is not Unicode is guessed, and whoever sent it can choose another. */
import { analyse } from 'chardet';
import type { SheetEncoding } from '#contract/staff/imports.ts';

/** By the names of chardet. */
const names: Readonly<Record<string, SheetEncoding>> = {
  'ISO-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'ISO-8859-2': 'windows-1250',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  GB18030: 'gb18030',
  Big5: 'big5',
  Shift_JIS: 'shift_jis',
  'EUC-KR': 'euc-kr',
};
/** Tried behind those that chardet finds. */
const others = [
  'windows-1252',
  'macintosh',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
  'windows-1251',
] as const;
const sampleBytes = 64 * 1024;

export function encodingOf(bytes: Buffer): SheetEncoding {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 400);
  const zeros = [0, 1].map((rest) => start.filter((byte, at) => at % 2 === rest && byte === 0).length);
  if ((zeros[1] ?? 0) > start.length / 4) return 'utf-16le';
  if ((zeros[0] ?? 0) > start.length / 4) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : guessed(sampleOf(bytes));
}

/** Also with a few bytes that somebody has pasted in. */
function isUtf8(bytes: Buffer): boolean {
  const text = new TextDecoder('utf-8').decode(bytes);
  const broken = text.split('\ufffd').length - 1;
  if (broken === 0) return true;
  const whole = [...text.slice(0, 2_000_000).matchAll(/[^\0-\x7f\ufffd]/g)].length;
  return broken * 20 < whole;
}

/** The lines that are not ASCII, as far as they fit. */
function sampleOf(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let from = 0; from < bytes.length && size < sampleBytes; ) {
    const end = bytes.indexOf(10, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1);
    if (line.some((byte) => byte > 127)) {
      lines.push(line.subarray(0, 4096));
      size += Math.min(4096, line.length);
    }
    from += Math.max(1, line.length);
  }
  return Buffer.concat(lines);
}

/** What a place further behind in the order of likelihood costs: as much as one odd character of a hundred. */
const placeOdds = 0.01;

function guessed(sample: Buffer): SheetEncoding {
  const found = analyse(sample).flatMap(({ name, confidence }) =>
    names[name] ? [[names[name], confidence] as const] : [],
  );
  const likely = found.filter(([, confidence]) => confidence >= 15).map(([encoding]) => encoding);
  const isChinese = found.some(([encoding, confidence]) => encoding === 'gb18030' && confidence >= 30);
  const [best] = [...new Set([...likely, ...others])]
    .map((encoding, place) => ({ encoding, odds: oddsOf(sample, encoding, isChinese) + place * placeOdds }))
    .toSorted((one, other) => one.odds - other.odds);
  return best?.encoding ?? 'windows-1252';
}

const strange = [
  // What no text has: broken characters, controls, private ones, and half-width kana.
  /[\ufffd\u0080-\u009f\ue000-\uf8ff\uff61-\uff9f]/gu,
  // Capitals, signs and other scripts inside of words.
  /(?<=\p{Ll})[\p{Lu}\p{S}¡¿‡†…•‰¬¹²³ºª·¸](?=\p{Ll})/gu,
  /[\p{Sk}\p{Sm}¹²³ºªµ¤¦§¨¯´¶¸†‡•‰◊](?=\p{L})|(?<=\p{L})[\p{Sk}\p{Sm}¹²³¤¦§¨¯´¶¸†‡•‰◊]/gu,
  /(?<=[\u00c0-\u00ff]{2})[\u00c0-\u00ff]/gu,
  /(?<=\p{Script=Latin})\p{Script=Cyrillic}|\p{Script=Cyrillic}(?=\p{Script=Latin})/gu,
  /\p{Script=Han}(?=[a-z])|(?<=[a-z])\p{Script=Han}/gu,
  // Rarely used characters of Chinese, which other encodings turn into.
  /[\u3400-\u4dbf\u{20000}-\u{2ffff}\u2500-\u25ff\u0370-\u03ff]/gu,
];

/** How much of what is not ASCII makes no sense; below 0 for scripts that other texts do not become by chance. */
function oddsOf(sample: Buffer, encoding: SheetEncoding, isChinese: boolean): number {
  const text = new TextDecoder(encoding).decode(sample);
  const high = [...text].filter((sign) => sign > '\x7f');
  if (high.length === 0) return 1;
  const odd = strange.reduce(
    (sum, form) => sum + [...text.matchAll(form)].filter(([sign]) => sign > '\x7f').length,
    0,
  );
  const share = (from: string, to: string) =>
    high.filter((sign) => sign >= from && sign <= to).length / high.length;
  // Two characters of Chinese may be Hangul as well.
  const isKorean = !isChinese && high.length >= 6 && share('\uac00', '\ud7a3') > 0.9;
  if (encoding === 'euc-kr') return isKorean ? -0.5 : 1;
  const rare = encoding === 'gb18030' || encoding === 'big5' ? rareShare(sample, encoding) / 2 : 0;
  return rare + odd / high.length - (encoding === 'shift_jis' && share('\u3041', '\u30ff') > 0.3 ? 0.3 : 0);
}

/** Of Chinese characters of two bytes: the standards have the common ones first, in ranges of their own. */
function rareShare(sample: Buffer, encoding: 'gb18030' | 'big5'): number {
  let [all, rare] = [0, 0];
  for (let at = 0; at + 1 < sample.length; at++) {
    const [lead = 0, trail = 0] = [sample[at], sample[at + 1]];
    if (lead < 0x81) continue;
    all += 1;
    const isSign = lead >= 0xa1 && lead <= 0xa3;
    const isCommon =
      encoding === 'big5' ? lead >= 0xa4 && lead <= 0xc6 : lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1;
    if (!isSign && !isCommon) rare += 1;
    at += 1;
  }
  return all === 0 ? 1 : rare / all;
}
