/** Known words, an unfinished word, SKUs, Chinese text, typing mistakes. */
import type { Database } from '#db/database.ts';
import { nearest } from './correction.ts';
import {
  type Chunk,
  chunks,
  fold,
  ideographQuery,
  isStopWord,
  type RankGroup,
  rankGroupToken,
  skuToken,
  stem,
} from './tokens.ts';
import { wordsBeginning, wordsLike, wordsWithStem } from './vocabulary.repository.ts';

export type Groups = readonly (readonly string[])[];

const mostWords = 10;

export interface QueryPlan {
  /** Best matches first; each group includes those before it. Empty: nothing can match. */
  rankGroups: Groups[];
  correctedTo: string | null;
}

export type QueryPlanner = ReturnType<typeof createQueryPlanner>;

const nothing: QueryPlan = { rankGroups: [], correctedTo: null };

export function createQueryPlanner(data: SearchData) {
  async function interpret(text: string): Promise<QueryPlan> {
    const words = wordsOf(text);
    if (words.length === 0) return nothing;
    const stems = words.flatMap((word) =>
      word.ideographs ? [] : [...chunks(word.text).map((chunk) => stem(chunk.text)), ...halvesOf(word.text)],
    );
    const known = new Set((await wordsWithStem(data.db.read, stems)).map((word) => word.stem));
    const parts: Part[] = [];
    const shown: string[] = [];
    let corrected = false;
    for (const [index, word] of words.entries()) {
      const part = word.ideographs ? ideographPart(word.text) : await latinPart(data, word, index === words.length - 1, known);
      if (!part) return nothing;
      corrected ||= part.correction !== undefined;
      shown.push(part.correction ?? word.text);
      parts.push(part);
    }
    const tiers = rankGroupsOf(parts);
    const relaxed = relaxedRankGroups(parts);
    // A correction that finds nothing is dropped. Chinese that differs from the catalogue is still likely to share characters.
    const sure = relaxed.length === 0 && !corrected;
    const found = sure || (await data.finds(tiers.at(-1) ?? []));
    if (!found && relaxed.length === 0) return nothing;
    return { rankGroups: found ? tiers : relaxed, correctedTo: corrected ? shown.join(' ') : null };
  }

  return {
    plan: interpret,
  };
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const piece of fold(text).split(/\s+/)) {
    const sku = skuToken(piece);
    if (sku !== null) words.push({ text: piece, ideographs: false, sku, separated: /[._-]/.test(piece) });
    else words.push(...chunks(piece).map((chunk) => ({ ...chunk, sku: null, separated: false })));
  }
  const telling = words.filter((word) => word.ideographs || !isStopWord(word.text));
  return (telling.length > 0 ? telling : words).slice(0, mostWords);
}

function ideographPart(run: string): Corrected<Part> {
  return { tokens: ideographQuery(run).slice(0, 2 * mostWords), completions: [], run };
}

function groups(parts: readonly Part[], tier: RankGroup, complete: boolean): Groups {
  return parts.flatMap(({ tokens, completions }) =>
    complete && completions.length > 0
      ? [[...new Set([...tokens, ...completions])].map((token) => rankGroupToken(tier, token))]
      : tokens.map((token) => [rankGroupToken(tier, token)]),
  );
}

/** Whole words in names, then completions in names, then labels, then everything. */
function rankGroupsOf(parts: readonly Part[]): Groups[] {
  const unfinished = parts.some(({ tokens, completions }) => completions.some((token) => !tokens.includes(token)));
  return [
    ...(unfinished ? [groups(parts, 1, false)] : []),
    groups(parts, 1, true),
    groups(parts, 2, true),
    groups(parts, 3, true),
  ];
}

/** By single characters instead of pairs, in names and labels only: in long texts they are everywhere. */
function relaxedRankGroups(parts: readonly Part[]): Groups[] {
  if (!parts.some(({ run }) => run !== null && [...run].length > 1)) return [];
  const loose = parts.map((part) => (part.run === null ? part : { ...part, tokens: [...new Set(part.run)] }));
  return [groups(loose, 1, true), groups(loose, 2, true)];
}

/** Most frequent first: few for one or two letters, which begin half of the catalogue. */
const mostCompletions = (beginning: string) => (beginning.length === 1 ? 6 : beginning.length === 2 ? 12 : 24);
const mostCandidates = 150;

interface SearchData {
  db: Pick<Database, 'read'>;
  finds: (groups: Groups) => Promise<boolean>;
}

interface Part {
  /** All of these tokens… */
  tokens: string[];
  /** …or, for an unfinished word, one of these. */
  completions: string[];
  run: string | null;
}

type Corrected<P> = P & { correction?: string };

interface Word extends Chunk {
  sku: string | null;
  /** By hyphens or dots. */
  separated: boolean;
}

/** Such as '100g' or '350ml', which many texts write as two words. */
const amount = /^(\d+(?:[.,]\d+)?)(g|kg|mg|ml|cl|l|mm|cm|m|oz|lb)$/;

/** Empty for words that are no amount. */
function halvesOf(word: string): string[] {
  return amount.exec(word)?.slice(1) ?? [];
}

/** Null if nothing can match it. */
async function latinPart(
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
    const beginnings = await wordsBeginning(data.db.read, word.text, mostCompletions(word.text));
    const completions = [...new Set(beginnings.map((found) => found.stem))];
    if (known.has(base) || completions.length > 0) return { tokens: [base], completions, run: null };
  }
  if (known.has(base)) return { tokens: [base], completions: [], run: null };
  const correction = nearest(word.text, await wordsLike(data.db.read, word.text, mostCandidates), last);
  return correction === null ? null : { tokens: [stem(correction)], completions: [], run: null, correction };
}

/** Such as `side-handle-2`: all of its words. */
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
