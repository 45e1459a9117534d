/** The links of the header or the footer as one list, in which those of a group stand below it. */
import type { NavigationLink } from '#contract/schemas/navigation.ts';

export interface Row {
  link: Omit<NavigationLink, 'children'>;
  isChild: boolean;
}

export const rowsOf = (links: readonly NavigationLink[]): Row[] =>
  links.flatMap(({ children = [], ...link }) => [
    { link, isChild: false },
    ...children.map((child) => ({ link: child, isChild: true })),
  ]);

export function linksOf(rows: readonly Row[]): NavigationLink[] {
  const links: NavigationLink[] = [];
  for (const { link, isChild } of rows) {
    const group = isChild ? links.pop() : undefined;
    const { picture, ...child } = link;
    links.push(group ? { ...group, children: [...(group.children ?? []), child] } : link);
  }
  return links;
}

/** Where a row is in the document. */
export function pathOf(rows: readonly Row[], at: number): string[] {
  const before = rows.slice(0, at + 1);
  const link = before.filter(({ isChild }) => !isChild).length - 1;
  const child = before.length - 2 - before.findLastIndex(({ isChild }) => !isChild);
  return rows[at]?.isChild ? [String(link), 'children', String(child)] : [String(link)];
}

/** How many rows belong to one, itself among them. */
export function sizeOf(rows: readonly Row[], at: number): number {
  if (rows[at]?.isChild) return 1;
  const next = rows.findIndex(({ isChild }, index) => index > at && !isChild);
  return (next < 0 ? rows.length : next) - at;
}

export interface Moved {
  rows: Row[];
  /** Where the row is now. */
  at: number;
}

export const ways = ['up', 'down', 'in', 'out'] as const;
export type Way = (typeof ways)[number];

/** A step by a key or a button: among its likes, into the group above, or out of its group to behind it. Null if it cannot go. */
export function stepped(rows: readonly Row[], at: number, way: Way): Moved | null {
  const row = rows[at];
  if (!row) return null;
  const size = sizeOf(rows, at);
  if (way === 'in') return row.isChild || size > 1 || at === 0 ? null : changed(rows, at, true);
  if (way === 'out') {
    if (!row.isChild) return null;
    const end = rows.findIndex((each, index) => index > at && !each.isChild);
    return put(rows, at, (end < 0 ? rows.length : end) - 1, false);
  }
  if (way === 'up') {
    const before = rows.findLastIndex((each, index) => index < at && each.isChild === row.isChild);
    return before < 0 || (row.isChild && before !== at - 1) ? null : put(rows, at, before, row.isChild);
  }
  const next = at + size;
  if (rows[next]?.isChild !== row.isChild) return null;
  return put(rows, at, at + sizeOf(rows, next), row.isChild);
}

/** What was dragged to a place among the rows that stayed, and wants to be below a link or not. */
export function dropped(rows: readonly Row[], from: number, to: number, wantsGroup: boolean): Moved | null {
  const size = sizeOf(rows, from);
  if (!rows[from] || (to > from && to < from + size)) return null;
  // The rows of its own group go with it.
  const place = to >= from + size ? to - size + 1 : to;
  const others = rows.toSpliced(from, size);
  const isInside = others[place]?.isChild === true;
  if (place === 0 || size > 1 || (!wantsGroup && !isInside)) {
    // A group, and what is in none, stands before or behind a group, not within.
    const next = others.findIndex(({ isChild }, index) => index >= place && !isChild);
    return put(rows, from, place === 0 ? 0 : next < 0 ? others.length : next, false);
  }
  return put(rows, from, place, true);
}

/** `to` is the place among the others. */
function put(rows: readonly Row[], from: number, to: number, isChild: boolean): Moved {
  const moved = rows
    .slice(from, from + sizeOf(rows, from))
    .map((row, index) => (index === 0 ? { ...row, isChild } : row));
  return { rows: rows.toSpliced(from, moved.length).toSpliced(to, 0, ...moved), at: to };
}

const changed = (rows: readonly Row[], at: number, isChild: boolean) => put(rows, at, at, isChild);
