/** The styles of a video's frame, before and while it plays. */
export const videoFrameClass = 'block aspect-video w-full border-0 bg-surface-inset object-cover';
