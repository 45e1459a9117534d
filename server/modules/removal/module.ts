import type { ServerModule } from '#server/platform/server-module.ts';
import { createRemovalService, type RemovalService } from './removal.service.ts';
import type { RemovalDeps } from './removal-types.ts';

export interface RemovalServices {
  removal: RemovalService;
}

export function createRemovalModule(deps: RemovalDeps): ServerModule<RemovalServices> {
  return { services: { removal: createRemovalService(deps) } };
}
