/** In `localStorage`: an array of texts, the latest first. It never leaves the device. */
const storageKey = 'searches';
const mostSearches = 4;

/** The latest searches of this device, at most four. */
export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string').slice(0, mostSearches) : [];
  } catch {
    return [];
  }
}

/** Remembers a search on this device. If the browser denies storage, only the convenience is lost. */
export function rememberSearch(text: string): void {
  const others = recentSearches().filter((each) => each.toLowerCase() !== text.toLowerCase());
  try {
    localStorage.setItem(storageKey, JSON.stringify([text, ...others].slice(0, mostSearches)));
  } catch {
    // Storage denied: see above.
  }
}
