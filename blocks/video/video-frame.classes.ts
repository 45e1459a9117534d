/** The place of a video, whether it plays yet or not. */
export const videoFrameClass = 'block aspect-video w-full border-0 bg-surface-inset object-cover';
