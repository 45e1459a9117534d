/** Orders with emailed links, for tests. */
import { mailsFor } from './accounts.ts';
import { add, address, contact, deliver, finish } from './shop-actions.ts';
import type { Shopper, TestApp } from './test-app.ts';

/** A buyer whose every detail is recognisable in a text that should not contain it. */
export const privateContact = { firstName: 'Quentin', lastName: 'Zaremba', phoneNumber: '+1 519-555-0187' };
export const privateAddress = {
  ...address,
  streetNumberAndNameDetails: '77 Secluded Crescent',
  postCode: 'N2L 7X9',
};
export const privateNote = 'Leave it with the porter';

export interface LinkedOrder {
  session: Shopper;
  id: string;
  number: string;
  email: string;
}

let placed = 0;

export interface OrderOptions {
  how: 'reserve' | 'payPickup' | 'ship';
  sku: string;
  store: string;
  /** Epoch ms; null for no time. */
  pickupAt: number | null;
  lang?: 'en' | 'zh';
}

/** Places an order of a guest with a note, and an email address of its own. */
export async function placeLinkedOrder(testApp: TestApp, options: OrderOptions): Promise<LinkedOrder> {
  const { how, sku, store, pickupAt, lang = 'en' } = options;
  placed += 1;
  const email = `quentin.${placed}@private.example`;
  const who = { ...contact, ...privateContact, email };
  const session = testApp.shopper(`198.51.100.${placed % 250}`);
  await add(testApp, session, sku, 2);
  if (how === 'ship')
    await deliver(testApp, session, { contact: who, address: privateAddress, shippingContact: who });
  else {
    const query = { methodName: 'pickup', localStoreName: store };
    await testApp.call('orderContactInfo', { session, query, body: { contact: who } });
    if (pickupAt !== null) await testApp.call('orderPickupDate', { session, body: { pickupDate: pickupAt } });
  }
  await testApp.call('updateCustomerComment', { session, body: { value: privateNote } });
  const order = await finish(testApp, session, {
    how: how === 'reserve' ? how : 'pay',
    lang,
    billingAddress: privateAddress,
  });
  return { session, ...order, email };
}

/** The tokens of the links in the emails to an address, optionally of one kind of email. */
export async function emailedTokens(testApp: TestApp, email: string, kind = ''): Promise<string[]> {
  const mails = await mailsFor(testApp, email, kind);
  return mails.flatMap(({ html }) => /\/order\/([\w-]{43})"/.exec(html)?.[1] ?? []);
}

/** The token of an email to an address. @throws {Error} if none has one */
export async function tokenFor(testApp: TestApp, email: string): Promise<string> {
  const token = (await emailedTokens(testApp, email)).at(-1);
  if (token === undefined) throw new Error('The email carries no link to the order');
  return token;
}
