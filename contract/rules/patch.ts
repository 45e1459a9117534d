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

function listDifferences(
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly string[],
): Difference[] {
  const name = namesIn([before, after]);
  if (!name) {
    const isSame =
      before.length === after.length && before.every((each, index) => isEqual(each, after[index]));
    return isSame ? [] : [{ path, from: before, to: after }];
  }
  const named = (list: readonly unknown[]) => new Map(list.map((entry) => [name(entry), entry]));
  const [earlier, later] = [named(before), named(after)];
  const [old, now] = [[...earlier.keys()], [...later.keys()]];
  const added = [...old.filter((each) => later.has(each)), ...now.filter((each) => !earlier.has(each))];
  const moved = added.some((each, index) => each !== now[index]);
  return [
    ...[...new Set([...old, ...now])].flatMap((each) =>
      differences(earlier.get(each), later.get(each), [...path, each]),
    ),
    ...(moved ? [{ path: [...path, order], from: old, to: now }] : []),
  ];
}

/** Edits that rename or reorder entries of one list, each of which reads the whole list again. */
const mostSteps = 100;

/** Of edits that no form makes, and that would take the thread for long. */
export class TooManySteps extends Error {
  override name = 'TooManySteps';
}

/**
 * The document with these edits, in their order. What an edit leads through is added if it is not there. Edits of one list are applied
 * together, so that many of them take the time of one pass.
 * @throws {TooManySteps}
 */
export function edited<T>(document: T, edits: readonly Edit[]): T {
  return withEdits(document, edits) as T;
}

function withEdits(document: unknown, edits: readonly Edit[]): unknown {
  const whole = edits.findLastIndex(({ path }) => path.length === 0);
  const start = whole < 0 ? document : edits[whole]?.to;
  const rest = edits.slice(whole + 1);
  if (rest.length === 0) return start;
  return Array.isArray(start) ? listWith(start, rest) : recordWith(isRecord(start) ? start : {}, rest);
}

function recordWith(
  record: Readonly<Record<string, unknown>>,
  edits: readonly Edit[],
): Record<string, unknown> {
  const groups = new Map<string, Edit[]>();
  for (const edit of edits) addTo(groups, edit);
  const changed = new Map([...groups].map(([name, group]) => [name, withEdits(own(record, name), group)]));
  const names = new Set([...Object.keys(record), ...changed.keys()]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = changed.has(name) ? changed.get(name) : record[name];
      return changed.has(name) && value === undefined ? [] : [[name, value]];
    }),
  );
}

function listWith(document: readonly unknown[], edits: readonly Edit[]): unknown[] {
  let list = [...document];
  for (let [at, steps] = [0, 0]; at < edits.length; steps += 1) {
    if (steps > mostSteps) throw new TooManySteps(`More than ${mostSteps} steps in one list`);
    const nameOf = namesIn([list]) ?? (() => '');
    const edit = edits[at];
    if (edit?.path[0] === order) {
      list = reordered(list, nameOf, withEdits(list.map(nameOf), [{ ...edit, path: edit.path.slice(1) }]));
      at += 1;
      continue;
    }
    const groups = namedTogether(list, nameOf, edits.slice(at));
    at += [...groups.values()].reduce((sum, group) => sum + group.length, 0);
    const left = new Map(groups);
    const kept = list.flatMap((entry) => {
      const name = nameOf(entry);
      const group = left.get(name);
      if (!group) return [entry];
      left.delete(name);
      const value = withEdits(entry, group);
      return value === undefined ? [] : [value];
    });
    const added = [...left.values()]
      .map((group) => withEdits(undefined, group))
      .filter((value) => value !== undefined);
    list = [...kept, ...added];
  }
  return list;
}

/** The first edits, by the entry that they change, up to one that changes what entries are called or where they stand. */
function namedTogether(
  list: readonly unknown[],
  nameOf: (entry: unknown) => string,
  edits: readonly Edit[],
): Map<string, Edit[]> {
  const there = new Set(list.map(nameOf));
  const removed = new Set<string>();
  const groups = new Map<string, Edit[]>();
  for (const edit of edits) {
    const { path, to } = edit;
    const [name = '', field, ...rest] = path;
    const isWhole = field === undefined;
    // An entry that comes back stands last.
    if (name === order || removed.has(name)) break;
    const keepsName = isWhole
      ? to === undefined || nameOf(to) === name
      : there.has(name) && !(rest.length === 0 && naming.some((each) => each === field));
    addTo(groups, edit);
    if (!keepsName) break;
    if (isWhole && to === undefined) {
      removed.add(name);
      there.delete(name);
    } else there.add(name);
  }
  return groups;
}

/** By the first part of its path, which it loses. */
function addTo(groups: Map<string, Edit[]>, { path: [name = '', ...path], ...edit }: Edit): void {
  const group = groups.get(name);
  if (group) group.push({ ...edit, path });
  else groups.set(name, [{ ...edit, path }]);
}

function reordered(list: readonly unknown[], nameOf: (entry: unknown) => string, wanted: unknown): unknown[] {
  const places = new Map(
    (Array.isArray(wanted) ? wanted : []).map((name, index) => [name, index]).toReversed() as [
      unknown,
      number,
    ][],
  );
  const placeOf = (entry: unknown) => places.get(nameOf(entry)) ?? places.size;
  return list.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** As `valueAt`, of many paths at once. */
export function valuesAt(document: unknown, paths: readonly (readonly string[])[]): unknown[] {
  const known = new Map<readonly unknown[], ReturnType<typeof entriesOf>>();
  const entries = (list: readonly unknown[]) => {
    const found = known.get(list) ?? entriesOf(list);
    known.set(list, found);
    return found;
  };
  return paths.map((path) =>
    path.reduce((value: unknown, name) => {
      if (!Array.isArray(value)) return own(value, name);
      return name === order ? [...entries(value).names] : entries(value).byName.get(name);
    }, document),
  );
}

function entriesOf(list: readonly unknown[]) {
  const nameOf = namesIn([list]) ?? (() => '');
  const byName = new Map(list.map((entry) => [nameOf(entry), entry] as const).toReversed());
  return { names: list.map(nameOf), byName };
}

/** Undefined if there is none. */
export const valueAt = (document: unknown, path: readonly string[]): unknown => valuesAt(document, [path])[0];

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
  const edits = differences(base, mine).filter(
    ({ path }) => !conflicts.some((each) => overlap(each.path, path)),
  );
  return edited(theirs, [...edits, ...kept.map(({ path, mine: to }) => ({ path, to }))]);
}

/** What names the entries of a list; null if nothing does, and it is one value. */
export function entryNames(list: readonly unknown[]): string[] | null {
  const name = namesIn([list]);
  return name ? list.map(name) : null;
}

/**
 * The edit that sets what is at a path, which leads through lists whose entries have no names by their places: the edit sets the
 * outermost of them as a whole.
 */
export function editAt(document: unknown, path: readonly string[], to: unknown): Edit {
  let value = document;
  for (const [index, name] of path.entries()) {
    const names = Array.isArray(value) ? entryNames(value) : undefined;
    if (names === null) return { path: path.slice(0, index), to: withAt(value, path.slice(index), to) };
    value = Array.isArray(value) ? value[names?.indexOf(name) ?? -1] : own(value, name);
  }
  return to === undefined ? { path } : { path, to };
}

function withAt(value: unknown, [name, ...path]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  if (Array.isArray(value)) {
    const at = entryNames(value)?.indexOf(name) ?? Number(name);
    return value[at] === undefined ? value : value.with(at, withAt(value[at], path, to));
  }
  return recordWith(isRecord(value) ? value : {}, [{ path: [name], to: withAt(own(value, name), path, to) }]);
}

/** What names the entries of all these lists; undefined if nothing does. */
function namesIn(lists: readonly (readonly unknown[])[]): ((entry: unknown) => string) | undefined {
  const isNamedBy = (list: readonly unknown[], field: string) => {
    const names = new Set<unknown>();
    return list.every((entry) => {
      const name = own(entry, field);
      return typeof name === 'string' && names.size < names.add(name).size;
    });
  };
  const field = naming.find((each) => lists.every((list) => isNamedBy(list, each)));
  return field && ((entry) => String(own(entry, field)));
}

/** A name from outside, such as `__proto__`, finds nothing else. */
function own(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
