/** Lists that are asked for page by page. */
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '#ui/button.tsx';

/** `next` says from where the page after one is asked for; null for the last page. */
export function usePages<P, F extends object>(
  queryKey: QueryKey,
  ask: (from: F | Record<never, never>) => Promise<P>,
  next: (page: P) => F | null,
) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey,
    initialPageParam: {} as F | Record<never, never>,
    queryFn: ({ pageParam }): Promise<P> => ask(pageParam as F | Record<never, never>),
    getNextPageParam: (page: P) => next(page) ?? undefined,
  });
  return { pages: data?.pages ?? [], isKnown: data !== undefined, error, hasNextPage, isFetchingNextPage, fetchNextPage };
}

type More = Pick<ReturnType<typeof usePages>, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;

export function MoreButton({ list, label }: { list: More; label: string }) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  if (!hasNextPage) return null;
  return (
    <Button variant="secondary" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {label}
    </Button>
  );
}

/** Where the next page of a list begins that names its last entry. */
export const afterOf = ({ after }: { after: string | null }) => (after === null ? null : { after });
