/** Whether a link to a page of the shop leads anywhere. */
import { takenPageNames } from './page-problems.ts';

/** Of the addresses of records that have pages. */
export const pageFolders: Readonly<Record<string, string>> = {
  ...{ product: '/product/', category: '/products/', brand: '/brand/', tag: '/tag/', page: '/page/' },
  ...{ post: '/blog/post/', 'blog category': '/blog/cat/', 'blog tag': '/blog/tag/' },
};

/** `path` is without language; `pages` are the addresses of records, in small letters. */
export function leadsNowhere(path: string, pages: ReadonlySet<string>): boolean {
  const lower = decodedPath(path).toLowerCase();
  if (Object.values(pageFolders).some((folder) => lower.startsWith(folder))) return !pages.has(lower);
  const [first = '', ...rest] = lower.slice(1).split('/');
  // The addresses below these are not records.
  if (['account', 'api', 'assets', 'cart', 'feeds', 'media', 'order', 'sitemap', 'table'].includes(first)) return false;
  // Feeds and other files, whose names have a dot, unlike those of pages.
  if (lower.includes('.')) return false;
  if (rest.length > 0) return true;
  return !['', 'contact', ...takenPageNames].some((name) => name.toLowerCase() === first) && !pages.has(`/page/${first}`);
}

export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
