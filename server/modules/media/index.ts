/** Media: images in all sizes, and videos. */
export { registerMediaRoutes } from './media.routes.ts';
export { createMediaService, type MediaService } from './media.service.ts';
export { originalPath, pictureName } from './originals.ts';
export { registerVideoRoutes } from './videos.routes.ts';
export { createVideos, type Videos } from './videos.ts';
