/** Chooses what makes a set with a product: things for other purposes that can be added to the cart as they are. */

import { inLocale, type Locale } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { Product, SetPiece } from '#contract/schemas/catalogue.ts';
import { translate } from '#server/platform/i18n.ts';

/** Besides the product itself. */
const mostPieces = 2;

/**
 * The first of `related` that ship and are in stock, each of another category than the product and one another: a pot goes with
 * cups and a tea, not with a second pot. Each has its first combination in stock.
 */
export function piecesOfSet(product: Product, related: readonly Product[], locale: Locale): SetPiece[] {
  if (product.inStoreOnly) return [];
  const categories = new Set([product.category.categoryName]);
  const pieces: SetPiece[] = [];
  for (const other of related) {
    const sku = other.inStoreOnly ? undefined : other.skus.find(({ inStock }) => inStock);
    if (!sku || categories.has(other.category.categoryName) || pieces.length === mostPieces) continue;
    categories.add(other.category.categoryName);
    pieces.push(pieceOf(other, sku, locale));
  }
  return pieces;
}

function pieceOf(product: Product, { sku, optionPairs, priceInfo }: Product['skus'][number], locale: Locale): SetPiece {
  const chosen = parseOptionPairs(optionPairs) ?? new Map<string, string>();
  const values = product.specification.options.flatMap(
    ({ name, values }) => values.find(({ value }) => value === chosen.get(name)) ?? [],
  );
  return {
    id: product.id,
    nameContent: product.nameContent,
    image: values.find(({ image }) => image)?.image ?? product.mediaInfo.imageInfos[0] ?? null,
    sku,
    optionPairs,
    optionText: values.map(({ valueContent }) => inLocale(valueContent, locale)).join(translate(locale)('ui.listSeparator')),
    priceInfo,
  };
}
