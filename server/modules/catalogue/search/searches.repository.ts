/** Queries the `searches` table. */
import type { SqlValue } from '#db/bulk-writes.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { selectVarying } from '#db/select.ts';

export interface CountedSearch {
  language: string;
  /** Normalised. */
  text: string;
  times: number;
  /** Whether the text itself found products at the last search. */
  found: boolean;
  /** The text that was searched instead; null if none was. */
  suggestion: string | null;
}

const row =
  '(cast(? as text), cast(? as text), cast(? as text), cast(? as integer), cast(? as integer), cast(? as text), cast(? as integer))';

/** Both engines name the columns of `values` this way. */
const insertion = (rows: number) => `
  insert into searches (day, language, text, times, found, suggestion)
  select v.column1, v.column2, v.column3, v.column4, v.column5, v.column6
  from (values ${Array.from({ length: rows }, () => row).join(', ')}) as v
  where exists (
      select 1 from searches as known
      where known.day = v.column1 and known.language = v.column2 and known.text = v.column3)
    or v.column7 + (select count(*) from searches as known where known.day = ?) <= ?
  on conflict (day, language, text) do update set
    times = searches.times + excluded.times, found = excluded.found, suggestion = excluded.suggestion`;

/**
 * Adds to the counts of a day, in one statement. Texts that are new on a day with `mostPerDay` texts are left out.
 * @param day `'2026-05-16'`
 */
export async function addSearches(
  db: Database,
  trx: Trx,
  day: string,
  searches: readonly CountedSearch[],
  mostPerDay: number,
): Promise<void> {
  const values = searches.flatMap(({ language, text, times, found, suggestion }, index): SqlValue[] => [
    day,
    language,
    text,
    times,
    found ? 1 : 0,
    suggestion,
    index + 1,
  ]);
  await selectVarying(trx, db.engine, insertion(searches.length), [...values, day, mostPerDay]);
}

/**
 * The counts since a day by language and text, most frequent first, with the result of the last day.
 * @param since `'2026-05-16'`
 */
export async function searchesSince(
  db: Reader,
  since: string,
  { zero, most }: { zero: boolean; most: number },
): Promise<CountedSearch[]> {
  const rows = await db
    .selectFrom('searches as latest')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('searches')
          .select((each) => ['language', 'text', each.fn.sum<number>('times').as('times'), each.fn.max('day').as('day')])
          .where('day', '>=', since)
          .groupBy(['language', 'text'])
          .as('total'),
      (join) =>
        join
          .onRef('total.language', '=', 'latest.language')
          .onRef('total.text', '=', 'latest.text')
          .onRef('total.day', '=', 'latest.day'),
    )
    .select(['latest.language', 'latest.text', 'total.times', 'latest.found', 'latest.suggestion'])
    .$if(zero, (query) => query.where('latest.found', '=', 0))
    .orderBy('total.times', 'desc')
    .orderBy('latest.text')
    .orderBy('latest.language')
    .limit(most)
    .execute();
  return rows.map((each) => ({ ...each, times: Number(each.times), found: each.found === 1 }));
}

/** Deletes the counts of days before `day`, such as `'2026-05-16'`. */
export async function deleteSearchesBefore(trx: Trx, day: string): Promise<void> {
  await trx.deleteFrom('searches').where('day', '<', day).execute();
}
