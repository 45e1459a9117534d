/** What the palette finds in the rooms whose lists come whole: pages, posts, categories, coupons and the like. */
import { useQuery } from '@tanstack/react-query';
import { homePage, navigationPlaces, pagePath } from '#contract/limits.ts';
import { inLocale, type LocalText } from '#contract/locales.ts';
import { isStaffKey, type StaffTranslate } from '#contract/staff/messages.ts';
import type { Room } from '../rooms/index.ts';
import { useOffice } from './me.tsx';
import type { Found, FoundGroup } from './palette.tsx';
import {
  connectionsQuery,
  couponsQuery,
  emailsQuery,
  modifierGroupsQuery,
  pagesQuery,
  postsQuery,
  redirectsQuery,
  taxonsQuery,
} from './whole-lists.ts';

/** The questions are those of the rooms, so that an answer serves both. */
export function useDocumentsFound(rooms: readonly Room[], isAsked: boolean): FoundGroup[] {
  const { t, locale, call } = useOffice();
  const asked = (path: string) => ({
    enabled: isAsked && rooms.some((room) => room.path === path),
    staleTime: 10_000,
  });
  const ofGoods = asked('/taxonomy');
  const categories = useQuery({ ...taxonsQuery(call, 'category'), ...ofGoods });
  const brands = useQuery({ ...taxonsQuery(call, 'brand'), ...ofGoods });
  const tags = useQuery({ ...taxonsQuery(call, 'tag'), ...ofGoods });
  const groups = useQuery({ ...modifierGroupsQuery(call), ...asked('/menus') });
  const coupons = useQuery({ ...couponsQuery(call), ...asked('/coupons') });
  const pages = useQuery({ ...pagesQuery(call, locale), ...asked('/pages') });
  const posts = useQuery({ ...postsQuery(call, locale), ...asked('/blog') });
  const emails = useQuery({ ...emailsQuery(call), ...asked('/words') });
  const redirects = useQuery({ ...redirectsQuery(call), ...asked('/redirects') });
  const connections = useQuery({ ...connectionsQuery(call), ...asked('/connections') });
  const found = (place: string, id: string, name: LocalText, detail = ''): Found => ({
    href: `/office/${place}/${encodeURIComponent(id)}`,
    label: inLocale(name, locale) || id,
    detail,
  });
  const taxons = (
    [
      ['category', categories],
      ['brand', brands],
      ['tag', tags],
    ] as const
  ).flatMap(([kind, { data }]) =>
    (data?.taxons ?? []).map(({ id, name }) => found(`taxonomy/${kind}`, id, name, t(`kind.${kind}`))),
  );
  return [
    { name: t('office.taxonomy'), items: taxons },
    {
      name: t('office.menus'),
      items: (groups.data?.groups ?? []).map(({ id, name }) => found('menus', id, name)),
    },
    {
      name: t('office.coupons'),
      items: (coupons.data?.coupons ?? []).map(({ code, name }) => ({
        ...found('coupons', code, name, inLocale(name, locale)),
        label: code,
      })),
    },
    {
      name: t('office.pages'),
      items: (pages.data?.pages ?? []).map(({ id, title }) =>
        found('pages', id, title, id === homePage ? t('office.page.home') : pagePath(id)),
      ),
    },
    {
      name: t('office.blog'),
      items: (posts.data?.posts ?? []).map(({ id, title }) => found('blog', id, title)),
    },
    {
      name: t('office.navigation'),
      items: asked('/navigation').enabled
        ? navigationPlaces.map((place) => ({
            href: `/office/navigation/${place}`,
            label: t(`office.navigation.${place}`),
            detail: t(`office.navigation.${place}Why`),
          }))
        : [],
    },
    {
      name: t('office.words'),
      items: (emails.data?.emails ?? []).map(({ id }) => ({
        href: `/office/words/${id}`,
        label: t(`office.words.email.${id}`),
        detail: t(`office.words.when.${id}`),
      })),
    },
    {
      name: t('office.redirects'),
      items: (redirects.data?.redirects ?? []).map(({ id, to }) => ({
        ...found('redirects', id, {}, `→ ${to}`),
        label: id,
      })),
    },
    {
      name: t('office.connections'),
      items: (connections.data?.connections ?? []).flatMap(({ name, fields }) => {
        const [href, called] = [`/office/connections#${name}`, connectionText(t, name) ?? name];
        const ofFields = fields.flatMap((field) => connectionText(t, `${name}.${field.name}`) ?? []);
        return [{ href, label: called, detail: ofFields.join(t('office.listSeparator')) }];
      }),
    },
  ];
}

/** Undefined where a payment provider brings no text. */
function connectionText(t: StaffTranslate, id: string): string | undefined {
  const key = `office.connections.${id}`;
  return isStaffKey(key) ? t(key) : undefined;
}
