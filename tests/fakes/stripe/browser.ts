/**
 * Stripe's side of a browser test: the replacement files in page/ answer for its script and frames, and the HTTP fake for its
 * API.
 */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { BrowserContext, Route } from '@playwright/test';
import type { StripeFake } from './server.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
};

/** May be changed at any time. */
export interface StripeBrowser {
  /** False: Stripe's script is blocked, as content blockers do. */
  script: boolean;
  /** The requests to Stripe's hosts so far. */
  asked: string[];
}

export async function answerAsStripe(
  context: BrowserContext,
  fake: StripeFake,
  browser: StripeBrowser,
): Promise<void> {
  const note = (route: Route) => browser.asked.push(route.request().url().split('?', 1)[0] ?? '');

  await context.route('https://js.stripe.com/**', async (route) => {
    note(route);
    if (!browser.script) return route.abort('blockedbyclient');
    const { pathname } = new URL(route.request().url());
    return sendFile(route, pathname.endsWith('/stripe.js') ? 'stripe.js' : pathname.slice(1));
  });

  await context.route('https://api.stripe.com/**', async (route) => {
    note(route);
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const answer = await fetch(`${fake.url}${pathname}${search}`, {
      method: request.method(),
      headers: { 'content-type': request.headers()['content-type'] ?? '' },
      ...(request.method() === 'GET' ? {} : { body: request.postData() ?? '' }),
    }).catch(() => null);
    if (!answer) return route.abort('connectionfailed');
    return route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    });
  });

  await context.route('https://hooks.stripe.com/**', async (route) => {
    note(route);
    const { pathname, searchParams } = new URL(route.request().url());
    const id = /^\/redirect\/(\w+)$/.exec(pathname)?.[1];
    if (!id) return sendFile(route, pathname.split('/').at(-1) ?? '');
    const agrees = searchParams.get('agrees');
    if (agrees === null) return sendFile(route, 'redirect.html');
    const { next_action, client_secret } = fake.account.intent(id);
    const back = new URL(next_action?.redirect_to_url?.return_url ?? '');
    await fake.answer(id, agrees === 'true');
    back.searchParams.set('payment_intent', id);
    back.searchParams.set('payment_intent_client_secret', client_secret ?? '');
    back.searchParams.set('redirect_status', agrees === 'true' ? 'succeeded' : 'failed');
    return route.fulfill({ status: 302, headers: { location: back.href } });
  });
}

async function sendFile(route: Route, name: string): Promise<void> {
  const body = await readFile(join(import.meta.dirname, 'page', name), 'utf8');
  await route.fulfill({ contentType: types[extname(name)] ?? 'text/plain', body });
}
