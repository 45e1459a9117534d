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

export function startLoad(options: LoadOptions): Load {
  return new Shoppers(options);
}

class Shoppers implements Load {
  readonly sales: Sale[] = [];
  readonly answers = new Map<string, number>();
  readonly wrong: string[] = [];
  readonly #options: LoadOptions;
  readonly #all: Promise<void>[];
  #stopped = false;
  #buyer = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#all = [
      ...Array.from({ length: options.buyers }, () => this.#repeat(() => this.#buy())),
      ...Array.from({ length: options.readers }, (_, index) =>
        this.#repeat((round) => this.#read(round + index)),
      ),
    ];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#all);
  }

  async #repeat(work: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !this.#stopped; round++) await work(round);
  }

  #count(kind: string): void {
    this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
  }

  async #buy(): Promise<void> {
    const { skus, token } = this.#options;
    this.#buyer += 1;
    const email = `buyer-${this.#buyer}@example.com`;
    const post = this.#browser(this.#buyer % 2 === 0 ? 'en' : 'zh', networkOf(this.#buyer));
    const sku = skus[this.#buyer % skus.length] ?? '';
    if ((await post('cart', `myCart/${sku}`, () => ({ quantity: 1 }))) === null) return;
    if (
      (await post('checkout', 'orderDeliverInfo', () => ({ contact: { ...contact, email }, address }))) ===
      null
    )
      return;
    // After a lost answer the browser makes a new token, so only the shop can know that it charged already.
    const paid = await post('pay', 'stbilling/Stripe', () => ({
      confirmationToken: token(),
      billingAddress: address,
    }));
    const { orderID } = JSON.parse(paid ?? '{}') as { orderID?: string };
    if (orderID) this.sales.push({ orderID, email, at: performance.now() });
  }

  /** Returns a function that posts with one cookie, again and again until the shop takes the call; null if it was refused. */
  #browser(language: Language, network: string) {
    const { url } = this.#options;
    let cookie = '';
    return async (kind: string, path: string, body: () => unknown): Promise<string | null> => {
      for (let tries = 0; tries < mostTries && !this.#stopped; tries++) {
        const headers = {
          'content-type': 'application/json',
          [clientTokenHeader]: clientToken,
          'x-forwarded-for': network,
          cookie,
        };
        const call = {
          method: 'POST',
          headers,
          body: JSON.stringify(body()),
          signal: AbortSignal.timeout(patienceMs),
        };
        const answer = await fetch(
          `${url}${apiBase}shoppingManagement4/${path}?lang=${language}`,
          call,
        ).catch(() => null);
        if (answer) {
          cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
          const text = await this.#note(kind, answer, language).catch(() => null);
          if (answer.status !== 503) return answer.ok ? text : null;
        } else this.#count(`${kind} broken`);
        await pause(second);
      }
      return null;
    };
  }

  async #read(start: number): Promise<void> {
    const { url, pages } = this.#options;
    const path = pages[start % pages.length] ?? '/';
    const call = { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(patienceMs) };
    const answer = await fetch(url + path, call).catch(() => null);
    if (!answer) this.#count('page broken');
    else
      await this.#note('page', answer, path.startsWith('/zh') ? 'zh' : 'en').catch(() =>
        this.#count('page broken'),
      );
    await pause(second / 4);
  }

  /** Notes an answer, and complains of one that is neither an answer nor a clear "please try again". */
  async #note(kind: string, answer: Response, language: Language): Promise<string> {
    const body = await answer.text();
    this.#count(`${kind} ${answer.status}`);
    if (answer.status === 503) {
      const says = (key: keyof typeof en & keyof typeof zh) => body.includes(messages[language][key]);
      // Of a payment whose outcome is open the shop says not to pay again, and finds out by itself.
      const clear =
        says(kind === 'page' ? 'shell.error.text' : 'error.unavailable') && answer.headers.has('retry-after');
      if (!clear && !(kind === 'pay' && says('payment.undecided')))
        this.wrong.push(`${kind} 503: ${textOf(body)}`);
    } else if (answer.status >= 500) this.wrong.push(`${kind} ${answer.status}: ${textOf(body)}`);
    return body;
  }
}

/** Each buyer has a network, since the shop limits how many carts one network creates. */
function networkOf(buyer: number): string {
  return `10.${(buyer >> 16) & 255}.${(buyer >> 8) & 255}.${buyer & 255}`;
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
