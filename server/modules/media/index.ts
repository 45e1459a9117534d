/** Media: images in all sizes, and videos. */
export type { MediaService } from './media.service.ts';
export { createMediaModule } from './module.ts';
export { createOriginals, pictureName } from './originals.ts';
export { createMediaStorage } from './storage.ts';
export { createVideos, type Videos } from './videos.ts';
