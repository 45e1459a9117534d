/** The rows of a long table, of which only what is on the screen is read. */
import { useQueries } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import type { GoodsFilter, GoodsPage } from '#contract/staff/goods.ts';
import { type Call, useCall } from '../../lib/api.tsx';

export type Row = GoodsPage['products'][number];

/** As the server has them. */
const pageSize = 50;
/** While a table is flung past, nothing is read, ms. */
const restMs = 80;

export const pageQuery = (call: Call, filter: GoodsFilter, page: number) => ({
  queryKey: ['goods', 'page', filter, page],
  queryFn: () => call('goods', { query: { ...filter, skip: page * pageSize } }),
});

export function useRows(filter: GoodsFilter) {
  const call = useCall();
  const [pages, setPages] = useState<readonly number[]>([0]);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onShow = useCallback((first: number, last: number) => {
    clearTimeout(rest.current);
    rest.current = setTimeout(() => {
      const wanted: number[] = [];
      for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page++) wanted.push(page);
      setPages((before) => (before.join() === wanted.join() ? before : wanted));
    }, restMs);
  }, []);
  useEffect(() => () => clearTimeout(rest.current), []);
  const combine = useCallback(
    (read: readonly { data?: GoodsPage | undefined }[]) =>
      new Map(pages.flatMap((page, index) => (read[index]?.data ? [[page, read[index].data.products] as const] : []))),
    [pages],
  );
  const known = useQueries({ queries: pages.map((page) => pageQuery(call, filter, page)), combine });
  // Rows that arrive are drawn in small parts, so that no frame of a scroll waits for them.
  const shown = useDeferredValue(known);
  return {
    onShow,
    rowAt: (index: number): Row | undefined => shown.get(Math.floor(index / pageSize))?.[index % pageSize],
  };
}
