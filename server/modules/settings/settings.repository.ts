import { splitLocale } from '#contract/locales.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';

export async function readSettings(db: Reader): Promise<Map<string, unknown>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute();
  return new Map(
    readableRows(
      'settings',
      rows,
      ({ key }) => key,
      ({ key, value }) => [key, JSON.parse(value)],
    ),
  );
}

export async function writeSetting(trx: Trx, key: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await trx
    .insertInto('settings')
    .values({ key, value: json })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: json }))
    .execute();
}

/** Two people who change settings at once wait for each other. */
export function lockSettings(db: Database, trx: Trx): Promise<void> {
  return db.queries.lock(trx, 'settings');
}

export interface Redirect {
  from: string;
  to: string;
}

/** As it is stored: without language, query, escapes, capitals and the slash at its end. */
export function plainPath(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  let { pathname } = splitLocale(path);
  try {
    pathname = decodeURI(pathname);
  } catch {
    // Malformed escapes are an address of their own.
  }
  let end = pathname.length;
  while (end > 1 && pathname[end - 1] === '/') end -= 1;
  return pathname.slice(0, end).toLowerCase();
}

export async function redirectFrom(db: Reader, address: string): Promise<string | null> {
  const row = await db
    .selectFrom('redirects')
    .select('target')
    .where('path', '=', plainPath(address))
    .executeTakeFirst();
  return row?.target ?? null;
}

export function allRedirects(db: Reader): Promise<Redirect[]> {
  return db.selectFrom('redirects').select(['path as from', 'target as to']).orderBy('path').execute();
}

/** No target is itself redirected, so a chain has one step and no loop can arise. */
export async function putRedirect(trx: Trx, { from, to }: Redirect): Promise<void> {
  const path = plainPath(from);
  const onwards = await redirectFrom(trx, to);
  // An address that led here and is named as the target is a page again.
  const isBack = onwards !== null && plainPath(onwards) === path;
  if (isBack) await trx.deleteFrom('redirects').where('path', '=', plainPath(to)).execute();
  const target = onwards === null || isBack ? to : onwards;
  await trx.updateTable('redirects').set({ target }).where('target', '=', path).execute();
  await trx
    .insertInto('redirects')
    .values({ path, target })
    .onConflict((conflict) => conflict.column('path').doUpdateSet({ target }))
    .execute();
}

export function redirectsAround(db: Reader, path: string): Promise<Redirect[]> {
  return db
    .selectFrom('redirects')
    .select(['path as from', 'target as to'])
    .where((eb) => eb.or([eb('path', '=', path), eb('target', '=', path)]))
    .execute();
}

/** What led on by way of it does so again, unless it leads elsewhere now. */
export async function restoreRedirects(
  trx: Trx,
  { from, to }: Redirect,
  before: readonly Redirect[],
): Promise<void> {
  await trx.deleteFrom('redirects').where('path', '=', from).execute();
  for (const { from: path, to: target } of before)
    if (path === from) await trx.insertInto('redirects').values({ path, target }).execute();
    else
      await trx
        .updateTable('redirects')
        .set({ target })
        .where('path', '=', path)
        .where('target', '=', to)
        .execute();
}

export const lockRedirects = (db: Database, trx: Trx): Promise<void> => db.queries.lock(trx, 'redirects');

export async function redirectsOf(db: Reader, paths: readonly string[]): Promise<Redirect[]> {
  return db
    .selectFrom('redirects')
    .select(['path as from', 'target as to'])
    .where('path', 'in', paths)
    .execute();
}

export async function dropRedirect(trx: Trx, path: string): Promise<void> {
  await trx.deleteFrom('redirects').where('path', '=', path).execute();
}
