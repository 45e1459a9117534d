/** The call that lists the stores. */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';

export function registerStoresRoutes(app: FastifyInstance, { stores }: Services): void {
  serve(app, 'pickupLocations', ({ lang }) => stores.locations(lang));
}
