/** Short lists that a device remembers in `localStorage`, the latest first. They never leave it. */

const mostEntries = 4;

export interface DeviceList {
  read: () => string[];
  /** Puts a text first; the case of letters makes no second entry. If the browser denies storage, only the convenience is lost. */
  remember: (text: string) => void;
}

function createDeviceList(storageKey: string): DeviceList {
  const read = () => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
      return Array.isArray(stored)
        ? stored.filter((text) => typeof text === 'string').slice(0, mostEntries)
        : [];
    } catch {
      return [];
    }
  };
  return {
    read,
    remember(text) {
      const others = read().filter((each) => each.toLowerCase() !== text.toLowerCase());
      try {
        localStorage.setItem(storageKey, JSON.stringify([text, ...others].slice(0, mostEntries)));
      } catch {
        // Storage denied: see above.
      }
    },
  };
}

export const recentSearches = createDeviceList('searches');

export const viewedProducts = createDeviceList('viewed');
