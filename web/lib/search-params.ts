/** Plain text, no JSON and no types (`?key=2024` is the text "2024"). Empty values are dropped, so that one page has one address. */
export type PlainSearch = Record<string, string>;

export function parsePlainSearch(search: string): PlainSearch {
  const plain: PlainSearch = {};
  for (const [key, value] of new URLSearchParams(search)) {
    if (value !== '' && !Object.hasOwn(plain, key)) plain[key] = value;
  }
  return plain;
}

export function stringifyPlainSearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.append(key, String(value));
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}
