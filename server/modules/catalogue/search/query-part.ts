/** What a word of a search must match: a SKU, a known word, the beginning of one, or the nearest one. */
import type { Database } from '#db/database.ts';
import type { Groups } from '../lists/list-index.ts';
import { nearest } from './correction.ts';
import { type Chunk, chunks, rankGroupToken, stem } from './tokens.ts';
import { wordsBeginning, wordsLike } from './vocabulary.repository.ts';

/** The completions of an unfinished word, most frequent first: few for one or two letters, which begin half of the catalogue. */
const mostCompletions = (beginning: string) => (beginning.length === 1 ? 6 : beginning.length === 2 ? 12 : 24);
const mostCandidates = 150;

/** What planning a search reads. */
export interface SearchData {
  db: Pick<Database, 'catalogue'>;
  /** Whether any product has a token of every group. */
  finds: (groups: Groups) => Promise<boolean>;
}

/** One part that must match: its tokens without tier, all of them, or for the last word any. */
export interface Part {
  /** All of these tokens… */
  tokens: string[];
  /** …or, for an unfinished word, one of these. */
  completions: string[];
  run: string | null;
}

/** A part with the correction to show, if its text was corrected. */
export type Corrected<P> = P & { correction?: string };

export interface Word extends Chunk {
  /** The token of a SKU, if it can be one. */
  sku: string | null;
  /** Whether it consists of several words joined by hyphens or dots. */
  separated: boolean;
}

/** Amounts written as one word, such as '100g' or '350ml', which many texts write as two. */
const amount = /^(\d+(?:[.,]\d+)?)(g|kg|mg|ml|cl|l|mm|cm|m|oz|lb)$/;

/** Number and unit of an amount; empty for other words. */
export function halvesOf(word: string): string[] {
  return amount.exec(word)?.slice(1) ?? [];
}

/** The part of a word in Latin letters; null if nothing can match it. */
export async function latinPart(
  data: SearchData,
  word: Word,
  last: boolean,
  known: ReadonlySet<string>,
): Promise<Corrected<Part> | null> {
  if (word.sku !== null && (await hasSku(data, word.sku))) return { tokens: [word.sku], completions: [], run: null };
  if (word.separated) return await separatePart(data, word.text, known);
  const base = stem(word.text);
  const halves = halvesOf(word.text);
  if (halves.length > 0 && !known.has(base) && halves.every((half) => known.has(half)))
    return { tokens: halves, completions: [], run: null };
  if (last) {
    const beginnings = await wordsBeginning(data.db.catalogue, word.text, mostCompletions(word.text));
    const completions = [...new Set(beginnings.map((found) => found.stem))];
    if (known.has(base) || completions.length > 0) return { tokens: [base], completions, run: null };
  }
  if (known.has(base)) return { tokens: [base], completions: [], run: null };
  const correction = nearest(word.text, await wordsLike(data.db.catalogue, word.text, mostCandidates), last);
  return correction === null ? null : { tokens: [stem(correction)], completions: [], run: null, correction };
}

/** Text that looks like a SKU but is none, such as `side-handle-2`: all of its words. */
async function separatePart(data: SearchData, text: string, known: ReadonlySet<string>): Promise<Corrected<Part> | null> {
  const parts: Corrected<Part>[] = [];
  const shown: string[] = [];
  for (const chunk of chunks(text)) {
    const part = await latinPart(data, { ...chunk, sku: null, separated: false }, false, known);
    if (!part) return null;
    parts.push(part);
    shown.push(part.correction ?? chunk.text);
  }
  const tokens = parts.flatMap((part) => part.tokens);
  if (tokens.length === 0) return null;
  const corrected = parts.some((part) => part.correction !== undefined);
  return { tokens, completions: [], run: null, ...(corrected ? { correction: shown.join(' ') } : {}) };
}

async function hasSku({ finds }: SearchData, token: string): Promise<boolean> {
  return await finds([[rankGroupToken(1, token)]]);
}
