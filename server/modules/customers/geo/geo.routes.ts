/** Serves the calls for countries and provinces. */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { GeoService } from './geo.service.ts';

export function registerGeoRoutes(app: FastifyInstance, { geo }: { geo: GeoService }): void {
  serve(app, 'supportedCountries', () => geo.countries());
  serve(app, 'provinces', ({ params, lang }) => geo.provinces(params.id, lang));
}
