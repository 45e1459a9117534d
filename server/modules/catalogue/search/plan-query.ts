/** Plans a search: known words, an unfinished word, SKUs, Chinese text, typing mistakes. */
import type { Groups } from '../lists/list-index.ts';
import { type Corrected, halvesOf, latinPart, type Part, type SearchData, type Word } from './query-part.ts';
import { chunks, fold, ideographQuery, isStopWord, type RankGroup, rankGroupToken, skuToken, stem } from './tokens.ts';
import { wordsWithStem } from './vocabulary.repository.ts';

/** Further words do not narrow the search. */
const mostWords = 10;

export interface QueryPlan {
  /** What to search for, best matches first; each group includes those before it. Empty: nothing can match. */
  rankGroups: Groups[];
  /** The text searched instead, if something was corrected. */
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
    const known = new Set((await wordsWithStem(data.db.catalogue, stems)).map((word) => word.stem));
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
    /** Accepts any text. */
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

/** Chinese by single characters instead of pairs, in names and labels only: in long texts they are everywhere. */
function relaxedRankGroups(parts: readonly Part[]): Groups[] {
  if (!parts.some(({ run }) => run !== null && [...run].length > 1)) return [];
  const loose = parts.map((part) => (part.run === null ? part : { ...part, tokens: [...new Set(part.run)] }));
  return [groups(loose, 1, true), groups(loose, 2, true)];
}
