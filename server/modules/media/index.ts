/** Media: images in all sizes, and videos. */
export { drawPicture, type PictureDrawing } from './look-pictures.ts';
export type { MediaService } from './media.service.ts';
export { createOriginals, UnreadablePictureError } from './originals.ts';
export { MediaStoreError } from './s3-storage.ts';
export { createMediaStorage } from './storage.ts';
export { type UploadResult, uploadMedia } from './upload.ts';
export { createVideos, type Videos } from './videos.ts';
