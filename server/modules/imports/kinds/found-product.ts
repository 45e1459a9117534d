import { safeHtml, unescapeHtml } from '#server/platform/html.ts';

/** A product as a file has it. What is left out the file does not say, and it stays; what is empty or null the file empties. */
export interface FoundProduct {
  id: string;
  /** What the other shop called it in its addresses, if that is longer than an address here. */
  longHandle?: string;
  title?: string;
  /** Formatted, and safe; or paragraphs, if it is only text. */
  description?: { html: string } | { paragraphs: string[] };
  summary?: string;
  vendor?: string;
  type?: string;
  /** Names from the top: `Apparel > Shirts`. */
  category?: string[];
  tags?: string[];
  status?: 'draft' | 'active' | 'archived';
  /** Its words do not tell whether it is for sale: a new one is a draft. */
  isUnsure?: boolean;
  seoTitle?: string;
  seoDescription?: string;
  /** Nothing is charged on it, whoever buys it. */
  untaxed?: boolean;
  /** Specifications that the shop has a field for. */
  facts?: { materials?: string; dimensions?: Record<string, number> };
  /** Their names; undefined if the file has no columns of options. */
  options?: string[];
  variants: FoundVariant[];
  /** In this shop's own form, which says everything. */
  own?: OwnProduct;
  pictures?: FoundPicture[];
}

export interface FoundVariant {
  line: number;
  sku?: string;
  /** By the place of the option. */
  values: string[];
  priceCents?: number;
  compareAtCents?: number | null;
  costCents?: number | null;
  grams?: number | null;
  gtin?: string | null;
  counted?: boolean;
  oversell?: boolean;
  units?: number;
  /** An address, or the name of a file. */
  picture?: string | null;
}

export interface FoundPicture {
  address: string;
  alt?: string;
  line: number;
}

export interface OwnRow {
  line: number;
  /** By header. */
  cells: Record<string, string>;
}

export interface OwnProduct extends OwnRow {
  skus: (OwnRow & { sku: string; levels: FoundLevel[] })[];
}

export interface FoundLevel {
  /** What the file calls it. */
  place: string;
  units: number;
  /** Where the file names it. */
  at: readonly string[];
  /** The file has no other place. */
  isOnly?: boolean;
}

const mostHtml = 100_000;

export function descriptionIn(html: string): NonNullable<FoundProduct['description']> {
  // Our own exports name the file of each of their pictures.
  const named = html.slice(0, mostHtml).replace(/<img\b[^<>]*>/g, (image) => {
    const [, file] = /\sdata-file="([^"]+)"/.exec(image) ?? [];
    return file === undefined ? image : image.replace(/\ssrc="[^"]*"/, ` src="${file}"`);
  });
  const safe = safeHtml(named).trim();
  const isFormatted = /<(?!\/?p>|br ?\/?>)/.test(safe);
  if (isFormatted) return { html: safe };
  const parts = safe
    .replaceAll('</p>', '\n\n')
    .replaceAll('<p>', '\n\n')
    .split(/<br ?\/?>|\n/);
  return { paragraphs: textsIn(parts) };
}

/** Of HTML, as one line. */
export const plainText = (html: string) =>
  textsIn([safeHtml(html.slice(0, mostHtml)).replace(/<[^<>]*>/g, ' ')]).join(' ');

export const textsIn = (parts: readonly string[]) =>
  parts
    .map((part) => unescapeHtml(part).replaceAll('\u00a0', ' ').replace(/\s+/g, ' ').trim())
    .filter(Boolean);
