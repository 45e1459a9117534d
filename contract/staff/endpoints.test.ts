import { expect, test } from 'vitest';
import type { StaffEndpoint } from './endpoint.ts';
import { staffEndpoints } from './endpoints.ts';

test('a query of every call takes the language, which the office names with each call', () => {
  const lacking = Object.entries<StaffEndpoint>(staffEndpoints).filter(
    ([, { query }]) =>
      query !== undefined && !('properties' in query && Object.hasOwn(query.properties as object, 'lang')),
  );
  expect(lacking.map(([name]) => name)).toEqual([]);
});
