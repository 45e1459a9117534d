/**
 * The same for both engines (design §8): Latin words are folded and lightly stemmed, runs of Chinese (Japanese, Korean) become
 * overlapping pairs and single characters, SKUs stay whole. Index tokens carry the tier they were found in: '1' names, '2' names
 * and labels (brand, category, tags, options), '3' everything; a word of a name appears under all three. So a search of one tier
 * is one lookup.
 */

const ideographs = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々';
const chunkPattern = new RegExp(`[${ideographs}]+|(?:(?![${ideographs}])[\\p{L}\\p{N}'])+`, 'gu');
const ideographPattern = new RegExp(`^[${ideographs}]`, 'u');
const skuPattern = /^[a-z0-9][a-z0-9._-]*$/;

const wordLength = 40;
/** Words so common that nearly every text contains them and no query needs them. */
const stopWords = new Set('a an and are as at by for from in is it of on or our the to with'.split(' '));

export interface Chunk {
  text: string;
  ideographs: boolean;
}

export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .replace(/[’ʼ`]/g, "'");
}

/** '的' separates two words and is part of neither. */
export function chunks(folded: string): Chunk[] {
  const found: Chunk[] = [];
  for (const [match] of folded.matchAll(chunkPattern)) {
    if (ideographPattern.test(match)) {
      for (const text of match.split('的')) if (text) found.push({ text, ideographs: true });
    } else {
      const text = match.replaceAll("'", '').slice(0, wordLength);
      if (text) found.push({ text, ideographs: false });
    }
  }
  return found;
}

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** Other endings stay: prefix search covers them. */
export function stem(word: string): string {
  if (word.length <= 3 || !/^[a-z]+s$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  if (/(?:ss|us|is)$/.test(word)) return word;
  return word.slice(0, -1);
}

function ideographTokens(run: string): string[] {
  const characters = [...run];
  return [...characters, ...pairs(characters)];
}

/** Its pairs, or the run itself if it is a single character. */
export function ideographQuery(run: string): string[] {
  const characters = [...run];
  return characters.length === 1 ? characters : pairs(characters);
}

function pairs(characters: string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** Without its separators; null if the text cannot be one. */
export function skuToken(text: string): string | null {
  const folded = fold(text).trim();
  if (!skuPattern.test(folded) || !/\d/.test(folded)) return null;
  const token = folded.replace(/[._-]/g, '');
  return token.length >= 4 && token.length <= wordLength ? token : null;
}

export type RankGroup = 1 | 2 | 3;

export function rankGroupToken(tier: RankGroup, token: string): string {
  return `${tier}${token}`;
}

export interface SearchTexts {
  names: string[];
  labels: string[];
  details: string[];
  skus: string[];
}

interface IndexEntry {
  tokens: string[];
  /** As written, mapped to their stems, for completing and correcting queries. */
  words: Map<string, string>;
}

export function indexEntry(texts: SearchTexts): IndexEntry {
  const tokens = new Set<string>();
  const words = new Map<string, string>();
  const add = (token: string, from: RankGroup) => {
    for (let tier = from; tier <= 3; tier++) tokens.add(rankGroupToken(tier as RankGroup, token));
  };
  const addText = (text: string, tier: RankGroup) => {
    for (const chunk of chunks(fold(text))) {
      if (chunk.ideographs) {
        for (const token of ideographTokens(chunk.text)) add(token, tier);
      } else if (!isStopWord(chunk.text)) {
        const token = stem(chunk.text);
        add(token, tier);
        words.set(chunk.text, token);
      }
    }
  };
  for (const text of texts.names) addText(text, 1);
  for (const text of texts.labels) addText(text, 2);
  for (const text of texts.details) addText(text, 3);
  for (const sku of skuForms(texts.skus)) add(sku, 1);
  return { tokens: [...tokens], words };
}

/** With their common prefix: people search for either. */
function skuForms(skus: string[]): Set<string> {
  const forms = new Set<string>();
  for (const sku of skus) {
    const whole = skuToken(sku);
    if (whole) forms.add(whole);
  }
  const first = skus[0]?.split('-') ?? [];
  for (let length = first.length - 1; skus.length > 1 && length >= 2; length--) {
    const head = `${first.slice(0, length).join('-')}-`;
    const common = skus.every((sku) => sku.startsWith(head)) ? skuToken(head.slice(0, -1)) : null;
    if (common) {
      forms.add(common);
      break;
    }
  }
  return forms;
}

/** Overlapping, with the word's ends marked. Similar words share many. */
export function trigrams(word: string): string[] {
  const marked = [...`^${word}$`];
  const found = new Set<string>();
  for (let i = 0; i + 3 <= marked.length; i++) found.add(marked.slice(i, i + 3).join(''));
  // The beginning is seldom wrong, and of a short word little else may be right.
  found.add(marked.slice(0, 2).join(''));
  return [...found];
}

/** Short words are too similar to guess. */
function tolerance(word: string): number {
  return word.length <= 2 ? 0 : word.length <= 5 ? 1 : 2;
}

/** Insertions, deletions, replacements and swaps of neighbours; `most` + 1 if there are more. */
export function editDistance(a: string, b: string, most: number): number {
  const [left, right] = [[...a], [...b]];
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let before: number[] = [];
  let last = right.map((_, j) => j).concat(right.length);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > most) return most + 1;
    before = last;
    last = row;
  }
  return Math.min(at(last, right.length), most + 1);
}

function at(row: number[], j: number): number {
  return row[j] ?? Number.POSITIVE_INFINITY;
}

export interface Candidate {
  term: string;
  products: number;
}

/**
 * Fewest edits, then most products. `unfinished`: the word may be the beginning of the candidate. Null if none is close enough.
 */
export function nearest(word: string, candidates: readonly Candidate[], unfinished: boolean): string | null {
  const most = tolerance(word);
  let best: { term: string; score: number; products: number } | null = null;
  for (const { term, products } of candidates) {
    // Words of two letters or fewer would match every typing mistake.
    if (term.length < 3) continue;
    const whole = editDistance(word, term, most);
    // A completion costs half an edit more, so that a whole word is preferred.
    const begun =
      unfinished && word.length >= 4 && term.length > word.length
        ? editDistance(word, term.slice(0, word.length), 1) + 0.5
        : most + 1;
    if (whole > most && begun > 1.5) continue;
    const score = Math.min(whole > most ? begun : whole, begun);
    if (!best || score < best.score || (score === best.score && products > best.products)) {
      best = { term, score, products };
    }
  }
  return best?.term ?? null;
}
