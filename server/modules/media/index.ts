/** Media: images in all sizes, and videos. */
export type { MediaService } from './media.service.ts';
export { createMediaModule } from './module.ts';
export { originalPath, pictureName } from './originals.ts';
export { createVideos, type Videos } from './videos.ts';
