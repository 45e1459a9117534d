/**
 * A document that several people edit. What is typed is a draft in the browser until it is saved: closing the tab, losing the network or
 * changing the language loses nothing, and all tabs of a browser edit the same draft. What others save meanwhile is merged into it;
 * where they changed the same, "mine or theirs" is asked.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type Conflict, conflictsOf, differences, edited, isEqual, merged, valueAt } from '#contract/rules/patch.ts';
import type { Patch } from '#contract/staff/documents.ts';
import { ApiError } from '#ui/errors.ts';
import { useMe } from './me.tsx';

interface Revised<T> {
  revision: number;
  content: T;
}

interface Draft<T> {
  revision: number;
  /** As it was loaded. */
  base: T;
  mine: T;
}

interface DocumentOptions<R extends Revised<object>> {
  /** Of the query; the draft has the same. */
  name: readonly [string, ...string[]];
  /** What begins the paths of problems: `stores.queen-west`. */
  place: string;
  load: () => Promise<R>;
  save: (patch: Patch) => Promise<R>;
}

export type Path = readonly string[];

export interface EditedDocument {
  valueAt: (path: Path) => unknown;
  /** Undefined removes the field or entry. */
  change: (path: Path, to: unknown) => void;
  /** What is wrong there, and notes what people call that field. */
  errorAt: (path: Path, label: string) => string | undefined;
}

export function useDocument<R extends Revised<object>>({ name, place, load, save }: DocumentOptions<R>) {
  type T = R['content'];
  const { data: loaded, error } = useQuery({ queryKey: name, queryFn: load, networkMode: 'always' });
  // Of a type that is a parameter, a property is only known by its constraint.
  const data = loaded as Revised<T> | undefined;
  const [draft, keep] = useDraft<T>(name);
  const [told, setTold] = useState<readonly Path[]>([]);
  const labels = useLabels();
  const base = draft?.base ?? data?.content;
  const mine = draft?.mine ?? data?.content;
  const revision = draft?.revision ?? data?.revision ?? 0;
  const edits = useMemo(
    () => differences(base, mine).map(({ path, to }) => (to === undefined ? { path: [...path] } : { path: [...path], to })),
    [base, mine],
  );
  const sending = useSave(name, save, keep, () => setTold([]));
  const newer = data && draft && data.revision > draft.revision && !sending.isPending ? data : undefined;
  const conflicts = newer && draft ? conflictsOf(draft.base, draft.mine, newer.content) : [];
  const adopt = (kept: readonly Conflict[]) => {
    if (!newer || !draft) return;
    setTold(differences(draft.base, newer.content).map(({ path }) => path));
    sending.reset();
    keep((latest) => latest && rebased(latest, newer, kept));
  };
  const merge = useRef(adopt);
  useEffect(() => {
    merge.current = adopt;
  });
  useEffect(() => {
    if (newer && conflicts.length === 0) merge.current([]);
  }, [newer, conflicts.length]);

  const problems = problemsIn(sending.error, place, mine);
  const form: EditedDocument = {
    valueAt: (path) => valueAt(mine, path),
    change: (path, to) => change(keep, data, path, to),
    errorAt: (path, label) => {
      labels.note(path, label);
      return problems.at(path);
    },
  };
  return {
    content: mine,
    /** The latest answer, with what belongs to the document and is not edited. */
    loaded,
    form,
    edits,
    conflicts,
    /** Takes theirs, but for the conflicts that are kept. */
    resolve: adopt,
    /** Fields that somebody else has changed since the document was opened. */
    told,
    save: () => mine && sending.mutate({ mine, patch: { revision, edits } }),
    discard: () => {
      sending.reset();
      keep(() => null);
    },
    saving: sending.isPending,
    saved: sending.isSuccess && edits.length === 0,
    error: isConflict(sending.error) ? null : (sending.error ?? (mine ? null : error)),
    /** Problems of fields that the form does not show. */
    otherProblems: () => problems.besides(labels.shown()),
    labelOf: labels.of,
  };
}

/** What people call the fields that a form shows. */
function useLabels() {
  const { current: labels } = useRef(new Map<string, string>());
  return {
    note: (path: Path, label: string) => void labels.set(path.join('.'), label),
    shown: () => [...labels.keys()],
    /** Also of what is part of a field. */
    of: (path: Path): string =>
      path.map((_, index) => labels.get(path.slice(0, path.length - index).join('.'))).find(Boolean) ?? path.join(' › '),
  };
}

export type OpenDocument = Omit<ReturnType<typeof useDocument<Revised<object>>>, 'content' | 'loaded'>;

const isConflict = (error: unknown) => error instanceof ApiError && error.body.errorKey === 'office.document.changed';

type Keep<T> = (next: (latest: Draft<T> | null) => Draft<T> | null | undefined) => void;

function change<T extends object>(keep: Keep<T>, loaded: Revised<T> | undefined, path: Path, to: unknown): void {
  keep((latest) => {
    const from = latest ?? (loaded && { revision: loaded.revision, base: loaded.content, mine: loaded.content });
    if (!from) return null;
    const mine = edited(from.mine, [{ path, to }]);
    return isEqual(from.base, mine) ? null : { ...from, mine };
  });
}

function rebased<T>(
  { base, mine }: Draft<T>,
  { revision, content }: Revised<T>,
  kept: readonly Conflict[] = [],
): Draft<T> | null {
  const next = merged(base, mine, content, kept);
  return isEqual(next, content) ? null : { revision, base: content, mine: next };
}

/** Problems name some entries of lists by position. */
function positions(document: unknown, path: Path): string[] {
  return path.map((name, index) => {
    const list = valueAt(document, path.slice(0, index));
    return Array.isArray(list) ? String(list.indexOf(valueAt(list, [name]))) : name;
  });
}

/** What the server found wrong with fields. */
function problemsIn(error: unknown, place: string, document: unknown) {
  const problems = error instanceof ApiError && !isConflict(error) ? (error.body.errors ?? {}) : {};
  const keysOf = (path: Path) => [[place, ...path].join('.'), [place, ...positions(document, path)].join('.')];
  return {
    at: (path: Path): string | undefined => keysOf(path).flatMap((key) => problems[key] ?? [])[0],
    /** Of fields that are not among these. */
    besides(shown: readonly string[]): string[] {
      const known = new Set(shown.flatMap((field) => keysOf(field.split('.'))));
      return Object.entries(problems).flatMap(([key, text]) => (known.has(key) ? [] : [text]));
    },
  };
}

function useSave<R extends Revised<object>>(
  name: readonly string[],
  save: DocumentOptions<R>['save'],
  keep: Keep<R['content']>,
  onSaved: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    // Without a network it fails, instead of waiting for it in a tab that may be closed.
    networkMode: 'always',
    mutationFn: (sent: { mine: R['content']; patch: Patch }) => save(sent.patch),
    onSuccess: (answer, sent) => {
      // What was typed while it was sent stays a draft.
      keep((latest) => latest && rebased({ ...latest, base: sent.mine }, answer));
      onSaved();
      queries.setQueryData(name, answer);
    },
    // The newer document says what to ask.
    onError: (failed) => isConflict(failed) && void queries.invalidateQueries({ queryKey: name }),
  });
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** A person's draft of a document in this browser; null for none. */
function useDraft<T>(name: readonly string[]): [Draft<T> | null, Keep<T>] {
  const { email } = useMe();
  const key = ['office-draft', email, ...name].join(' ');
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  const draft = useMemo(() => draftIn<T>(text), [text]);
  const keep: Keep<T> = (next) => {
    const wanted = next(draftIn<T>(localStorage.getItem(key)));
    if (wanted) localStorage.setItem(key, JSON.stringify(wanted));
    else localStorage.removeItem(key);
    for (const listener of listeners) listener();
  };
  return [draft, keep];
}

const draftIn = <T,>(text: string | null) => (text === null ? null : (JSON.parse(text) as Draft<T>));
