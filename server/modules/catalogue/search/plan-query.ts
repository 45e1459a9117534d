/**
 * Known words, joined and split words, an unfinished word, SKUs, Chinese text, typing mistakes; and, if no product has all of the
 * words, those that have most of them.
 */
import type { Database } from '#db/database.ts';
import { nearest } from './correction.ts';
import {
  type Chunk,
  chunks,
  fold,
  hasMarks,
  ideographQuery,
  isFiller,
  isStopWord,
  phrasesWithoutFillers,
  type RankGroup,
  rankGroupToken,
  skuToken,
  stem,
} from './tokens.ts';
import { wordsBeginning, wordsLike, wordsWithStem } from './vocabulary.repository.ts';

export type Groups = readonly (readonly string[])[];

const mostWords = 10;

export interface QueryPlan {
  /** Best matches first; each group includes those before it. Empty: nothing has all of the words. */
  rankGroups: Groups[];
  /** The tokens of each word, without a rank group, if nothing has all of the words; null if something has, or nothing has any. */
  someOf: Groups | null;
  correctedTo: string | null;
}

export type QueryPlanner = ReturnType<typeof createQueryPlanner>;

const nothing: QueryPlan = { rankGroups: [], someOf: null, correctedTo: null };

export function createQueryPlanner(data: SearchData) {
  async function interpret(text: string): Promise<QueryPlan> {
    const words = wordsOf(text);
    if (words.length === 0) return nothing;
    const found = await partsOf(data, words);
    const parts = found.flatMap(({ part }) => part ?? []);
    const isCorrected = parts.some(({ correction }) => correction !== undefined);
    const shown = found.map(({ text: typed, part }) => part?.correction ?? typed).join(' ');
    const correctedTo = isCorrected ? shown : null;
    if (parts.length === found.length) {
      const tiers = rankGroupsOf(parts);
      // A single known word is in some product.
      const isSure =
        parts.length === 1 &&
        !isCorrected &&
        parts.every(({ run, tokens }) => run === null && tokens.length === 1);
      if (isSure || (await findsAny(data, tiers))) return { rankGroups: tiers, someOf: null, correctedTo };
      const relaxed = relaxedRankGroups(parts);
      const loosest = relaxed.at(-1);
      if (loosest && (await data.finds(loosest))) return { rankGroups: relaxed, someOf: null, correctedTo };
    }
    const someOf = (await separateTerms(data, parts)).map((tokens) => [...new Set(tokens)]);
    return someOf.length === 0 ? nothing : { rankGroups: [], someOf, correctedTo };
  }

  return {
    plan: interpret,
  };
}

/** Asked from the first group on, which a page of the best matches reads anyway, although the last includes all of them. */
async function findsAny({ finds }: SearchData, rankGroups: readonly Groups[]): Promise<boolean> {
  for (const groups of rankGroups) if (await finds(groups)) return true;
  return false;
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const typed of text.normalize('NFKC').split(/\s+/)) {
    const piece = fold(typed);
    const sku = skuToken(piece);
    const marked = hasMarks(typed);
    if (sku !== null)
      words.push({ text: piece, ideographs: false, sku, separated: /[._-]/.test(piece), marked });
    else words.push(...chunks(piece).map((chunk) => ({ ...chunk, sku: null, separated: false, marked })));
  }
  const telling = words.filter((word) => word.ideographs || !isStopWord(word.text));
  return (telling.length > 0 ? telling : words).slice(0, mostWords);
}

const ofTokens = (tokens: string[], more: Partial<Corrected<Part>> = {}): Corrected<Part> => ({
  tokens,
  completions: [],
  joined: [],
  run: null,
  words: [],
  isSku: false,
  ...more,
});

function ideographPart(run: string): Corrected<Part> {
  return ofTokens(ideographQuery(run).slice(0, 2 * mostWords), { run });
}

function groups(parts: readonly Part[], tier: RankGroup, complete: boolean): Groups {
  const ranked = (tokens: readonly string[]) =>
    [...new Set(tokens)].map((token) => rankGroupToken(tier, token));
  return parts.flatMap(({ tokens, completions, joined }) =>
    complete && completions.length > 0
      ? [ranked([...tokens, ...completions, ...joined])]
      : tokens.map((token) => ranked([token, ...joined])),
  );
}

/** Whole words in names, then completions in names, then labels, then everything. */
function rankGroupsOf(parts: readonly Part[]): Groups[] {
  const unfinished = parts.some(({ tokens, completions }) =>
    completions.some((token) => !tokens.includes(token)),
  );
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

/**
 * What each word, or pair of Chinese characters, is found by alone. Words that say nothing of a product are left out; a SKU says all.
 * Single characters are a last resort: most of them are in many texts.
 */
async function separateTerms({ finds }: SearchData, parts: readonly Part[]): Promise<Groups> {
  const isThere = (tokens: readonly string[]) => finds([tokens.map((token) => rankGroupToken(3, token))]);
  const skus = parts.filter(({ isSku }) => isSku);
  if (skus.length > 0) return skus.map(({ tokens }) => tokens);
  const found = await filtered(
    parts.filter((part) => part.run === null && !part.words.every(isFiller)).flatMap(termsOf),
    isThere,
  );
  for (const { run } of parts) {
    if (run === null) continue;
    const phrases = phrasesWithoutFillers(run);
    const single = (texts: readonly string[]) => texts.map((text) => [text]);
    const pairs = await filtered(single(phrases.flatMap(ideographQuery)), isThere);
    found.push(
      ...(pairs.length > 0 ? pairs : await filtered(single([...new Set(phrases.join(''))]), isThere)),
    );
  }
  return found.slice(0, 2 * mostWords);
}

const termsOf = ({ tokens, completions, joined }: Part): string[][] =>
  completions.length > 0
    ? [[...tokens, ...completions, ...joined]]
    : tokens.map((token) => [token, ...joined]);

/** Of the first ones. */
async function filtered<T>(all: readonly T[], isWanted: (each: T) => Promise<boolean>): Promise<T[]> {
  const wanted: T[] = [];
  for (const each of all.slice(0, 2 * mostWords)) if (await isWanted(each)) wanted.push(each);
  return wanted;
}

/** Most frequent first: few for one or two letters, which begin half of the catalogue. */
const mostCompletions = (beginning: string) =>
  beginning.length === 1 ? 6 : beginning.length === 2 ? 12 : 24;
const mostCandidates = 150;

interface SearchData {
  db: Pick<Database, 'read'>;
  finds: (groups: Groups) => Promise<boolean>;
}

interface Part {
  /** All of these tokens… */
  tokens: string[];
  /** …or, for an unfinished word, one of these… */
  completions: string[];
  /** …or what the word and its neighbours are if they are written as one. */
  joined: string[];
  run: string | null;
  /** As they were typed. */
  words: string[];
  isSku: boolean;
}

type Corrected<P> = P & { correction?: string };

interface Word extends Chunk {
  sku: string | null;
  /** By hyphens or dots. */
  separated: boolean;
  /** It was typed with an accent or an apostrophe. */
  marked: boolean;
}

/** Of one or several words; `part` is null if nothing can match them. */
interface Found {
  text: string;
  part: Corrected<Part> | null;
}

/** Such as '100g' or '350ml', which many texts write as two words. */
const amount = /^(\d+(?:[.,]\d+)?)(g|kg|mg|ml|cl|l|mm|cm|m|oz|lb)$/;

/** Empty for words that are no amount. */
function halvesOf(word: string): string[] {
  return amount.exec(word)?.slice(1) ?? [];
}

/** Words are written as one, such as `bookshelf`, three at most. The parts of a SKU are up to five. */
const mostJoined = 3;
const mostSkuParts = 5;

async function partsOf(data: SearchData, words: readonly Word[]): Promise<Found[]> {
  const stems = words.flatMap((word, at) =>
    word.ideographs
      ? []
      : [
          ...chunks(word.text).map((chunk) => stem(chunk.text)),
          ...halvesOf(word.text),
          ...[2, 3].flatMap((count) => stem(joinedText(words.slice(at, at + count), count) ?? '') || []),
        ],
  );
  const known = new Set((await wordsWithStem(data.db.read, [...new Set(stems)])).map((word) => word.stem));
  const found: Found[] = [];
  for (let at = 0; at < words.length; ) {
    const joined = await joinedPart(data, words, at, known);
    if (joined) found.push(...joined.found);
    at += joined?.count ?? 0;
    const word = words[at];
    if (joined || !word) continue;
    const last = at === words.length - 1;
    const part = word.ideographs ? ideographPart(word.text) : await latinPart(data, word, last, known);
    found.push({ text: word.text, part: part && { ...part, words: [word.text] } });
    at += 1;
  }
  return found;
}

/** Null unless there are so many, none of which is Chinese. */
function joinedText(words: readonly Word[], count: number): string | null {
  const isWhole =
    words.length === count && words.every(({ ideographs, separated }) => !ideographs && !separated);
  return isWhole ? words.map(({ text }) => text).join('') : null;
}

/** The words from a place on, if they are one when they are written without spaces. */
async function joinedPart(
  data: SearchData,
  words: readonly Word[],
  at: number,
  known: ReadonlySet<string>,
): Promise<{ count: number; found: Found[] } | null> {
  const isKnown = ({ text }: Word) => known.has(stem(text));
  for (let count = Math.min(mostSkuParts, words.length - at); count >= 2; count--) {
    const together = words.slice(at, at + count);
    const text = joinedText(together, count);
    if (text === null) continue;
    const typed = together.map((word) => word.text).join(' ');
    const one = (part: Corrected<Part>) => ({
      count,
      found: [{ text: typed, part: { ...part, words: [text] } }],
    });
    const isAllKnown = together.every(isKnown);
    const sku = isAllKnown ? null : skuToken(text);
    if (sku !== null && (await hasSku(data, sku))) return one(ofTokens([sku], { isSku: true }));
    if (count > mostJoined || /\d/.test(text)) continue;
    const token = stem(text);
    if (known.has(token)) {
      if (!isAllKnown) return one(ofTokens([token]));
      const either = (word: Word): Found => ({
        text: word.text,
        part: ofTokens([stem(word.text)], { joined: [token], words: [word.text] }),
      });
      return { count, found: together.map(either) };
    }
    if (together.some(isKnown)) continue;
    const correction = await corrected(data, { text, marked: together.some(({ marked }) => marked) }, false);
    if (correction !== null) return one(ofTokens([stem(correction)], { correction }));
  }
  return null;
}

/** Null if nothing can match it. */
async function latinPart(
  data: SearchData,
  word: Word,
  last: boolean,
  known: ReadonlySet<string>,
): Promise<Corrected<Part> | null> {
  if (word.sku !== null && (await hasSku(data, word.sku))) return ofTokens([word.sku], { isSku: true });
  if (word.separated) return await separatePart(data, word, known);
  const base = stem(word.text);
  const halves = halvesOf(word.text);
  if (halves.length > 0 && !known.has(base) && halves.every((half) => known.has(half)))
    return ofTokens(halves);
  if (last) {
    const beginnings = await wordsBeginning(data.db.read, word.text, mostCompletions(word.text));
    const completions = [...new Set(beginnings.map((found) => found.stem))];
    if (known.has(base) || completions.length > 0) return ofTokens([base], { completions });
  }
  if (known.has(base)) return ofTokens([base]);
  const split = await splitWord(data, word.text);
  if (split) return ofTokens(split);
  const correction = isFiller(word.text) ? null : await corrected(data, word, last);
  return correction === null ? null : ofTokens([stem(correction)], { correction });
}

const corrected = async (
  { db }: SearchData,
  { text, marked }: Pick<Word, 'text' | 'marked'>,
  last: boolean,
) => nearest(text, await wordsLike(db.read, text, mostCandidates), { unfinished: last, marked });

/** Such as `side-handle-2`: all of its words. */
async function separatePart(
  data: SearchData,
  { text, marked }: Word,
  known: ReadonlySet<string>,
): Promise<Corrected<Part> | null> {
  const parts: Corrected<Part>[] = [];
  const shown: string[] = [];
  for (const chunk of chunks(text)) {
    const part = await latinPart(data, { ...chunk, sku: null, separated: false, marked }, false, known);
    if (!part) return null;
    parts.push(part);
    shown.push(part.correction ?? chunk.text);
  }
  const tokens = parts.flatMap((part) => part.tokens);
  if (tokens.length === 0) return null;
  const isCorrected = parts.some((part) => part.correction !== undefined);
  return ofTokens(tokens, isCorrected ? { correction: shown.join(' ') } : {});
}

const splitLengths = { least: 5, most: 24 } as const;
const leastPiece = 2;
const mostSplits = 6;

/** The tokens of two or three words that are written as one and stand together in names or labels; null if there are none. */
async function splitWord({ db, finds }: SearchData, word: string): Promise<string[] | null> {
  const { length } = word;
  if (length < splitLengths.least || length > splitLengths.most || !/^\p{L}+$/u.test(word)) return null;
  const pieces = new Set<string>();
  for (let from = 0; from < length; from++)
    for (let to = from + leastPiece; to <= length; to++)
      if (to - from < length) pieces.add(stem(word.slice(from, to)));
  const known = new Set((await wordsWithStem(db.read, [...pieces])).map(({ stem: each }) => each));
  const splits = splitsOf(word, mostJoined, (piece) => known.has(stem(piece)));
  // The fewest pieces first, then those whose shortest is longest.
  const shortest = (split: readonly string[]) => Math.min(...split.map((piece) => piece.length));
  splits.sort((a, b) => a.length - b.length || shortest(b) - shortest(a));
  for (const split of splits.slice(0, mostSplits)) {
    const tokens = split.map(stem);
    if (await finds(tokens.map((token) => [rankGroupToken(2, token)]))) return tokens;
  }
  return null;
}

/** Of two pieces at least. */
function splitsOf(
  word: string,
  most: number,
  isWord: (piece: string) => boolean,
  before: readonly string[] = [],
): string[][] {
  if (before.length > 0 && isWord(word))
    return [[...before, word], ...furtherSplits(word, most, isWord, before)];
  return furtherSplits(word, most, isWord, before);
}

function furtherSplits(
  word: string,
  most: number,
  isWord: (piece: string) => boolean,
  before: readonly string[],
): string[][] {
  if (before.length + 1 >= most) return [];
  const ends = Array.from(
    { length: Math.max(0, word.length - 2 * leastPiece + 1) },
    (_, at) => at + leastPiece,
  );
  return ends.flatMap((end) => {
    const piece = word.slice(0, end);
    return isWord(piece) ? splitsOf(word.slice(end), most, isWord, [...before, piece]) : [];
  });
}

async function hasSku({ finds }: SearchData, token: string): Promise<boolean> {
  return await finds([[rankGroupToken(1, token)]]);
}
