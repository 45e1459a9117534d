/** Calls about countries and provinces. */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';

export function registerGeoRoutes(app: FastifyInstance, { geo }: Services): void {
  serve(app, 'supportedCountries', () => geo.countries());
  serve(app, 'provinces', ({ params, lang }) => geo.provinces(params.id, lang));
}
