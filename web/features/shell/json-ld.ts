/** Structured data of the shop as a whole, for its home page (schema.org). */
import type { SearchAction, WebSite } from 'schema-dts';
import { locales } from '#contract/locales.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { absoluteUrl, graphOf, organization, organizationId, type Place } from '#web/lib/json-ld.ts';
import { urls } from '#web/lib/urls.ts';

const searchText = 'search_term_string';

/** An extension of schema.org by search engines: where the search text goes. */
type AskedSearchAction = SearchAction & { 'query-input': string };

/** The site with its search, and the organisation that runs it. */
export function shopJsonLd(shop: AppContent, place: Place): object {
  const search: AskedSearchAction = {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${absoluteUrl(urls.search(), place)}?key={${searchText}}` },
    'query-input': `required name=${searchText}`,
  };
  const site: WebSite = {
    '@type': 'WebSite',
    '@id': `${place.origin}/#website`,
    name: shop.shopName,
    url: absoluteUrl(urls.home(), place),
    inLanguage: locales[place.locale].tag,
    publisher: { '@id': organizationId(place) },
    potentialAction: search,
  };
  return graphOf(site, organization(shop, place));
}
