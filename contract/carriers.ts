/** Carriers of parcels. To add one, add a line: `link` shows a parcel by its number, and its host tells a pasted link apart. */
export const carriers = {
  canadaPost: {
    name: 'Canada Post',
    link: 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor={number}',
  },
  purolator: { name: 'Purolator', link: 'https://www.purolator.com/en/shipping/tracker?pin={number}' },
  ups: { name: 'UPS', link: 'https://www.ups.com/track?tracknum={number}' },
  fedex: { name: 'FedEx', link: 'https://www.fedex.com/fedextrack/?trknbr={number}' },
  dhl: { name: 'DHL', link: 'https://www.dhl.com/ca-en/home/tracking.html?tracking-id={number}' },
  usps: { name: 'USPS', link: 'https://tools.usps.com/go/TrackConfirmAction?tLabels={number}' },
  canpar: { name: 'Canpar', link: 'https://www.canpar.com/en/tracking/track.htm?barcode={number}' },
  sfExpress: {
    name: 'SF Express',
    link: 'https://www.sf-express.com/chn/en/waybill/waybill-detail/{number}',
  },
} as const;
export type Carrier = keyof typeof carriers;
export const carrierKeys = Object.keys(carriers) as Carrier[];

/** How a parcel is tracked. `url` only for a link that belongs to none of the carriers above. */
export interface Tracking {
  carrier: Carrier | null;
  number: string;
  url: string | null;
}

const isNumber = (text: string) => /^(?=.*\d)[A-Za-z0-9-]{6,60}$/.test(text);
/** The last two names of a link's host. */
const siteOf = (link: string) =>
  /^https?:\/\/(?:[\w-]+\.)*?([\w-]+\.[a-z]+)(?=[/?#]|$)/i.exec(link)?.[1]?.toLowerCase();

/** Reads what was typed, scanned, or pasted from a carrier's page; null if it is neither a number nor a link. */
export function readTracking(text: string): Tracking | null {
  const number = text.replace(/\s/g, '');
  if (number === '' || isNumber(number)) return { carrier: null, number, url: null };
  const link = text.trim();
  const site = /\s/.test(link) ? undefined : siteOf(link);
  if (site === undefined) return null;
  const carrier = carrierKeys.find((key) => siteOf(carriers[key].link) === site) ?? null;
  const found = link
    .slice(link.indexOf(site) + site.length)
    .split(/[?&=#/,]/)
    .filter(isNumber);
  const longest = found.sort((a, b) => b.length - a.length)[0] ?? '';
  return { carrier, number: longest, url: carrier && longest ? null : link };
}

export function trackingUrl({ carrier, number, url }: Tracking): string | null {
  if (url !== null) return url;
  return carrier && number ? carriers[carrier].link.replace('{number}', encodeURIComponent(number)) : null;
}
