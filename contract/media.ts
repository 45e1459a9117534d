/** Pictures are served at these widths (pixels) and no others, so that each is made once. */
export const mediaWidths = [64, 160, 320, 480, 640, 800, 1000, 1280, 1600, 1920] as const;
export type MediaWidth = (typeof mediaWidths)[number];

/** `/media/<width>/<name>`, where the name carries the content's hash. */
export const mediaPath = /^\/media\/(\d+)\/([^/]+)$/;
