/**
 * The same for both engines (design §8): Latin words are folded and lightly stemmed, runs of Chinese (Japanese, Korean) become
 * overlapping pairs and single characters in the simplified script, SKUs stay whole and in their parts. Index tokens carry the tier
 * they were found in: '1' names, '2' names and labels (brand, category, tags, options), '3' everything; a word of a name appears under
 * all three. So a search of one tier is one lookup.
 */
import traditionalCharacters from 'opencc-js/dict/TSCharacters';

const ideographs = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々';
const chunkPattern = new RegExp(`[${ideographs}]+|(?:(?![${ideographs}])[\\p{L}\\p{N}'])+`, 'gu');
const ideographPattern = new RegExp(`^[${ideographs}]`, 'u');
const skuPattern = /^[a-z0-9][a-z0-9._-]*$/;

const wordLength = 40;
/** Words so common that nearly every text contains them and no query needs them. */
const stopWords = new Set('a an and are as at by for from in is it of on or our the to with'.split(' '));

/** Words of questions and sentences that say nothing of a product. A search that finds nothing goes on without them. */
const fillers = new Set(
  [
    'i me my mine we us you your he she they them who whose someone one ones',
    'this that these those which what where when how why there here so if but not',
    'be am was were been do does did dont doesnt im has have had can cant could',
    'should would will want need like looking look find buy get give put goes go',
    'no such product item something anything thing things some any very too enough please nice good best well',
  ].flatMap((words) => words.split(' ').map(stem)),
);
const chineseFillers = /有没有|请问|适合|想要|想买|可以|能不能|一个|一只|什么|怎么|哪个|哪种|推荐|我要|我想/u;

export const isFiller = (word: string): boolean => fillers.has(stem(word));

/** What stands between the words that say nothing of a product. */
export const phrasesWithoutFillers = (run: string): string[] =>
  run.split(chineseFillers).filter((phrase) => phrase !== '');

export interface Chunk {
  text: string;
  ideographs: boolean;
}

/** The simplified form by the traditional one, of one character each. */
const simplified = new Map(
  traditionalCharacters.split('|').flatMap((entry): [string, string][] => {
    const [from = '', to = ''] = entry.split(' ');
    return to === '' ? [] : [[from, to]];
  }),
);

/** Without case, accents and width; Chinese in the simplified script, so that both scripts find the same. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .replace(/[’ʼ`]/g, "'")
    .replace(/\p{Script=Han}/gu, (character) => simplified.get(character) ?? character);
}

/** Written with an accent or an apostrophe, which `fold` takes away. */
export const hasMarks = (text: string): boolean => /[\p{Mn}'’ʼ`]/u.test(text.normalize('NFD'));

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

/** So many parts of a SKU are joined with each other. */
const mostSkuParts = 6;

/** Whole, and each run of two parts or more: people search for `MC-CM-01-OAT` by `MC-CM-01` and `CM-01` as well. */
function skuForms(skus: readonly string[]): Set<string> {
  const forms = new Set<string>();
  const add = (text: string) => {
    const form = skuToken(text);
    if (form) forms.add(form);
  };
  for (const sku of skus) {
    add(sku);
    const parts = sku.split(/[._-]/).slice(0, mostSkuParts);
    for (let from = 0; from < parts.length; from++)
      for (let to = from + 2; to <= parts.length; to++) add(parts.slice(from, to).join('-'));
  }
  return forms;
}
