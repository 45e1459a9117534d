/** Renumbers the name ranks evenly, once two names have no number left between them. */
import { defaultLocale, inLocale, localeCodes } from '#contract/locales.ts';
import { everything, recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import { lockCatalogue } from './catalogue-lock.ts';
import type { ListingRecord } from './listing-record.ts';
import { findListedProduct, listedProducts, setListingRecords, updateSortKey } from './listings.repository.ts';
import { freshKeys, type NameKeys } from './name-ranks.ts';

const batchSize = 200;

/** Works in batches so that others can write in between; until it ends, some names may be out of order. */
export async function rebalanceNameRanks(db: Database): Promise<void> {
  const products = (await listedProducts(db.read)).map(({ no, name }) => ({ no, name: JSON.parse(name) }));
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
      await lockCatalogue(db, trx);
      for (const { no, name, names } of batch) {
        const row = await findListedProduct(trx, no);
        // Renamed or unlisted meanwhile; a renamed product has been ranked again.
        if (!row || inLocale(JSON.parse(row.name), defaultLocale) !== inLocale(name, defaultLocale)) continue;
        const record: ListingRecord = JSON.parse(row.listing);
        for (const locale of localeCodes) {
          await updateSortKey(trx, no, { scopes: record.scopes, sort: locale, from: record.names[locale], to: names[locale] });
        }
        await setListingRecords(db, trx, [[no, JSON.stringify({ ...record, names })]]);
      }
      // A list read between two batches may be out of order, and must not stay so.
      await recordCatalogueChange(trx, [everything]);
    });
  }
}
