/**
 * Asks a geocoder that speaks as Nominatim does where addresses are. Answers are stored by a hash of the address and deleted once they
 * expire. Where it does not answer, or does not know the building, the postal codes of the zones decide.
 */
import { createHash } from 'node:crypto';
import type { Database } from '#db/database.ts';
import type { ConnectionTest } from '#server/modules/connections/index.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import type { Point, StoresService } from '#server/modules/stores/index.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { anyNetwork, createSafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { findGeocoded, putGeocoded } from './geocoder.repository.ts';

/** Where an address is; null if that is unknown. `client` is the address of whoever asks, for the limit. */
export type Geocoder = (address: ResolvedAddress, client: string) => Promise<Point | null>;

const knownMs = 30 * dayMs;
/** A geocoder may learn an address. */
const unknownMs = dayMs;
/** Nominatim's rank of a building; streets and postal codes have lower ones, and may be kilometres long. */
const buildingRank = 28;

/** Whom to ask, at the time of asking; null: nobody. */
interface Asking {
  geocoderUrl: () => Promise<string | null>;
  publicUrl: string | null;
}

export interface GeocoderDeps {
  db: Database;
  now: () => number;
  rateLimits: RateLimitsService;
}

/** The operator or an owner names the address of the geocoder, so it may be in their own network. Without one, nobody is asked. */
export function createGeocoder(
  { geocoderUrl, publicUrl }: Asking,
  { db, now, rateLimits }: GeocoderDeps,
): Geocoder {
  const ask = createQuestion(publicUrl);
  return async (address, client) => {
    const url = await geocoderUrl();
    if (url === null) return null;
    const query = queryOf(address);
    const hash = createHash('sha256').update(query).digest('base64url');
    const known = await findGeocoded(db.read, hash, now());
    if (known) return known.point;
    try {
      await rateLimits.count([['geocodeAddress', networkOf(client)]]);
      const point = await ask(url, query);
      await putGeocoded(db, hash, point, now() + (point ? knownMs : unknownMs));
      return point;
    } catch {
      // Too many questions, or no answer: the next request asks again, and postal codes decide this one.
      return null;
    }
  };
}

/** @throws if it does not answer as a geocoder does */
function createQuestion(publicUrl: string | null) {
  const fetch = createSafeFetch(anyNetwork);
  // Nominatim's policy wants to know who asks.
  const userAgent = `Shopwright (${publicUrl ?? 'a shop without an address'})`;
  return async (url: string, query: string): Promise<Point | null> => {
    const { body } = await fetch({
      url: `${url}${url.includes('?') ? '&' : '?'}${query}`,
      headers: { accept: 'application/json', 'user-agent': userAgent },
      accepts: (type) => type === 'application/json',
      maxBytes: 64 * 1024,
      timeoutMs: 3000,
    });
    return pointOf(JSON.parse(body.toString()));
  };
}

/** Asks where the shop's own main store is. Stores nothing. */
export function createGeocoderTest({
  geocoderUrl,
  publicUrl,
  stores,
}: Asking & { stores: Pick<StoresService, 'all'> }): ConnectionTest {
  const ask = createQuestion(publicUrl);
  return async () => {
    const url = await geocoderUrl();
    if (url === null) return { works: false, text: 'office.connections.test.off' };
    const host = new URL(url).host;
    const all = await stores.all();
    const store = all.find(({ mainStore }) => mainStore) ?? all[0];
    if (!store) return { works: false, text: 'office.connections.geocoder.test.store' };
    const { street, city, provinceCode, postCode, countryISOCode } = store.address;
    const address = {
      streetNumberAndNameDetails: street,
      city,
      province: provinceCode,
      postCode,
      countryISOCode,
    };
    try {
      const point = await ask(url, queryOf(address));
      return point
        ? { works: true, text: 'office.connections.geocoder.test.found', values: { host } }
        : { works: false, text: 'office.connections.geocoder.test.unknown', values: { host } };
    } catch {
      return { works: false, text: 'office.connections.test.noAnswer', values: { host } };
    }
  };
}

function queryOf({
  streetNumberAndNameDetails: street,
  city,
  province: state,
  postCode: postalcode,
  countryISOCode,
}: Pick<
  ResolvedAddress,
  'streetNumberAndNameDetails' | 'city' | 'province' | 'postCode' | 'countryISOCode'
>) {
  const parts = Object.entries({ street, city, state, postalcode }).map(([key, text]) => [
    key,
    text.trim().replace(/\s+/g, ' ').toLowerCase(),
  ]);
  return new URLSearchParams([
    ...parts,
    ['countrycodes', countryISOCode.toLowerCase()],
    ['format', 'jsonv2'],
    ['limit', '1'],
  ]).toString();
}

/** The point of a building in an answer; null for anything else. */
function pointOf(answer: unknown): Point | null {
  const [first] = Array.isArray(answer)
    ? (answer as { lat?: unknown; lon?: unknown; place_rank?: unknown }[])
    : [];
  if (!first || Number(first.place_rank) < buildingRank || first.place_rank === undefined) return null;
  const [lat, lng] = [Number(first.lat), Number(first.lon)];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}
