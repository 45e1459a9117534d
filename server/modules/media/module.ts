import type { Database } from '#db/database.ts';
import type { Env } from '#server/platform/env.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { gauge } from '#server/platform/telemetry/metric.ts';
import { registerMediaRoutes, registerVideoRoutes } from './media.routes.ts';
import { createMediaService, type MediaService } from './media.service.ts';
import { createMediaStorage } from './storage.ts';
import { createVideos, type Videos } from './videos.ts';

export interface MediaServices {
  media: MediaService;
  videos: Videos;
}

export function createMediaModule(deps: { db: Database; env: Env; now: () => number }): ServerModule<MediaServices> {
  const storage = createMediaStorage(deps.env);
  const services = { media: createMediaService({ ...deps, storage }), videos: createVideos(storage) };
  const waiting = gauge('shopwright_images_waiting', 'Images that wait to be generated.', () => services.media.waiting());
  return {
    services,
    metrics: [{ name: 'images', metrics: [waiting] }],
    registerRoutes(app) {
      registerMediaRoutes(app, services);
      registerVideoRoutes(app, services);
    },
  };
}
