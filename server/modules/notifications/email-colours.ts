/** Takes the colours of emails from the tokens of the brand: mail programs know no custom properties. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBrandColours } from '#contract/brand-colours.ts';

const tokens = ['paper', 'surface-inset', 'raised', 'ink', 'ink-soft', 'line', 'action', 'on-action'] as const;

type Scheme = Record<(typeof tokens)[number], string>;

/** By token, as `#rrggbb`. */
export interface EmailColours {
  light: Scheme;
  dark: Scheme;
}

const root = join(import.meta.dirname, '../../..');

/**
 * Reads the colours of the brand whose folder is `brand`, relative to the program's; null, or a folder without `tokens.css`, stands
 * for the demo's look.
 * @throws {Error} if a colour that emails use is missing
 */
export function readEmailColours(brand: string | null): EmailColours {
  const own = brand === null ? '' : resolve(root, brand, 'tokens.css');
  const file = existsSync(own) ? own : join(root, 'web/styles/tokens.css');
  const { light, dark } = readBrandColours(readFileSync(file, 'utf8'));
  const pick = (colours: ReadonlyMap<string, string>) =>
    Object.fromEntries(
      tokens.map((token) => {
        const colour = colours.get(token);
        if (!colour) throw new Error(`${file} lacks --color-${token}`);
        return [token, colour];
      }),
    ) as Scheme;
  return { light: pick(light), dark: pick(dark) };
}
