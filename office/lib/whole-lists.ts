/** The lists that come whole: a room shows each, and the palette finds by its name what they hold. */
import { queryOptions } from '@tanstack/react-query';
import type { taxonKinds } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { Call } from './api.ts';

export type TaxonKind = (typeof taxonKinds)[number];
const taxons = { category: 'categories', brand: 'brands', tag: 'tags' } as const satisfies Record<
  TaxonKind,
  string
>;

export const taxonsQuery = (call: Call, kind: TaxonKind) =>
  queryOptions({ queryKey: ['taxonomy', kind], queryFn: () => call(taxons[kind]) });

export const modifierGroupsQuery = (call: Call) =>
  queryOptions({ queryKey: ['modifier-groups'], queryFn: () => call('modifierGroups') });

export const couponsQuery = (call: Call) =>
  queryOptions({ queryKey: ['coupons'], queryFn: () => call('coupons') });

export const pagesQuery = (call: Call, locale: Locale) =>
  queryOptions({ queryKey: ['pages', locale], queryFn: () => call('pages') });

export const postsQuery = (call: Call, locale: Locale) =>
  queryOptions({ queryKey: ['posts', locale], queryFn: () => call('posts') });

export const emailsQuery = (call: Call) =>
  queryOptions({ queryKey: ['emails'], queryFn: () => call('emails') });

export const redirectsQuery = (call: Call) =>
  queryOptions({ queryKey: ['redirects'], queryFn: () => call('redirects') });

export const connectionsQuery = (call: Call) =>
  queryOptions({ queryKey: ['connections'], queryFn: () => call('connections') });
