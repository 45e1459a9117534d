/** In the order in which they are offered. */
export const filterColourNames = [
  'white',
  'beige',
  'grey',
  'black',
  'brown',
  'red',
  'pink',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
] as const;
export type FilterColour = (typeof filterColourNames)[number];

/** Both ends included; null: open at this end. */
export interface FilterRange {
  from: number | null;
  to: number | null;
}

/** `3000-5999`; an end is left out where the range is open. */
export const filterRangePattern = /^(?:\d{1,9}-\d{0,9}|-\d{1,9})$/;

/** Writes a range as parameters have it, such as `3000-5999`, `-2999` or `10000-`. */
export function formatFilterRange({ from, to }: FilterRange): string {
  return `${from ?? ''}-${to ?? ''}`;
}

/** Millilitres. */
export const capacityRanges: readonly FilterRange[] = [
  { from: null, to: 150 },
  { from: 151, to: 350 },
  { from: 351, to: 800 },
  { from: 801, to: null },
];
