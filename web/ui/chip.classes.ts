/** A rounded box with a word or two: an option to choose, or a way on. */
const chipShape =
  'flex min-h-11 min-w-12 items-center justify-center gap-2 rounded-full border border-edge bg-raised px-4 py-1.5 leading-tight';

/** The class of a chip that is the face of a `Choice`; add `choiceFaceClass`. */
export const chipClass = `${chipShape} peer-disabled:border-line peer-disabled:bg-surface-inset`;

/** The class of a chip that is a link; the current one is marked by its `aria-current`. */
export const chipLinkClass = `${chipShape} transition-[border-color] hover:border-ink aria-[current]:border-action aria-[current]:bg-action-tint`;
