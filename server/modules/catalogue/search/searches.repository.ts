/** Search counts: nothing about who searched. */
import { sql } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';

export interface CountedSearch {
  language: string;
  text: string;
  times: number;
  found: boolean;
  /** Searched instead; null if none was. */
  suggestion: string | null;
}

/** In one statement. Texts that are new on a day with `mostPerDay` texts are left out. `day`: `'2026-05-16'`. */
export async function addSearches(
  trx: Trx,
  day: string,
  searches: readonly CountedSearch[],
  mostPerDay: number,
): Promise<void> {
  const rows = searches.map(
    ({ language, text, times, found, suggestion }, index) =>
      sql`(cast(${day} as text), cast(${language} as text), cast(${text} as text), cast(${times} as integer),
        cast(${found ? 1 : 0} as integer), cast(${suggestion} as text), cast(${index + 1} as integer))`,
  );
  // Both engines name the columns of `values` this way.
  await sql`
    insert into searches (day, language, text, times, found, suggestion)
    select v.column1, v.column2, v.column3, v.column4, v.column5, v.column6
    from (values ${sql.join(rows)}) as v
    where exists (
        select 1 from searches as known
        where known.day = v.column1 and known.language = v.column2 and known.text = v.column3)
      or v.column7 + (select count(*) from searches as known where known.day = ${day}) <= ${mostPerDay}
    on conflict (day, language, text) do update set
      times = searches.times + excluded.times, found = excluded.found, suggestion = excluded.suggestion`.execute(
    trx,
  );
}

/** By language and text, most frequent first, with the result of the last day. `since`: `'2026-05-16'`. */
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
          .select((each) => [
            'language',
            'text',
            each.fn.sum<number>('times').as('times'),
            each.fn.max('day').as('day'),
          ])
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

/** `day`: such as `'2026-05-16'`. */
export async function deleteSearchesBefore(trx: Trx, day: string): Promise<void> {
  await trx.deleteFrom('searches').where('day', '<', day).execute();
}
