/** Widths of images that take a share of the page, for `Picture sizes`. */

/** From these window widths on (rem), the page is so wide (px); `page-sizes.test.ts` compares them with the brand's tokens. */
export const pageWidths = [
  { from: 110, px: 1568 },
  { from: 88, px: 1312 },
] as const;

/** The width of `share` of the page (0 to 1) in windows wider than it, to continue with the widths in narrower ones. */
export function pageSizes(share: number, narrower: string): string {
  return [...pageWidths.map(({ from, px }) => `(min-width: ${from}rem) ${Math.round(px * share)}px`), narrower].join(', ');
}
