/** What the lists of rooms share: filters in the address, a search, and pages. */
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import {
  type ComponentProps,
  type FormEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Skeleton } from '#ui/layout.tsx';

/**
 * The filters of a room, which are in the address: a link shows the same, and so does a reload. A filter that is '' is not in it.
 * Changing them replaces the entry of the history.
 */
export function useFilters(): [
  filters: Readonly<Record<string, string>>,
  change: (changed: Record<string, string>) => void,
] {
  const { pathname, searchStr } = useLocation();
  const { history } = useRouter();
  const filters = Object.fromEntries(new URLSearchParams(searchStr));
  const change = (changed: Record<string, string>) => {
    const kept = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== '');
    history.replace(kept.length === 0 ? pathname : `${pathname}?${new URLSearchParams(kept)}`);
  };
  return [filters, change];
}

interface SearchFormProps {
  label: string;
  hint: string;
  /** What is searched for. */
  text: string;
  onSearch: (text: string) => void;
}

/** How long somebody has not typed before the list follows, ms; Enter asks at once. */
const restMs = 250;

export function SearchForm({ label, hint, text, onSearch }: SearchFormProps) {
  const [typed, setTyped] = useState(text);
  const searched = useRef(text);
  const hintId = useId();
  const search = useEffectEvent((wanted: string) => {
    if (wanted === searched.current) return;
    searched.current = wanted;
    onSearch(wanted);
  });
  useEffect(() => {
    const timer = setTimeout(() => search(typed), restMs);
    return () => clearTimeout(timer);
  }, [typed]);
  // Another text came with the address, such as one that Back leads to.
  useEffect(() => {
    if (text === searched.current) return;
    searched.current = text;
    setTyped(text);
  }, [text]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    search(typed);
  };
  return (
    <form onSubmit={submit} className="group relative min-w-0 flex-1">
      <Icon name="search" size={20} className="pointer-events-none absolute top-3 left-3 text-ink-soft" />
      <input
        className="input pl-10"
        type="search"
        name="text"
        aria-label={label}
        aria-describedby={hintId}
        placeholder={label}
        value={typed}
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p
        id={hintId}
        className="absolute top-full z-20 mt-1 rounded-md border border-line bg-raised px-3 py-2 text-ink-soft text-sm shadow-over not-group-focus-within:sr-only"
      >
        {hint}
      </p>
    </form>
  );
}

/** `next` says from where the page after one is asked for; null for the last page. */
export function usePages<P, F extends object>(
  queryKey: QueryKey,
  ask: (from: F | Record<never, never>) => Promise<P>,
  next: (page: P) => F | null,
  enabled = true,
) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey,
    enabled,
    initialPageParam: {} as F | Record<never, never>,
    queryFn: ({ pageParam }): Promise<P> => ask(pageParam as F | Record<never, never>),
    getNextPageParam: (page: P) => next(page) ?? undefined,
  });
  return {
    pages: data?.pages ?? [],
    isKnown: data !== undefined,
    error,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  };
}

const loadingRows = 8;

/** Grey rows in place of a list that is long in coming: a quick one comes without them. Nothing for a reader of the screen. */
export function LoadingRows({ until }: { until: boolean }) {
  if (until) return null;
  return (
    <div className="loading-rows flex flex-col gap-3" aria-hidden="true">
      {Array.from({ length: loadingRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never change order
        <Skeleton key={row} className="h-12" />
      ))}
    </div>
  );
}

type More = Pick<ReturnType<typeof usePages>, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;

/** All other props go to the button. */
export function MoreButton({
  list,
  ...button
}: { list: More; label: string } & ComponentProps<typeof Button>) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  if (!hasNextPage) return null;
  return (
    <Button
      variant="secondary"
      className="self-center"
      busy={isFetchingNextPage}
      onClick={() => void fetchNextPage()}
      {...button}
    />
  );
}

/** Where the next page of a list begins that names its last entry. */
export const afterOf = ({ after }: { after: string | null }) => (after === null ? null : { after });
