import { useLocation, useRouter } from '@tanstack/react-router';

/**
 * The filters of a room, which are in the address: a link shows the same, and so does a reload. A filter that is '' is not in it.
 * Changing them replaces the entry of the history.
 */
export function useFilters(): [filters: Readonly<Record<string, string>>, change: (changed: Record<string, string>) => void] {
  const { pathname, searchStr } = useLocation();
  const { history } = useRouter();
  const filters = Object.fromEntries(new URLSearchParams(searchStr));
  const change = (changed: Record<string, string>) => {
    const kept = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== '');
    history.replace(kept.length === 0 ? pathname : `${pathname}?${new URLSearchParams(kept)}`);
  };
  return [filters, change];
}
