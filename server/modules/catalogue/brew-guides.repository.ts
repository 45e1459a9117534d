import type { BrewGuide } from '#contract/schemas/brewing.ts';
import type { Reader } from '#db/database.ts';
import type { ProductDetails } from './product-input.ts';

/** How to brew the teas among these products, by id; others are left out. */
export async function brewGuidesOf(db: Reader, ids: readonly string[]): Promise<Map<string, BrewGuide>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('products').select(['id', 'details']).where('id', 'in', ids).execute();
  return new Map(
    rows.flatMap(({ id, details }): [string, BrewGuide][] => {
      const { brew } = JSON.parse(details) as ProductDetails;
      return brew ? [[id, brew]] : [];
    }),
  );
}
