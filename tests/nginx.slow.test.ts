/** The nginx of docs/how-to/run-a-shop.md in front of a shop, as printed but for the port; where Debian's nginx is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { apiBase, clientToken, clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
import { freePort } from './free-port.ts';
import { type ShopProcess, startShop } from './processes.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/how-to/run-a-shop.md'), 'utf8');
const [, block = ''] = /^```nginx\n([\s\S]*?)^```$/m.exec(page) ?? [];
const hasNginx = spawnSync('nginx', ['-v']).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'shopwright-nginx-'));
let shop: ShopProcess;
let nginx: ChildProcess;
let url: string;

beforeAll(async () => {
  if (!hasNginx) return;
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  shop = await startShop({ DATA_DIR: join(folder, 'data'), DEMO: '1', DEMO_PAST: '0', PROXY_HOPS: '1' });
  const printed = block.replaceAll('http://127.0.0.1:3000', shop.url);
  expect(printed).not.toBe(block);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${folder}/nginx.pid; error_log stderr;
     events {}
     http { access_log off; ${paths.join(' ')} server { listen 127.0.0.1:${port}; ${printed} } }`,
  );
  nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 10_000 });
}, 60_000);

afterAll(async () => {
  if (hasNginx) {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    await shop.end('SIGTERM');
  }
  rmSync(folder, { recursive: true, force: true });
});

const signedIn = async () => {
  const headers = { [clientTokenHeader]: staffToken };
  const answer = await fetch(`${url}${staffBase}sign-in/demo/demo-mei`, { method: 'POST', headers });
  return { ...headers, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
};

it.runIf(hasNginx)(
  'a file of the largest size that the office takes gets through nginx, and a larger one is refused',
  async () => {
    const headers = await signedIn();
    /** nginx answers before it has read what is too large. */
    const upload = (megabytes: number) =>
      new Promise<number>((resolve, reject) => {
        const request = http.request(`${url}${staffBase}imports?name=goods.csv`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'text/csv', 'content-length': megabytes * 1024 * 1024 },
        });
        request.once('response', (response) => resolve(response.resume().statusCode ?? 0));
        request.on('error', reject);
        request.end(Buffer.alloc(megabytes * 1024 * 1024, 'a,b\n'));
      });
    // The shop has read it, and says what is wrong with it.
    expect(await upload(49)).toBe(400);
    expect(await upload(66)).toBe(413);
  },
);

it.runIf(hasNginx)('a change reaches the open office through nginx at once', async () => {
  const headers = await signedIn();
  const ending = new AbortController();
  const feed = await fetch(`${url}${staffBase}feed`, {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: ending.signal,
  });
  expect(feed.headers.get('content-type')).toBe('text/event-stream');
  const heard = (async () => {
    let text = '';
    for await (const part of feed.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.includes('"lowStockThreshold"')) return;
    }
  })();
  const changed = await fetch(`${url}${staffBase}stock-low`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ units: 7 }),
  });
  expect(changed.status).toBe(200);
  await heard;
  ending.abort();
});

it.runIf(hasNginx)(
  'the shop counts shoppers behind nginx by their own addresses, and not by what they add to the header',
  async () => {
    const ask = (forwarded: string) =>
      fetch(`${url}${apiBase}common3/signon`, {
        method: 'POST',
        headers: {
          [clientTokenHeader]: clientToken,
          'content-type': 'application/json',
          'x-forwarded-for': forwarded,
        },
        body: JSON.stringify({ userID: 'nobody@shop.example', password: 'wrong words' }),
      }).then(({ status }) => status);
    const statuses: number[] = [];
    for (let tried = 0; tried < 30; tried++) statuses.push(await ask(`203.0.113.${tried}`));
    expect(statuses).toContain(429);
  },
);
