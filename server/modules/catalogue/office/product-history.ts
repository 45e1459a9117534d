/** How a product was before, by the journal and what it keeps of documents. */
import { localeCodes, mainLocale } from '#contract/locales.ts';
import { type Difference, edited, valueAt } from '#contract/rules/patch.ts';
import type { ChangesService, JournalEntry } from '#server/modules/changes/index.ts';
import { notFound } from '#server/platform/errors.ts';
import type { ProductInput } from '../products/product-input.ts';

/** Changes of a product that are looked at. */
const mostEntries = 500;

type Changes = Pick<ChangesService, 'journal' | 'backs'>;

/** @throws {AppError} 404 for a revision that is not there, or to which no way back is kept */
export async function productAt(changes: Changes, product: ProductInput, revision: number): Promise<ProductInput> {
  const entries = await changes.journal({ kind: 'product', id: product.id, most: mostEntries });
  const place = entries.findIndex(({ no }) => no === revision);
  const later = entries.slice(0, place);
  const backs = await changes.backs(later.map(({ no }) => no));
  if (place < 0 || later.some(({ no }) => !backs.has(no))) throw notFound();
  const then = later.reduce((whole, { no }) => edited(whole, backs.get(no) ?? []), product);
  // Stock has a history of its own.
  const stock = new Map(product.skus.map((sku) => [sku.sku, sku.stock]));
  return { ...then, skus: then.skus.map((sku) => ({ ...sku, stock: stock.get(sku.sku) ?? {} })) };
}

/** Translations that are older than the text in the main language, with what that was when they were written. */
export async function outdatedTexts(changes: Changes, product: ProductInput): Promise<Record<string, unknown>> {
  const entries = await changes.journal({ kind: 'product', id: product.id, most: mostEntries });
  const main = mainLocale();
  const latest = new Map<string, number>();
  for (const { no, fields } of entries.toReversed()) for (const { field } of fields ?? []) latest.set(field, no);
  const outdated = [...latest].flatMap(([field, changedAt]) => {
    if (!field.endsWith(`.${main}`)) return [];
    const text = field.slice(0, -main.length);
    return localeCodes.flatMap((code) => {
      const translatedAt = latest.get(text + code) ?? 0;
      const isThere = isText(valueAt(product, (text + code).split('.')));
      return code !== main && isThere && translatedAt < changedAt ? [{ field: text + code, source: field, translatedAt }] : [];
    });
  });
  if (outdated.length === 0) return {};
  const backs = await changes.backs(entries.map(({ no }) => no));
  return Object.fromEntries(
    outdated.map(({ field, source, translatedAt }) => [field, textThen(entries, backs, { source, translatedAt }) ?? null]),
  );
}

const isText = (value: unknown) => (Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value !== '');

/** What the source said before the first change of it after the translation. */
function textThen(
  entries: readonly JournalEntry[],
  backs: ReadonlyMap<number, Difference[]>,
  { source, translatedAt }: { source: string; translatedAt: number },
): unknown {
  const first = entries.findLast(({ no, fields }) => no > translatedAt && fields?.some(({ field }) => field === source));
  return backs.get(first?.no ?? -1)?.find(({ path }) => path.join('.') === source)?.to;
}
