/** What the journal calls the things that were changed, and the pages of the office where they are. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { inLocale, type LocalText } from '#contract/locales.ts';
import type { Kind } from '#contract/staff/messages.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import { useOffice } from '../../lib/me.tsx';
import { orderPage } from '../../lib/order-link.tsx';
import { modifierGroupsQuery, pagesQuery, postsQuery, taxonsQuery } from '../../lib/whole-lists.ts';

const places: Partial<Record<Kind, readonly [place: string, needs: Permission]>> = {
  customer: ['customers', 'customers.read'],
  product: ['goods', 'goods.read'],
  category: ['taxonomy/category', 'goods.read'],
  brand: ['taxonomy/brand', 'goods.read'],
  tag: ['taxonomy/tag', 'goods.read'],
  modifierGroup: ['menus', 'goods.read'],
  coupon: ['coupons', 'coupons.write'],
  page: ['pages', 'content.write'],
  post: ['blog', 'content.write'],
  store: ['stores', 'settings.stores'],
};

/** The page of a thing that somebody may see; null for none. */
export function subjectPage(kind: Kind, id: string, may: readonly Permission[]): string | null {
  if (kind === 'order') return orderPage(may, id);
  const [place, needs] = places[kind] ?? [];
  return place && needs && may.includes(needs) ? `/office/${place}/${encodeURIComponent(id)}` : null;
}

/** By kind and id, of what there is still. The questions are those of the rooms, and none is asked for a kind that is not shown. */
export function useSubjectNames(kinds: ReadonlySet<Kind>): (kind: Kind, id: string) => string | undefined {
  const { locale, call, may, shop } = useOffice();
  const asked = (kind: Kind) => ({
    enabled: kinds.has(kind) && subjectPage(kind, '', may) !== null,
    staleTime: 10_000,
  });
  const named = <T>(
    { data }: UseQueryResult<T>,
    of: (data: T) => readonly { id: string; name: LocalText }[],
  ) => new Map((data === undefined ? [] : of(data)).map(({ id, name }) => [id, inLocale(name, locale)]));
  const titled = (all: readonly { id: string; title: LocalText }[]) =>
    all.map(({ id, title }) => ({ id, name: title }));
  const names: Partial<Record<Kind, ReadonlyMap<string, string>>> = {
    category: named(
      useQuery({ ...taxonsQuery(call, 'category'), ...asked('category') }),
      ({ taxons }) => taxons,
    ),
    brand: named(useQuery({ ...taxonsQuery(call, 'brand'), ...asked('brand') }), ({ taxons }) => taxons),
    tag: named(useQuery({ ...taxonsQuery(call, 'tag'), ...asked('tag') }), ({ taxons }) => taxons),
    modifierGroup: named(
      useQuery({ ...modifierGroupsQuery(call), ...asked('modifierGroup') }),
      ({ groups }) => groups,
    ),
    page: named(useQuery({ ...pagesQuery(call, locale), ...asked('page') }), ({ pages }) => titled(pages)),
    post: named(useQuery({ ...postsQuery(call, locale), ...asked('post') }), ({ posts }) => titled(posts)),
    store: new Map(shop.stores.map(({ id, nameContent }) => [id, inLocale(nameContent, locale)])),
  };
  return (kind, id) => names[kind]?.get(id) || undefined;
}
