/**
 * What differs between two JSON documents, and merging what two people changed. A path leads through the fields of objects and, in a
 * list whose entries have names, through those: `['deliveryZones', 'by-bike', 'feeCents']`. Other lists are one value.
 */

export interface Edit {
  path: readonly string[];
  /** Left out if the field or entry is gone. */
  to?: unknown;
}

export interface Difference extends Edit {
  /** Left out if there was none. */
  from?: unknown;
}

/** What both changed, to different values. */
export interface Conflict {
  path: readonly string[];
  mine: unknown;
  theirs: unknown;
}

/** The fields by one of which all entries of a list are named. */
const naming = ['id', 'sku', 'date', 'provinceCode', 'countryISOCode'] as const;
/** Stands in a path for the order of a list's entries: their names. */
const order = '#';

export function differences(before: unknown, after: unknown, path: readonly string[] = []): Difference[] {
  // What an edit leaves as it is, both have.
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, path);
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differences(own(before, name), own(after, name), [...path, name]),
    );
  return Object.is(before, after) ? [] : [{ path, from: before, to: after }];
}

function listDifferences(before: readonly unknown[], after: readonly unknown[], path: readonly string[]): Difference[] {
  const name = namesIn([before, after]);
  if (!name) {
    const isSame = before.length === after.length && before.every((each, index) => isEqual(each, after[index]));
    return isSame ? [] : [{ path, from: before, to: after }];
  }
  const named = (list: readonly unknown[]) => new Map(list.map((entry) => [name(entry), entry]));
  const [earlier, later] = [named(before), named(after)];
  const [old, now] = [[...earlier.keys()], [...later.keys()]];
  const added = [...old.filter((each) => later.has(each)), ...now.filter((each) => !earlier.has(each))];
  const moved = added.some((each, index) => each !== now[index]);
  return [
    ...[...new Set([...old, ...now])].flatMap((each) => differences(earlier.get(each), later.get(each), [...path, each])),
    ...(moved ? [{ path: [...path, order], from: old, to: now }] : []),
  ];
}

/** The document with these edits, in their order. What an edit leads through is added if it is not there. */
export function edited<T>(document: T, edits: readonly Edit[]): T {
  return edits.reduce<unknown>((whole, { path, to }) => withValue(whole, path, to), document) as T;
}

function withValue(document: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  const value = withValue(valueAt(document, [name]), rest, to);
  if (!Array.isArray(document)) {
    const record = isRecord(document) ? document : {};
    if (value !== undefined) return { ...record, [name]: value };
    return Object.fromEntries(Object.entries(record).filter(([each]) => each !== name));
  }
  const nameOf = namesIn([document]) ?? (() => '');
  if (name === order) {
    const wanted = Array.isArray(value) ? value : [];
    const place = (entry: unknown) => (wanted.indexOf(nameOf(entry)) + 1 || wanted.length + 1) - 1;
    return document.toSorted((a, b) => place(a) - place(b));
  }
  const index = document.findIndex((entry) => nameOf(entry) === name);
  if (value === undefined) return document.filter((_, at) => at !== index);
  return index < 0 ? [...document, value] : document.with(index, value);
}

/** Undefined if there is none. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => {
    if (!Array.isArray(value)) return own(value, name);
    const nameOf = namesIn([value]) ?? (() => '');
    return name === order ? value.map(nameOf) : value.find((entry) => nameOf(entry) === name);
  }, document);
}

/** Whether a change of one also changes the other. */
export function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).every((name, index) => name === b[index]);
}

export const isEqual = (a: unknown, b: unknown): boolean => differences(a, b).length === 0;

/** What `mine` and `theirs`, which both began as `base`, changed to different values. */
export function conflictsOf(base: unknown, mine: unknown, theirs: unknown): Conflict[] {
  const others = differences(base, theirs);
  const both = differences(base, mine).flatMap(({ path }) => {
    const other = others.find((each) => overlap(each.path, path));
    return other ? [other.path.length < path.length ? other.path : path] : [];
  });
  return both
    .filter((path, index) => both.findIndex((each) => isEqual(each, path)) === index)
    .map((path) => ({ path, mine: valueAt(mine, path), theirs: valueAt(theirs, path) }))
    .filter((each) => !isEqual(each.mine, each.theirs));
}

/** What `theirs` becomes with what `mine` changed of `base`; of the conflicts, only with those in `kept`. */
export function merged<T>(base: T, mine: T, theirs: T, kept: readonly Conflict[] = []): T {
  const conflicts = conflictsOf(base, mine, theirs);
  const edits = differences(base, mine).filter(({ path }) => !conflicts.some((each) => overlap(each.path, path)));
  return edited(theirs, [...edits, ...kept.map(({ path, mine: to }) => ({ path, to }))]);
}

/** What names the entries of all these lists; undefined if nothing does. */
function namesIn(lists: readonly (readonly unknown[])[]): ((entry: unknown) => string) | undefined {
  const field = naming.find((each) =>
    lists.every((list) => {
      const names = list.map((entry) => own(entry, each));
      return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
    }),
  );
  return field && ((entry) => String(own(entry, field)));
}

/** A name from outside, such as `__proto__`, finds nothing else. */
function own(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
