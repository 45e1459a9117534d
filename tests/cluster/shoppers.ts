/** Shoppers who buy and look around until they are told to stop, and note every answer. */
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import en from '#contract/messages/en.json' with { type: 'json' };
import zh from '#contract/messages/zh.json' with { type: 'json' };
import { address, contact } from '#tests/shop-actions.ts';

export interface Sale {
  orderID: string;
  /** The buyer, who buys once. */
  email: string;
  /** By `performance.now()`, when the shop acknowledged it. */
  at: number;
}

export interface Load {
  /** Acknowledged orders, the oldest first. */
  sales: Sale[];
  /** Answers by kind, such as `pay 200` or `page 503`. */
  answers: Map<string, number>;
  /** Answers that no shopper may get, in words. */
  wrong: string[];
  stop(): Promise<void>;
}

type Language = keyof typeof messages;
const messages = { en, zh };

/** How often a buyer repeats a call that the shop could not take, once a second. */
const mostTries = 60;
const second = 1000;
const patienceMs = 45_000;

export interface LoadOptions {
  url: string;
  buyers: number;
  readers: number;
  skus: readonly string[];
  /** Pages to look at, such as `/zh/products/teaware`. */
  pages: readonly string[];
  /** Makes what the browser sends to pay with a good card. */
  token(): string;
}

export function startLoad({ url, buyers, readers, skus, pages, token }: LoadOptions): Load {
  const sales: Sale[] = [];
  const answers = new Map<string, number>();
  const wrong: string[] = [];
  let stopped = false;
  let buyer = 0;

  const count = (kind: string) => answers.set(kind, (answers.get(kind) ?? 0) + 1);

  /** Notes an answer, and complains of one that is neither an answer nor a clear "please try again". */
  async function note(kind: string, answer: Response, language: Language): Promise<string> {
    const body = await answer.text();
    count(`${kind} ${answer.status}`);
    if (answer.status === 503) {
      const says = (key: keyof typeof en & keyof typeof zh) => body.includes(messages[language][key]);
      // Of a payment whose outcome is open the shop says not to pay again, and finds out by itself.
      const clear = says(kind === 'page' ? 'shell.error.text' : 'error.unavailable') && answer.headers.has('retry-after');
      if (!clear && !(kind === 'pay' && says('payment.undecided'))) wrong.push(`${kind} 503: ${textOf(body)}`);
    } else if (answer.status >= 500) wrong.push(`${kind} ${answer.status}: ${textOf(body)}`);
    return body;
  }

  async function buy(): Promise<void> {
    buyer += 1;
    const email = `buyer-${buyer}@example.com`;
    const language: Language = buyer % 2 === 0 ? 'en' : 'zh';
    let cookie = '';
    const post = async (kind: string, path: string, body: () => unknown): Promise<string | null> => {
      for (let tries = 0; tries < mostTries && !stopped; tries++) {
        const headers = { 'content-type': 'application/json', [clientTokenHeader]: clientToken, cookie };
        const call = { method: 'POST', headers, body: JSON.stringify(body()), signal: AbortSignal.timeout(patienceMs) };
        const answer = await fetch(`${url}${apiBase}shoppingManagement4/${path}?lang=${language}`, call).catch(() => null);
        if (answer) {
          cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
          const text = await note(kind, answer, language).catch(() => null);
          if (answer.status !== 503) return answer.ok ? text : null;
        } else count(`${kind} broken`);
        await pause(second);
      }
      return null;
    };
    const sku = skus[buyer % skus.length] ?? '';
    if ((await post('cart', `myCart/${sku}`, () => ({ quantity: 1 }))) === null) return;
    if ((await post('checkout', 'orderDeliverInfo', () => ({ contact: { ...contact, email }, address }))) === null) return;
    // After a lost answer the browser makes a new token, so only the shop can know that it charged already.
    const paid = await post('pay', 'stbilling/Stripe', () => ({ confirmationToken: token(), billingAddress: address }));
    const { orderID } = JSON.parse(paid ?? '{}') as { orderID?: string };
    if (orderID) sales.push({ orderID, email, at: performance.now() });
  }

  async function read(start: number): Promise<void> {
    const path = pages[start % pages.length] ?? '/';
    const call = { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(patienceMs) };
    const answer = await fetch(url + path, call).catch(() => null);
    if (!answer) count('page broken');
    else await note('page', answer, path.startsWith('/zh') ? 'zh' : 'en').catch(() => count('page broken'));
    await pause(second / 4);
  }

  async function repeat(work: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !stopped; round++) await work(round);
  }

  const all = [
    ...Array.from({ length: buyers }, () => repeat(() => buy())),
    ...Array.from({ length: readers }, (_, index) => repeat((round) => read(round + index))),
  ];
  return {
    sales,
    answers,
    wrong,
    async stop() {
      stopped = true;
      await Promise.all(all);
    },
  };
}

/** The beginning of what a reader sees. */
function textOf(body: string): string {
  return body
    .replace(/<style.*?<\/style>|<[^>]+>/gs, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
