import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { finishPage, styleHashes } from './renderer.ts';

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

test('every distinct style attribute is named by the hash of its text', () => {
  const html =
    '<i style="color:red"></i><b style="color:red"></b><u style="background:url(&quot;a&amp;b&quot;)"></u>';
  expect(styleHashes(html)).toEqual([sha256('color:red'), sha256('background:url("a&b")')]);
});

test('a text that looks like a style attribute allows nothing', () => {
  expect(styleHashes('<p>&lt;i style=&quot;color:red&quot;&gt;</p>')).toEqual([]);
});

test('the markup of the build goes to the end of the head, the state to the end of the body', () => {
  const html = '<!doctype html><html><head><title>a</title></head><body><p>&lt;/body&gt;</p></body></html>';
  const page = finishPage(
    {
      status: 200,
      locale: 'en',
      personal: false,
      messages: null,
      unlisted: false,
      html,
      state: '<script id="state"></script>',
      earlyCalls: [],
      routeIds: [],
    },
    { markup: () => '<script src="/a.js"></script>', scriptHashes: ['sha256-abc='] },
  );
  expect(page).toMatchObject({
    status: 200,
    scriptHashes: ['sha256-abc='],
    html:
      '<!doctype html><html><head><title>a</title><script src="/a.js"></script></head>' +
      '<body><p>&lt;/body&gt;</p><script id="state"></script></body></html>',
  });
});

test('the payment page is recognized by its route, however its address is written', () => {
  const of = (routeIds: string[]) =>
    finishPage(
      {
        status: 200,
        locale: 'zh',
        personal: true,
        messages: 'own',
        unlisted: false,
        html: '<head></head></body>',
        state: '',
        earlyCalls: [],
        routeIds,
      },
      { markup: () => '' },
    );
  expect(of(['__root__', '/payment'])).toMatchObject({ takesPayment: true });
  expect(of(['__root__', '/checkout'])).toMatchObject({ takesPayment: false });
});
