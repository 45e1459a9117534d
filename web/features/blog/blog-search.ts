import { pageNumberOf } from '#web/lib/paged.ts';

/** `validateSearch` of the blog's lists. */
export function checkBlogSearch(raw: Record<string, unknown>): { page: number | undefined } {
  return { page: pageNumberOf(raw.page) };
}
