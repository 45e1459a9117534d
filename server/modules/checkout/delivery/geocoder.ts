/**
 * Asks a geocoder that speaks as Nominatim does where addresses are. Answers are stored by a hash of the address and deleted once they
 * expire. Where it does not answer, or does not know the building, the postal codes of the zones decide.
 */
import { createHash } from 'node:crypto';
import type { Database } from '#db/database.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import type { Point } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
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

export interface GeocoderDeps {
  db: Database;
  now: () => number;
  rateLimits: RateLimitsService;
}

/** The operator names the address of the geocoder, so it may be in their own network. Without one, nobody is asked. */
export function createGeocoder(
  { geocoderUrl: url, publicUrl }: Pick<Env, 'geocoderUrl' | 'publicUrl'>,
  { db, now, rateLimits }: GeocoderDeps,
): Geocoder {
  const fetch = createSafeFetch(anyNetwork);
  // Nominatim's policy wants to know who asks.
  const userAgent = `Shopwright (${publicUrl ?? 'a shop without an address'})`;
  return async (address, client) => {
    if (url === null) return null;
    const query = queryOf(address);
    const hash = createHash('sha256').update(query).digest('base64url');
    const known = await findGeocoded(db.read, hash, now());
    if (known) return known.point;
    try {
      await rateLimits.count([['geocodeAddress', networkOf(client)]]);
      const { body } = await fetch({
        url: `${url}${url.includes('?') ? '&' : '?'}${query}`,
        headers: { accept: 'application/json', 'user-agent': userAgent },
        accepts: (type) => type === 'application/json',
        maxBytes: 64 * 1024,
        timeoutMs: 3000,
      });
      const point = pointOf(JSON.parse(body.toString()));
      await putGeocoded(db, hash, point, now() + (point ? knownMs : unknownMs));
      return point;
    } catch {
      // Too many questions, or no answer: the next request asks again, and postal codes decide this one.
      return null;
    }
  };
}

function queryOf({
  streetNumberAndNameDetails: street,
  city,
  province: state,
  postCode: postalcode,
  countryISOCode,
}: ResolvedAddress) {
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
  const [first] = Array.isArray(answer) ? (answer as { lat?: unknown; lon?: unknown; place_rank?: unknown }[]) : [];
  if (!first || Number(first.place_rank) < buildingRank || first.place_rank === undefined) return null;
  const [lat, lng] = [Number(first.lat), Number(first.lon)];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}
