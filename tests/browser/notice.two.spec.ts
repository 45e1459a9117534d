/** The licences of what the browser is sent. */
import { expect, once, quick, test } from './fixtures.ts';

test('the build serves a notice with the licences of the packages in it', { tag: [once, quick] }, async ({
  baseURL,
}) => {
  const answer = await fetch(new URL('/NOTICE.txt', baseURL));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const text = await answer.text();
  // Code, a library that is loaded later, a stylesheet that another one imports, and a font.
  for (const name of ['react-dom', 'leaflet', 'tailwindcss', '@fontsource-variable/fraunces'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\nLicence: `, 'm'));
  expect(text).toContain('SIL OPEN FONT LICENSE');
});
