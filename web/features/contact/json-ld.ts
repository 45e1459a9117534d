import type { LocalBusinessLeaf, OpeningHoursSpecification } from 'schema-dts';
import { type Weekday, weekdays } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { type StoreHours, spansOf } from '#contract/rules/opening-hours.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import {
  absoluteUrl,
  graphOf,
  organization,
  organizationReference,
  type Place,
  pictureUrl,
} from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

export function storesJsonLd(stores: readonly PickupLocation[], shop: AppContent, place: Place): object {
  return graphOf(organization(shop, place), ...stores.map((store) => storeData(store, shop.currency, place)));
}

function storeData(store: PickupLocation, currency: string, place: Place): LocalBusinessLeaf {
  const { address } = store;
  const page = absoluteUrl(urls.contact(), place);
  return {
    '@type': 'LocalBusiness',
    '@id': `${place.origin}/#store-${encodeURIComponent(store.localStoreName)}`,
    name: inLocale(store.nameContent, place.locale),
    description: store.description,
    url: `${page}#store-${encodeURIComponent(store.localStoreName)}`,
    telephone: store.phone,
    email: store.email,
    ...(store.image ? { image: pictureUrl(store.image, place) } : {}),
    address: {
      '@type': 'PostalAddress',
      streetAddress: address.streetNumberAndNameDetails,
      addressLocality: address.city,
      addressRegion: address.province,
      postalCode: address.postCode,
      addressCountry: address.countryISOCode,
    },
    geo: { '@type': 'GeoCoordinates', latitude: store.lat, longitude: store.lng },
    openingHoursSpecification: hoursData(store.openingHours),
    ...(store.specialHours.length > 0
      ? { specialOpeningHoursSpecification: specialHoursData(store.specialHours) }
      : {}),
    currenciesAccepted: currency,
    parentOrganization: organizationReference(place),
  };
}

/** Groups days with the same hours; closed days are left out, as search engines expect. */
export function hoursData(hours: StoreHours['openingHours']): OpeningHoursSpecification[] {
  const together = new Map<string, { opens: string; closes: string; days: Weekday[] }>();
  for (const day of weekdays) {
    for (const span of spansOf(hours[day])) {
      const closes = closingTime(span);
      const key = `${span.open} ${closes}`;
      const same = together.get(key) ?? { opens: span.open, closes, days: [] };
      same.days.push(day);
      together.set(key, same);
    }
  }
  return [...together.values()].map(({ opens, closes, days }) => ({
    '@type': 'OpeningHoursSpecification' as const,
    dayOfWeek: days.map(
      (day) => `https://schema.org/${day.charAt(0).toUpperCase()}${day.slice(1)}` as const,
    ) as never,
    opens,
    closes,
  }));
}

/** Search engines read equal times as closed all day. */
const closedAllDay = { opens: '00:00', closes: '00:00' };

export function specialHoursData(special: StoreHours['specialHours']): OpeningHoursSpecification[] {
  return special.flatMap(({ date, hours }) => {
    const spans = hours
      ? spansOf(hours).map((span) => ({ opens: span.open, closes: closingTime(span) }))
      : [closedAllDay];
    return spans.map((span) => ({
      '@type': 'OpeningHoursSpecification' as const,
      ...span,
      validFrom: date,
      validThrough: date,
    }));
  });
}

function closingTime({ open, close }: { open: string; close: string }): string {
  // schema.org has no 24:00; midnight after opening is the end of the day there.
  const midnight = close === '24:00' ? '00:00' : close;
  // Equal times would mean closed all day, so open round the clock ends a minute before midnight.
  return midnight === open ? '23:59' : midnight;
}
