/** Buys over real sockets from shops that run in their own processes. */
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { address, card, contact, homeOf } from '#tests/shop-actions.ts';
import type { TestApp } from '#tests/test-app.ts';

export interface Acknowledged {
  orderID: string;
  cookie: string;
}

/** The environment of a shop process that serves a test app’s database. */
export function environment({ env, dataDir }: TestApp): Record<string, string> {
  // Only the demo has the simulator of payments; the database is filled already.
  return {
    DATA_DIR: dataDir,
    DEMO: '1',
    PROXY_HOPS: '1',
    ...(env.databaseUrl ? { DATABASE_URL: env.databaseUrl } : {}),
  };
}

/** The call that pays, and what is sent with it. */
export type Paying = readonly [path: string, body: object];
const byHouse: Paying = ['billing/house', { paymentInstrucment: card(), billingAddress: address }];

/** By Stripe, with a token as its form makes them. */
export const byStripe = (confirmationToken: string): Paying => [
  'stbilling/Stripe',
  { confirmationToken, billingAddress: address },
];

let shoppers = 0;

/** Buys one of a SKU as a new shopper in a network of their own. Null where the shop did not acknowledge it. */
export async function buy(url: string, sku: string, paying: Paying = byHouse): Promise<Acknowledged | null> {
  let cookie = '';
  shoppers += 1;
  const home = homeOf(shoppers % 65_536);
  const post = async (path: string, body: unknown): Promise<Response> => {
    const headers = {
      'content-type': 'application/json',
      [clientTokenHeader]: clientToken,
      'x-forwarded-for': home,
      cookie,
    };
    const answer = await fetch(`${url}${apiBase}shoppingManagement4/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return answer;
  };
  await post(`myCart/${sku}`, { quantity: 1 });
  await post('orderDeliverInfo', { contact, address });
  const paid = await post(...paying);
  if (paid.status !== 200) return null;
  const { orderID } = (await paid.json()) as { orderID: string };
  return { orderID, cookie };
}
