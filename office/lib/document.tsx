/**
 * A document that several people edit. What is typed is a draft in the browser until it is saved: closing the tab, losing the network or
 * changing the language loses nothing, and all tabs of a browser edit the same draft. What others save meanwhile is merged into it;
 * where they changed the same, "mine or theirs" is asked.
 */
import {
  keepPreviousData,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import {
  type Conflict,
  conflictsOf,
  differences,
  edited,
  isEqual,
  merged,
  valueAt,
} from '#contract/rules/patch.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import { ApiError, errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { createFieldWords, type Path } from './field-words.ts';
import { useLanguage } from './i18n.tsx';
import { type Keep as KeepOf, useKept } from './kept.ts';

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

export type { Path };

export interface EditedDocument {
  valueAt: (path: Path) => unknown;
  /** Undefined removes the field or entry. */
  change: (path: Path, to: unknown) => void;
  /** What is wrong there, and notes what people call that field, and how it writes its value. */
  errorAt: (path: Path, label: string, print?: (value: unknown) => string) => string | undefined;
  /** What else is to be known of it. */
  noteAt?: (path: Path) => string | undefined;
  /** Whether anything is wrong there or within. */
  isWrong?: (path: Path) => boolean;
}

export function useDocument<R extends Revised<object>>({ name, place, load, save }: DocumentOptions<R>) {
  type T = R['content'];
  const { data: loaded, error } = useQuery({ queryKey: name, queryFn: load, networkMode: 'always' });
  // Of a type that is a parameter, a property is only known by its constraint.
  const data = loaded as Revised<T> | undefined;
  const queries = useQueryClient();
  const [draft, keep] = useKept<Draft<T>>(name);
  const [told, setTold] = useState<readonly Path[]>([]);
  const { locale } = useLanguage();
  const { current: words } = useRef(createFieldWords());
  const base = draft?.base ?? data?.content;
  const mine = draft?.mine ?? data?.content;
  const revision = draft?.revision ?? data?.revision ?? 0;
  const edits = useMemo(() => editsOf(base, mine), [base, mine]);
  const tellTabs = useOtherTabs<R>(name);
  const sending = useSave(name, save, keep, (answer) => {
    setTold([]);
    tellTabs(answer);
  });
  const acting = useMutation({
    networkMode: 'always',
    mutationFn: async (work: (revision: number) => Promise<R>) => {
      const saved: Revised<T> | undefined =
        mine && edits.length > 0 ? await sending.mutateAsync({ mine, patch: { revision, edits } }) : data;
      if (!saved) throw new Error('The document has not been loaded');
      return work(saved.revision);
    },
    onSuccess: (answer) => {
      tellTabs(answer);
      queries.setQueryData(name, answer);
      void queries.invalidateQueries({ queryKey: [...name, 'revisions'] });
    },
    onError: (failed) => isConflict(failed) && void queries.invalidateQueries({ queryKey: name }),
  });
  const isBusy = sending.isPending || acting.isPending;
  const failure = sending.error ?? acting.error;
  const forget = () => {
    sending.reset();
    acting.reset();
  };
  const newer = data && draft && data.revision > draft.revision && !isBusy ? data : undefined;
  const conflicts = newer && draft ? conflictsOf(draft.base, draft.mine, newer.content) : [];
  const adopt = (kept: readonly Conflict[]) => {
    if (!newer || !draft) return;
    // What another tab saved of this draft is nothing new.
    setTold(
      differences(draft.base, newer.content).flatMap(({ path, to }) =>
        isEqual(valueAt(draft.mine, path), to) ? [] : [path],
      ),
    );
    // A step before would take back what others saved.
    steps.forget();
    forget();
    keep((latest) => latest && rebased(latest, newer, kept));
  };
  useEffect(() => {
    if (newer && conflicts.length === 0) adopt([]);
  });
  const problems = problemsIn(failure, place, mine);
  const steps = useSteps<T>((content) => keep((latest) => withContent(latest, data, content)));
  const form: EditedDocument = {
    valueAt: (path) => valueAt(mine, path),
    change: (path, to) => change(keep, data, { path, to, note: steps.note }),
    errorAt: (path, label, print) => problems.at(words.note(path, label, print)),
    isWrong: problems.within,
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
    save() {
      acting.reset();
      if (mine) sending.mutate({ mine, patch: { revision, edits } });
    },
    /** Saves what is typed, and then does something with the document that answers with it, such as publishing it. */
    act: acting.mutateAsync,
    undo: steps.undo(mine),
    redo: steps.redo(mine),
    discard: () => {
      forget();
      if (mine) steps.note(null, mine);
      keep(() => null);
    },
    saving: isBusy,
    saved: sending.isSuccess && edits.length === 0,
    error: isConflict(failure) ? null : (failure ?? (mine ? null : error)),
    /** Problems of fields that the form does not show. */
    otherProblems: () => problems.besides(words.shown()),
    labelOf: words.labelOf,
    /** A value as its field writes it. */
    textOf: (path: Path, value: unknown) => words.textOf(path, value, locale),
  };
}

export type OpenDocument = Omit<
  ReturnType<typeof useDocument<Revised<object>>>,
  'content' | 'loaded' | 'act'
>;

const isConflict = (error: unknown) =>
  error instanceof ApiError && error.body.errorKey === 'office.document.changed';

type Keep<T> = KeepOf<Draft<T>>;

const editsOf = (base: unknown, mine: unknown): Patch['edits'] =>
  differences(base, mine).map(({ path, to }) =>
    to === undefined ? { path: [...path] } : { path: [...path], to },
  );

function withContent<T extends object>(
  latest: Draft<T> | null,
  loaded: Revised<T> | undefined,
  mine: T,
): Draft<T> | null {
  const from = latest ?? (loaded && { revision: loaded.revision, base: loaded.content });
  return from && !isEqual(from.base, mine) ? { ...from, mine } : null;
}

/** What is typed at one place without a pause, or set at once, is one step, ms. */
const pauseMs = 1000;
const onceMs = 30;
const mostSteps = 200;

/** What was typed, step by step: to go back, and forth again. */
function useSteps<T>(show: (content: T) => void) {
  const [{ past, future }, set] = useState<{ past: readonly T[]; future: readonly T[] }>({
    past: [],
    future: [],
  });
  const last = useRef<{ place: string | null; at: number }>({ place: null, at: -pauseMs });
  const step = (
    from: readonly T[],
    mine: T | undefined,
    moved: (left: readonly T[], now: T) => typeof steps,
  ) => {
    const to = from.at(-1);
    if (to === undefined || mine === undefined) return undefined;
    return () => {
      last.current.at = -pauseMs;
      set(moved(from.slice(0, -1), mine));
      show(to);
    };
  };
  const steps = { past, future };
  return {
    note(place: string | null, before: T) {
      const at = performance.now();
      const { current } = last;
      const goesOn = at - current.at < (place !== null && place === current.place ? pauseMs : onceMs);
      last.current = { place, at };
      if (!goesOn)
        set(({ past: earlier }) => ({ past: [...earlier.slice(1 - mostSteps), before], future: [] }));
    },
    forget() {
      last.current.at = -pauseMs;
      set({ past: [], future: [] });
    },
    /** Undefined if there is no step. */
    undo: (mine: T | undefined) =>
      step(past, mine, (left, now) => ({ past: left, future: [...future, now] })),
    redo: (mine: T | undefined) =>
      step(future, mine, (left, now) => ({ past: [...past, now], future: left })),
  };
}

interface Typed<T> {
  path: Path;
  to: unknown;
  /** Takes what was there before. */
  note: (place: string | null, before: T) => void;
}

/**
 * Where a value was typed. Null for what is done at once, such as moving, adding or removing an entry: it is a step of its own, however
 * soon it follows another.
 */
export function typedAt(before: unknown, after: unknown, path: Path): string | null {
  if (typeof after !== 'object' || after === null) return path.join('.');
  const isSameForm =
    typeof before === 'object' && before !== null && Array.isArray(before) === Array.isArray(after);
  const [was, is] = [new Map(Object.entries(isSameForm ? before : {})), new Map(Object.entries(after))];
  const isSameLength = was.size === is.size || !Array.isArray(after);
  const [name, ...others] = [...new Set([...was.keys(), ...is.keys()])].filter(
    (each) => !isEqual(was.get(each), is.get(each)),
  );
  return isSameForm && isSameLength && name !== undefined && others.length === 0
    ? typedAt(was.get(name), is.get(name), [...path, name])
    : null;
}

function change<T extends object>(
  keep: Keep<T>,
  loaded: Revised<T> | undefined,
  { path, to, note }: Typed<T>,
): void {
  keep((latest) => {
    const from =
      latest ?? (loaded && { revision: loaded.revision, base: loaded.content, mine: loaded.content });
    if (!from) return null;
    note(typedAt(valueAt(from.mine, path), to, path), from.mine);
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
  // A form may ask for thousands of fields at each press of a key.
  const isRight = Object.keys(problems).length === 0;
  const keysOf = (path: Path) => [
    [place, ...path].join('.'),
    [place, ...positions(document, path)].join('.'),
  ];
  return {
    at: (path: Path): string | undefined =>
      isRight ? undefined : keysOf(path).flatMap((key) => problems[key] ?? [])[0],
    within(path: Path): boolean {
      if (isRight) return false;
      return keysOf(path).some((key) =>
        Object.keys(problems).some((each) => each === key || each.startsWith(`${key}.`)),
      );
    },
    /** Of fields that are not among these. */
    besides(shown: readonly string[]): string[] {
      if (isRight) return [];
      const known = new Set(shown.flatMap((field) => keysOf(field.split('.'))));
      return Object.entries(problems).flatMap(([key, text]) => (known.has(key) ? [] : [text]));
    },
  };
}

function useSave<R extends Revised<object>>(
  name: readonly string[],
  save: DocumentOptions<R>['save'],
  keep: Keep<R['content']>,
  onSaved: (answer: R) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    // Without a network it fails, instead of waiting for it in a tab that may be closed.
    networkMode: 'always',
    mutationFn: (sent: { mine: R['content']; patch: Patch }) => save(sent.patch),
    onSuccess: (answer, sent) => {
      // What was typed while it was sent stays a draft.
      keep((latest) => latest && rebased({ ...latest, base: sent.mine }, answer));
      onSaved(answer);
      queries.setQueryData(name, answer);
    },
    // The newer document says what to ask.
    onError: (failed) => isConflict(failed) && void queries.invalidateQueries({ queryKey: name }),
  });
}

/** What a tab saves, the others show at once: they share its drafts, which end with it. */
function useOtherTabs<R extends Revised<object>>(name: readonly string[]): (answer: R) => void {
  const queries = useQueryClient();
  const key = JSON.stringify(name);
  const channel = useRef<BroadcastChannel>(undefined);
  useEffect(() => {
    const tabs = new BroadcastChannel(`office-document ${key}`);
    tabs.onmessage = ({ data }: MessageEvent<R>) =>
      queries.setQueryData<R>(JSON.parse(key) as string[], (known) =>
        known && known.revision > data.revision ? known : data,
      );
    channel.current = tabs;
    return () => tabs.close();
  }, [key, queries]);
  return (answer) => channel.current?.postMessage(answer);
}

const trialPauseMs = 300;

export function useTrial<R>(key: readonly unknown[], ask: () => Promise<R>): UseQueryResult<R> {
  const text = JSON.stringify(key);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), trialPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return useQuery({
    queryKey: ['trial', settled],
    queryFn: ask,
    enabled: settled === text,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}

export function Trial({
  trial: { error },
  title,
  children,
}: {
  trial: UseQueryResult;
  title?: string;
  children: ReactNode;
}) {
  const { t } = useLanguage();
  const shared = useT();
  const isRefused = error instanceof ApiError && error.body.errors;
  return (
    <div className="flex flex-col gap-5">
      <h2 className="text-lg">{title ?? t('office.sample')}</h2>
      <p className="text-ink-soft text-sm">{t('office.sample.hint')}</p>
      {error && (
        <p className="font-medium text-clay text-sm">
          {isRefused ? t('office.sample.refused') : errorText(error, shared)}
        </p>
      )}
      {children}
    </div>
  );
}
