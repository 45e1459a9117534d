import { expect, test } from 'vitest';
import { parsePostgresUrl } from './url.ts';

test('a URL with several hosts is one URL per host, of which one has to accept writes', () => {
  expect(
    parsePostgresUrl(
      'postgresql://u:p%40ss@h1:5432,[::1]:5433,h3/shop?sslmode=disable&target_session_attrs=read-write',
    ),
  ).toEqual({
    urls: [
      'postgresql://u:p%40ss@h1:5432/shop?sslmode=disable',
      'postgresql://u:p%40ss@[::1]:5433/shop?sslmode=disable',
      'postgresql://u:p%40ss@h3/shop?sslmode=disable',
    ],
    names: ['h1:5432', '[::1]:5433', 'h3'],
    database: 'shop',
    writable: true,
  });
  expect(parsePostgresUrl('postgres://h1,h2/shop')).toMatchObject({ writable: true });
});

test('a URL with one host is left as it is, and its server need not accept writes', () => {
  for (const url of [
    'postgres://shop:secret@db/shop',
    'postgres:///shop?host=/run/postgresql',
    'postgres://db:5433/shop?a=%2Fb',
  ])
    expect(parsePostgresUrl(url)).toMatchObject({ urls: [url], writable: false });
  expect(parsePostgresUrl('postgres://db/shop?target_session_attrs=primary')).toMatchObject({
    urls: ['postgres://db/shop'],
    writable: true,
  });
});

test.each([
  'mysql://db/shop',
  'postgres://h1:5432,h2:nonsense/shop',
  'postgres://h1:5432,h2:70000/shop',
  'postgres://h1,,h2/shop',
  'postgres://h1,h 2/shop',
  'postgres://h1,h2/shop?target_session_attrs=standby',
  'postgres:shop',
])('the URL %s of a database is invalid', (url) => {
  expect(parsePostgresUrl(url)).toBeNull();
});
