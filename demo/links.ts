/**
 * What the demo's pages link to. Its texts are written for a shop with a blog; until there is one, its
 * links are left out rather than lead nowhere.
 */
const later = /^\/blog(\/|$)/;

/** The same data without links to pages that this version does not have. */
export function withoutLaterLinks<T>(data: T): T {
  return prune(data) as T;
}

function prune(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => !isBareLink(entry)).map(prune);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === 'link' && leadsLater(value) ? '' : prune(part)]),
  );
}

/** An entry that is nothing but a link, like a button; a picture with a link stays without it. */
function isBareLink(entry: unknown): boolean {
  return leadsLater(entry) && !Object.hasOwn(entry as object, 'image');
}

function leadsLater(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'link' in entry && later.test(String(entry.link));
}
