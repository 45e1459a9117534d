import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Me } from '#contract/staff/schemas.ts';
import { takeMe } from './me.tsx';

test('a person who has just entered stays, when an answer about who was there before comes late', async () => {
  const queries = new QueryClient();
  let answer: (me: Me | null) => void = () => undefined;
  const late = queries.fetchQuery({
    queryKey: ['me'],
    queryFn: () => new Promise<Me | null>((resolve) => (answer = resolve)),
  });
  const me = { name: 'Mei Chen' } as Me;
  const taken = takeMe(queries, me);
  answer(null);
  await Promise.allSettled([late, taken]);
  expect(queries.getQueryData(['me'])).toBe(me);
  queries.clear();
});
