/** The call that lists the stores. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerStoresRoutes(app: FastifyInstance, { stores }: Services): void {
  serve(app, 'pickupLocations', ({ lang }) => stores.locations(lang));
}
