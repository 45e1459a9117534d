/** The call that lists the stores. */
import type { FastifyInstance } from 'fastify';
import { recorded, serve } from '#server/http/endpoint.ts';
import type { StoresService } from './stores.service.ts';

export function registerStoresRoutes(app: FastifyInstance, { stores }: { stores: StoresService }): void {
  serve(app, 'pickupLocations', ({ lang }) => stores.locations(lang), recorded);
}
