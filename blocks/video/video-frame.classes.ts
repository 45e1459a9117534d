/** The styles of a video's frame, before and while it plays. */
export const videoFrameClass = 'block aspect-video w-full border-0 bg-surface-inset object-cover';

/** The disc of 64 px that starts a video, in a `group/video`. */
export const playDiscClass =
  'absolute inset-0 m-auto grid size-16 place-items-center rounded-full bg-photo-paper text-photo-ink transition-[scale] group-hover/video:scale-106';
