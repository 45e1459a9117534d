/** The header and the footer as documents: the one place that knows what a setting means that leaves something out. */
import Value from 'typebox/value';
import { navigationPlaces } from '#contract/limits.ts';
import { mainLocale } from '#contract/locales.ts';
import { type Edit, edited } from '#contract/rules/patch.ts';
import { NavigationDocument, NavigationLink, type NavigationPlace } from '#contract/schemas/navigation.ts';
import type { ShopSettings } from './settings.schema.ts';

export const isNavigationPlace = (name: string): name is NavigationPlace =>
  (navigationPlaces as readonly string[]).includes(name);

export function navigationOf(
  settings: Pick<ShopSettings, NavigationPlace>,
  id: NavigationPlace,
): NavigationDocument {
  const isHeader = id === 'header';
  const {
    links = [],
    categories = true,
    brands = true,
    clearance = true,
    blog = true,
    account = isHeader,
  } = settings[id];
  const { strip = { text: { [mainLocale()]: '' }, link: '' } } = settings.header;
  return { id, links, categories, brands, clearance, blog, account, ...(isHeader && { strip }) };
}

/** The pictures of its groups, also of settings in a file, which may leave places out. */
export const navigationFiles = (
  settings: Partial<Record<NavigationPlace, { links?: readonly NavigationLink[] }>>,
): string[] =>
  navigationPlaces.flatMap((place) => (settings[place]?.links ?? []).flatMap(({ picture }) => picture ?? []));

/** Each link of the header and the footer, those within groups too, with the place where it is. */
export function navigationLinks(settings: Pick<ShopSettings, NavigationPlace>) {
  return navigationPlaces.flatMap((place) =>
    navigationOf(settings, place)
      .links.flatMap(({ label, link, children = [] }) => [{ label, link }, ...children])
      .map((each) => ({ ...each, place })),
  );
}

/** What a setting has besides. */
export function withoutNavigation<T extends object>(setting: T) {
  const { links, categories, brands, clearance, blog, account, strip, ...rest } = setting as T &
    Partial<NavigationDocument>;
  return rest;
}

/** The setting after edits of its document, with the links that could be shown; null if there is no such place. */
export function navigationDraft(
  settings: ShopSettings,
  id: string,
  edits: readonly Edit[],
): Partial<ShopSettings> | null {
  if (!isNavigationPlace(id)) return null;
  const stored = navigationOf(settings, id);
  const { links, ...parts } = edited(stored, edits);
  const shown: NavigationDocument = {
    ...(Value.Check(NavigationDocument, { ...parts, links: [] }) ? parts : stored),
    links: Array.isArray(links) ? links.filter((each) => Value.Check(NavigationLink, each)) : stored.links,
  };
  return { [id]: { ...settings[id], ...shown } };
}
