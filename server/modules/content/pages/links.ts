/** Links to pages of the shop, and whether they lead anywhere. */
import { splitLocale } from '#contract/locales.ts';
import { takenPageNames } from './page-problems.ts';

/** Of the addresses of records that have pages. */
export const pageFolders: Readonly<Record<string, string>> = {
  product: '/product/',
  category: '/products/',
  brand: '/brand/',
  tag: '/tag/',
  page: '/page/',
  post: '/blog/post/',
  'blog category': '/blog/cat/',
  'blog tag': '/blog/tag/',
};

/** `path` is without language; `pages` are the addresses of records, in small letters. */
export function leadsNowhere(path: string, pages: ReadonlySet<string>): boolean {
  const lower = decodedPath(path).toLowerCase();
  if (Object.values(pageFolders).some((folder) => lower.startsWith(folder))) return !pages.has(lower);
  const [first = '', ...rest] = lower.slice(1).split('/');
  // The addresses below these are not records.
  if (['account', 'api', 'assets', 'cart', 'feeds', 'media', 'order', 'sitemap', 'table'].includes(first))
    return false;
  // Feeds and other files, whose names have a dot, unlike those of pages.
  if (lower.includes('.')) return false;
  if (rest.length > 0) return true;
  return (
    !['', 'contact', ...takenPageNames].some((name) => name.toLowerCase() === first) &&
    !pages.has(`/page/${first}`)
  );
}

export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The links to pages of the shop in a text: the text itself, or those in its HTML. */
export function linksInText(text: string): string[] {
  if (text.startsWith('/')) return [text];
  return [...text.matchAll(/\shref="(\/[^"]*)"/g)].map(([, link = '']) => link);
}

/** The path of a link without language, query, fragment and final slash. */
export function pathOf(link: string): string {
  const path = splitLocale(link.split(/[?#]/, 1)[0] ?? '').pathname;
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
