/** `server/index.ts` of the folder BRAND (docs/how-to/brand.md), read once: it is part of the schemas of modules. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TSchema } from 'typebox';
import type { Locale, LocalText } from '#contract/locales.ts';

/** Checked by the brand's schemas when they were stored; the program does not know the fields. */
export type BrandValues = Readonly<Record<string, unknown>>;

export interface Brand {
  /** Fields of `details`. */
  readonly productDetails?: Readonly<Record<string, TSchema>>;
  /** Each with its value in a new shop. */
  readonly settings?: Readonly<Record<string, { schema: TSchema; initial: unknown }>>;
  /** Undefined for none. */
  productExtras?(details: BrandValues, settings: BrandValues): Record<string, unknown> | undefined;
  /** `extras` of the shell. */
  shellExtras?(settings: BrandValues): Record<string, unknown>;
  /** The line under the header; null for none. `until`, epoch ms, is when another one is due. */
  seasonNote?(settings: BrandValues, clock: BrandClock): { text: string; link: string; until: number } | null;
  /** A table in the confirmation of an order with these products; null for none. */
  orderNotes?(products: readonly OrderedProduct[], locale: Locale): OrderNotes | null;
}

export interface BrandClock {
  now: number;
  timeZone: string;
  locale: Locale;
}

export interface OrderedProduct {
  name: LocalText;
  details: BrandValues;
}

export interface OrderNotes {
  heading: string;
  rows: readonly { label: string; note: string; amount: string }[];
}

const entry =
  process.env.BRAND && resolve(join(import.meta.dirname, '../..'), process.env.BRAND, 'server/index.ts');

export const brand: Brand =
  entry && existsSync(entry) ? ((await import(pathToFileURL(entry).href)) as { brand: Brand }).brand : {};
