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

/** Insertions, deletions, replacements (each of a weight) and swaps of neighbours; `most` + 1 if there are more. */
export function editDistance(a: string, b: string, most: number, replacement = 1): number {
  const [left, right] = [[...a], [...b]];
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let before: number[] = [];
  let last = right.map((_, j) => j).concat(right.length);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : replacement));
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

export interface TypedWord {
  /** It may be the beginning of the candidate. */
  unfinished: boolean;
  /** It was typed with an accent or an apostrophe: its letters are meant, as in `café` or `don't`. */
  marked?: boolean;
}

/** In so short a word another letter makes another word: `cafe` is not `safe`, and `dont` not `done`. */
const shortWord = 4;

/** Fewest edits, then most products. Null if none is close enough. */
export function nearest(
  word: string,
  candidates: readonly Candidate[],
  { unfinished, marked = false }: TypedWord,
): string | null {
  // A replaced letter is as far as one that is left out and another that is put in.
  const most = marked ? Math.min(1, tolerance(word)) : tolerance(word);
  const replacement = marked || word.length <= shortWord ? most + 1 : 1;
  let best: { term: string; score: number; products: number } | null = null;
  for (const { term, products } of candidates) {
    // Words of two letters or fewer would match every typing mistake.
    if (term.length < 3) continue;
    const whole = editDistance(word, term, most, replacement);
    // A completion costs half an edit more, so that a whole word is preferred.
    const begun =
      unfinished && word.length >= 4 && term.length > word.length
        ? editDistance(word, term.slice(0, word.length), 1, replacement) + 0.5
        : Number.POSITIVE_INFINITY;
    if (whole > most && begun > 1.5) continue;
    const score = Math.min(whole > most ? begun : whole, begun);
    if (!best || score < best.score || (score === best.score && products > best.products)) {
      best = { term, score, products };
    }
  }
  return best?.term ?? null;
}
