/** docs/decisions/0078. */
import { splitLocale } from './locale-path.ts';

/**
 * Without language. A page can be listed if its screen shows nothing during hydration that only the browser knows, and its loader
 * gets what the screen asks for.
 */
const visitorPages: readonly string[] = ['/cart'];

/** Only the exact spelling counts: any other is the same page for everybody. */
export function isVisitorPage(url: string): boolean {
  return visitorPages.includes(splitLocale(url.split('?', 1)[0] ?? '').pathname);
}
