/** Numbering the order of names anew, when two names had no number left between them. */
import { defaultLocale, inLocale, localeCodes } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import type { ListingRecord } from './listing-record.ts';
import { freshKeys, type NameKeys } from './name-ranks.ts';

const batchSize = 200;

/** Batch by batch, so that others can write in between; until the last, some names may stand out of order. */
export async function rebalanceNameRanks(db: Database, lockName: string): Promise<void> {
  const products = (await db.read.selectFrom('products').select(['no', 'name']).where('listing', 'is not', null).execute()).map(
    ({ no, name }) => ({ no, name: JSON.parse(name) }),
  );
  const keys = localeCodes.map(
    (locale) =>
      [
        locale,
        freshKeys(
          locale,
          products.map(({ name }) => name),
        ),
      ] as const,
  );
  for (let start = 0; start < products.length; start += batchSize) {
    const batch = products.slice(start, start + batchSize).map(({ no, name }, index) => ({
      no,
      name,
      names: Object.fromEntries(keys.map(([locale, all]) => [locale, all[start + index]])) as NameKeys,
    }));
    await db.transaction(async (trx) => {
      await db.queries.lock(trx, lockName);
      for (const { no, name, names } of batch) {
        const row = await trx.selectFrom('products').select(['name', 'listing']).where('no', '=', no).executeTakeFirst();
        // Renamed or taken out meanwhile: then it has been placed anew.
        if (!row?.listing || inLocale(JSON.parse(row.name), defaultLocale) !== inLocale(name, defaultLocale)) continue;
        const record: ListingRecord = JSON.parse(row.listing);
        for (const locale of localeCodes) {
          await trx
            .updateTable('listings')
            .set({ key: names[locale] })
            .where('scope_id', 'in', record.scopes)
            .where('sort', '=', locale)
            .where('key', '=', record.names[locale])
            .where('product_no', '=', no)
            .execute();
        }
        await trx
          .updateTable('products')
          .set({ listing: JSON.stringify({ ...record, names }) })
          .where('no', '=', no)
          .execute();
      }
    });
  }
}
