/** Answers of a length that a model can read. */

/** Of an answer, characters of its JSON. */
export const mostCharacters = 40_000;
const longestText = 2000;
/** Entries of each list, tried from the most. */
const listLengths = [500, 200, 100, 50, 20, 10, 5, 2];

/** Shortens lists, and texts, until the whole is short enough; `left` says what was left out, by its path. */
export function bounded(value: unknown): { value: unknown; left: string[] } {
  for (const most of [Number.POSITIVE_INFINITY, ...listLengths]) {
    const left: string[] = [];
    const shorter = shortened(value, most, '', left);
    if (JSON.stringify(shorter).length <= mostCharacters) return { value: shorter, left };
  }
  return { value: null, left: ['everything: it is too long; ask for less'] };
}

function shortened(value: unknown, most: number, path: string, left: string[]): unknown {
  if (typeof value === 'string' && most !== Number.POSITIVE_INFINITY && value.length > longestText) {
    left.push(`${path}: ${value.length - longestText} characters`);
    return `${value.slice(0, longestText).toWellFormed()}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > most) left.push(`${path}: ${value.length - most} entries`);
    return value.slice(0, most).map((each, index) => shortened(each, most, `${path}[${index}]`, left));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      shortened(part, most, path ? `${path}.${key}` : key, left),
    ]),
  );
}
