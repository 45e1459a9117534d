/** Old addresses of the shop that lead to others, where no page is at them any more. */
import Type from 'typebox';
import { localizePath, splitLocale } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { NewAddress, OldAddress } from '#contract/schemas/redirect.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type Change, noteDocument } from '#server/modules/changes/index.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import {
  allRedirects,
  dropRedirect,
  plainPath,
  putRedirect,
  type Redirect,
  redirectFrom,
  redirectsAround,
  redirectsOf,
  restoreRedirects,
} from './settings.repository.ts';

export const RedirectInput = Type.Object({ from: OldAddress, to: NewAddress });

/** What its schema does not say. */
export const redirectProblems = ({ from, to }: Redirect): Problem[] =>
  plainPath(from) === plainPath(to) ? [problem(['to'], 'problem.redirect.same')] : [];

const mostSteps = 3;

export type RedirectsService = ReturnType<typeof createRedirects>;

export function createRedirects({ db }: { db: Database }) {
  return {
    all: (): Promise<Redirect[]> => allRedirects(db.read),
    /** A later one counts. What led to an address that is redirected now leads on. */
    async put({ trx, note }: Change, redirects: readonly Redirect[]): Promise<void> {
      for (const redirect of redirects) {
        const path = plainPath(redirect.from);
        const around = (await redirectsAround(trx, path)).map(({ from }) => from);
        await noted({ trx, note }, path, [plainPath(redirect.to), ...around], () =>
          putRedirect(trx, redirect),
        );
      }
      await recordCatalogueChange(trx, [topics.redirects]);
    },
    /** What `put` of an address changes, as it is now: where it leads, and what leads to it. */
    changedBy: (reader: Reader, from: string): Promise<Redirect[]> =>
      redirectsAround(reader, plainPath(from)),
    /** To what `changedBy` told before it was put. False if somebody changed it since: nothing changes then. */
    async restore(
      { trx, note }: Change,
      { from, to }: Redirect,
      before: readonly Redirect[],
    ): Promise<boolean> {
      if ((await redirectFrom(trx, from)) !== to) return false;
      const others = before.map((each) => each.from);
      await noted({ trx, note }, from, others, () => restoreRedirects(trx, { from, to }, before));
      await recordCatalogueChange(trx, [topics.redirects]);
      return true;
    },
    /** As it is stored; null if there is none. */
    async find(reader: Reader, path: string): Promise<Redirect | null> {
      return (await redirectsOf(reader, [path]))[0] ?? null;
    },
    /** In the transaction of the caller, who notes it. What led on by way of it leads where it did. */
    async remove(trx: Trx, path: string): Promise<void> {
      await dropRedirect(trx, path);
      await recordCatalogueChange(trx, [topics.redirects]);
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

/** Notes each address that leads elsewhere afterwards, with the way back: what led to an address that is redirected leads on. */
async function noted(
  { trx, note }: Pick<Change, 'trx' | 'note'>,
  path: string,
  others: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const paths = [...new Set([path, ...others])];
  const read = async () =>
    new Map((await redirectsOf(trx, paths)).map(({ from, to }) => [from, { id: from, to }]));
  const before = await read();
  await work();
  const after = await read();
  for (const each of paths) {
    const [was = null, is = null] = [before.get(each), after.get(each)];
    if (is && was?.to !== is.to) noteDocument({ note }, 'redirect', was, is);
    else if (was && !is) note('redirect', each);
    // A change without a note would fail.
    else if (each === path) note('redirect', each, []);
  }
}
