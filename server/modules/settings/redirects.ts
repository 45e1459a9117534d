/** Old addresses of the shop that lead to others, where no page is at them any more. */
import Type from 'typebox';
import { localizePath, splitLocale } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { described } from '#contract/schemas/common.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import {
  allRedirects,
  plainPath,
  putRedirect,
  type Redirect,
  redirectFrom,
  redirectsAround,
  restoreRedirects,
} from './settings.repository.ts';

/** Neither another host nor the start page. */
const inShop = '/(?![/\\\\])[^\\s#?]';

export const RedirectInput = Type.Object({
  from: described(
    'The old address, without host and language: `/products/river-mug`. It leads on where no page is at it.',
    Type.String({ maxLength: 500, pattern: `^${inShop}+$` }),
  ),
  to: described(
    'The new address, without host and language: `/product/river-mug`.',
    Type.String({ maxLength: 500, pattern: `^(?:/|${inShop}+)(?:[?#]\\S*)?$` }),
  ),
});

export const redirectProblems = (redirects: readonly Redirect[]): Problem[] =>
  redirects.flatMap(({ from, to }, index) =>
    plainPath(from) === plainPath(to) ? [problem(['redirects', String(index), 'to'], 'problem.redirect.same')] : [],
  );

const mostSteps = 3;

export type RedirectsService = ReturnType<typeof createRedirects>;

export function createRedirects({ db }: { db: Database }) {
  return {
    all: (): Promise<Redirect[]> => allRedirects(db.read),
    /** A later one counts. What led to an address that is redirected now leads on. */
    async put({ trx, note }: Change, redirects: readonly Redirect[]): Promise<void> {
      for (const redirect of redirects) {
        await putRedirect(trx, redirect);
        note('redirect', redirect.from);
      }
      await recordCatalogueChange(trx, [topics.redirects]);
    },
    /** What `put` of an address changes, as it is now: where it leads, and what leads to it. */
    changedBy: (reader: Reader, from: string): Promise<Redirect[]> => redirectsAround(reader, plainPath(from)),
    /** To what `changedBy` told before it was put. False if somebody changed it since: nothing changes then. */
    async restore({ trx, note }: Change, { from, to }: Redirect, before: readonly Redirect[]): Promise<boolean> {
      if ((await redirectFrom(trx, from)) !== to) return false;
      await restoreRedirects(trx, { from, to }, before);
      await recordCatalogueChange(trx, [topics.redirects]);
      note('redirect', from);
      return true;
    },
    /** Where an address without a page leads, in its language and with its query; null: nowhere. */
    async of(url: string): Promise<string | null> {
      recordReads(topics.redirects);
      let target = await redirectFrom(db.read, url);
      if (target === null) return null;
      // A target with a query may have been redirected since.
      for (let step = 0; step < mostSteps; step++) target = (await redirectFrom(db.read, target)) ?? target;
      const [path = '/', rest = ''] = target.split(/(?=[?#])/s, 2);
      const query = rest === '' ? (url.split(/(?=\?)/s, 2)[1] ?? '') : target.slice(path.length);
      return localizePath(encodeURI(path), splitLocale(url.split('?', 1)[0] ?? '/').locale) + query;
    },
  };
}
