/** `tokens.css` of the folder BRAND (docs/how-to/brand.md), or of the program: what is delivered. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BrandColours, readBrandColours } from '#contract/brand-colours.ts';

export interface BrandTokens {
  /** For messages. */
  file: string;
  colours: BrandColours;
  /** How the files of its first fonts are named. */
  fonts: { serif: string; sans: string };
  /** Shadows and what lies behind dialogs, which are no plain colours; by the names of their properties. */
  depths: { light: Readonly<Record<string, string>>; dark: Readonly<Record<string, string>> };
}

const root = join(import.meta.dirname, '../..');
const depths = ['--color-overlay', '--shadow-lift', '--shadow-over'] as const;

/** A `brand` folder without `tokens.css`, or none, has the program's. */
export function readBrandTokens(brand: string | null | undefined): BrandTokens {
  const own = brand ? resolve(root, brand, 'tokens.css') : '';
  const file = existsSync(own) ? own : join(root, 'web/styles/tokens.css');
  const css = readFileSync(file, 'utf8');
  // The first value of a property is that of the day, the last that of the night.
  const valuesOf = (name: string) =>
    [...css.matchAll(new RegExp(`${name}:\\s+([^;]+);`, 'g'))].map(([, value = '']) => value);
  const depthsOf = (at: 0 | -1) =>
    Object.fromEntries(
      depths.flatMap((name) =>
        valuesOf(name)
          .slice(at)
          .slice(0, 1)
          .map((value) => [name, value]),
      ),
    );
  const fontOf = (name: string) =>
    (/^\s*"?([^",;]+)/.exec(valuesOf(name)[0] ?? '')?.[1] ?? '').toLowerCase().replaceAll(' ', '-');
  const fonts = { serif: fontOf('--font-serif'), sans: fontOf('--font-sans') };
  return { file, fonts, colours: readBrandColours(css), depths: { light: depthsOf(0), dark: depthsOf(-1) } };
}

/** Those of this process. */
export const brandTokens = readBrandTokens(process.env.BRAND);
