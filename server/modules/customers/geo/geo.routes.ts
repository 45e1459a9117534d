/** Calls about countries and provinces. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerGeoRoutes(app: FastifyInstance, { geo }: Services): void {
  serve(app, 'supportedCountries', () => geo.countries());
  serve(app, 'provinces', ({ params, lang }) => geo.provinces(params.id, lang));
}
