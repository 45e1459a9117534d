/** The kinds of files that can be imported. To add one, add a file here and a line below. */
import type { ProblemKey } from '#contract/problems.ts';
import type { Sheet } from '../sheet/read-sheet.ts';
import { articleFieldOf, articleFields, articleScore, readArticles } from './articles.ts';
import { type CustomerKindDeps, createCustomerKind } from './customers.ts';
import { feedFieldOf, feedFields, feedGroups, feedScore, readFeed } from './feeds.ts';
import type { FoundPost } from './found-post.ts';
import type { FoundProduct } from './found-product.ts';
import { type ImportKind, type Mapping, nameOfColumn, nothingKnown } from './kind.ts';
import { createOrderKind, type OrderKindDeps } from './orders.ts';
import { ownFieldOf, ownFields, ownScore, readOwn } from './own-products.ts';
import { createPostWork, type PostWorkDeps } from './post-work.ts';
import { productFieldOf, productFields, productGroups, readProductRows, rowFieldOf } from './product-rows.ts';
import { createProductWork, knownOf, type ProductWorkDeps } from './product-work.ts';
import { createRedirectKind, type RedirectWorkDeps } from './redirects.ts';
import { createStockKind } from './stock.ts';
import { createTranslationKind, type TranslationKindDeps } from './translations.ts';
import { readWix, wixFamilies, wixFieldOf, wixFields, wixScore } from './wix.ts';
import { wooFieldOf, wooFields, wooScore } from './woo-columns.ts';
import { readWoo, wooNames } from './woocommerce.ts';
import { readWordpress, wordpressFieldOf, wordpressFields, wordpressScore } from './wordpress.ts';

export type ImportKindDeps = ProductWorkDeps &
  CustomerKindDeps &
  OrderKindDeps &
  RedirectWorkDeps &
  PostWorkDeps &
  TranslationKindDeps;

export function createImportKinds(deps: ImportKindDeps): readonly ImportKind[] {
  const work = createProductWork(deps);
  const uses = ['language', 'place', 'dropVariants', 'drafts', 'decimal'] as const;
  const products = { ...work, uses, addressesOf: deps.pictures.elsewhere };
  const rows = {
    ...products,
    fields: productFields,
    fieldOf: rowFieldOf,
    read: readProductRows,
    known: (sheet: Sheet, mapping: Mapping) => knownOf(deps, productGroups(sheet, mapping)),
  };
  const shopify: ImportKind<FoundProduct> = { ...rows, id: 'shopify', score: shopifyScore };
  const woocommerce: ImportKind<FoundProduct> = {
    ...products,
    id: 'woocommerce',
    fields: wooFields,
    fieldOf: wooFieldOf,
    score: wooScore,
    read: readWoo,
    known: (sheet, mapping) => knownOf(deps, wooNames(sheet, mapping)),
  };
  const wix: ImportKind<FoundProduct> = {
    ...products,
    id: 'wix',
    fields: wixFields,
    fieldOf: wixFieldOf,
    score: wixScore,
    read: readWix,
    known: (sheet, mapping) => knownOf(deps, wixFamilies(sheet, mapping)),
  };
  const any: ImportKind<FoundProduct> = { ...rows, id: 'products', score: productsScore };
  const feed: ImportKind<FoundProduct> = {
    ...products,
    id: 'feed',
    fields: feedFields,
    fieldOf: feedFieldOf,
    score: feedScore,
    read: readFeed,
    known: (sheet, mapping) => knownOf(deps, feedGroups(sheet, mapping)),
  };
  const own: ImportKind<FoundProduct> = {
    ...products,
    id: 'own',
    uses: ['dropVariants', 'places'],
    fields: ownFields,
    fieldOf: ownFieldOf,
    score: ownScore,
    read: readOwn,
  };
  const { known: knownPosts, ...postWork } = createPostWork(deps);
  const posts = {
    ...postWork,
    uses: ['language', 'content'] as const,
    known: async () => ({ ...nothingKnown, posts: await knownPosts() }),
  };
  const wordpress: ImportKind<FoundPost> = {
    ...posts,
    id: 'wordpress',
    fields: wordpressFields,
    fieldOf: wordpressFieldOf,
    score: wordpressScore,
    read: readWordpress,
  };
  const articles: ImportKind<FoundPost> = {
    ...posts,
    id: 'articles',
    fields: articleFields,
    fieldOf: articleFieldOf,
    score: articleScore,
    read: readArticles,
  };
  return [
    wordpress,
    articles,
    shopify,
    woocommerce,
    wix,
    feed,
    own,
    createStockKind(deps),
    createRedirectKind(deps),
    createTranslationKind(deps),
    createCustomerKind(deps),
    createOrderKind(deps),
    any,
  ];
}

const ofShopify = ['handle', 'url handle'];
const besides = [
  'body (html)',
  'variant price',
  'variant sku',
  'option1 value',
  'published on online store',
  'price',
  'title',
];

export function shopifyScore(columns: readonly string[]): number {
  const names = new Set(columns.map(nameOfColumn));
  const isShopify =
    ofShopify.some((name) => names.has(name)) && besides.filter((name) => names.has(name)).length >= 2;
  return isShopify ? columns.filter((column) => productFieldOf(column) !== null).length + 5 : 0;
}

/** Any spreadsheet in which products have names. */
export function productsScore(columns: readonly string[]): number {
  const fields = new Set(columns.map(productFieldOf));
  const isNamed = fields.has('title') || fields.has('handle') || fields.has('sku');
  return isNamed ? [...fields].filter((field) => field !== null).length : 0;
}

/** Exports of other shops that are of no use here, by columns that only they have. */
const refused: readonly (readonly [ProblemKey, readonly string[]])[] = [
  ['problem.sheet.discountsFile', ['value type', 'discount class']],
  ['problem.sheet.discountsFile', ['value type', 'times used in total']],
  ['problem.sheet.discountsFile', ['discount_type', 'coupon_amount']],
  ['problem.sheet.discountsFile', ['coupon code', 'discount type']],
  ['problem.sheet.giftCardsFile', ['initial balance', 'current balance']],
];

export function refusedFile(columns: readonly string[]): ProblemKey | undefined {
  const names = new Set(columns.map(nameOfColumn));
  return refused.find(([, all]) => all.every((name) => names.has(name)))?.[0];
}

/** Each field is read from the first column that has its name; fields that may have several take all of them. */
export function mappingOf({ fieldOf }: ImportKind, columns: readonly string[]): Mapping {
  const fields = columns.map((column) => fieldOf(column, columns));
  return Object.fromEntries(fields.flatMap((field, at) => (field === null ? [] : [[at, field]])));
}

/** The kind that knows most of the header. */
export const recognised = (
  kinds: readonly ImportKind[],
  columns: readonly string[],
): ImportKind | undefined =>
  kinds.toSorted((a, b) => b.score(columns) - a.score(columns)).find((kind) => kind.score(columns) > 0) ??
  kinds.at(-1);
