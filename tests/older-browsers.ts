/**
 * What the browsers that the shop supports (README.md) lack and later ones have: Safari 16.4, Chrome 111, Firefox 115. Browser
 * tests run without it. Methods of prototypes have a `#`. A test searches the browser's code for them.
 */
export const laterFunctions = [
  'AbortSignal.any',
  'Array.fromAsync',
  'Error.isError',
  'Intl.DurationFormat',
  'Intl.Segmenter',
  'Iterator.from',
  'Map.groupBy',
  'Object.groupBy',
  'Promise.try',
  'Promise.withResolvers',
  'RegExp.escape',
  'Response.json',
  'URL.canParse',
  'URL.parse',
  'Uint8Array.fromBase64',
  'ArrayBuffer#transfer',
  'Element#checkVisibility',
  'Element#getHTML',
  'Element#moveBefore',
  'Element#setHTMLUnsafe',
  'HTMLDialogElement#requestClose',
  'HTMLElement#hidePopover',
  'HTMLElement#showPopover',
  'HTMLElement#togglePopover',
  'Set#difference',
  'Set#intersection',
  'Set#isDisjointFrom',
  'Set#isSubsetOf',
  'Set#isSupersetOf',
  'Set#symmetricDifference',
  'Set#union',
  'String#isWellFormed',
  'String#toWellFormed',
  'Uint8Array#toBase64',
] as const;

/** Of `Iterator.prototype`: as methods they have the names of arrays' ones, so only the types and the browser tests find them. */
const iteratorMethods = [
  'map',
  'filter',
  'take',
  'drop',
  'flatMap',
  'reduce',
  'toArray',
  'forEach',
  'some',
  'every',
  'find',
];

const laterGlobals = ['Temporal', 'cookieStore', 'navigation', 'requestIdleCallback', 'scheduler'];

/** Playwright calls it in the pages, to find what is visible. */
const neededByTests: readonly string[] = ['Element#checkVisibility'];

/** A script that takes the rest of it away before a page's own scripts run. */
export function withoutLaterFunctions(): string {
  const removed = laterFunctions.filter((name) => !neededByTests.includes(name));
  const removals = removed.map((name) => {
    const [owner = '', method] = name.split(/[.#]/);
    return [name.includes('#') ? `${owner}.prototype` : owner, method];
  });
  return `
    for (const [place, method] of ${JSON.stringify(removals)}) {
      const owner = place.split('.').reduce((at, part) => at?.[part], globalThis);
      if (owner) delete owner[method];
    }
    const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
    for (const method of ${JSON.stringify(iteratorMethods)}) delete iterators[method];
    for (const name of ${JSON.stringify(laterGlobals)}) delete globalThis[name];
  `;
}
