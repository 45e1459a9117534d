import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import { type CartCalls, CartStore } from './cart-store.ts';

function lineOf(sku: string, quantity: number): LineItem {
  return { id: sku, sku, itemName: sku, quantity, unitPrice: 1000, lineTotal: 1000 * quantity } as LineItem;
}

/** A shop whose answers arrive when the test decides, in any order. */
class SlowShop implements CartCalls {
  orderID: string | null = 'cart-1';
  version = 1;
  lines = new Map<string, number>();
  asked: string[] = [];
  private waiting: (() => void)[] = [];
  private failNext: unknown;

  order(): Order {
    const lineItems = [...this.lines].map(([sku, quantity]) => lineOf(sku, quantity));
    return { orderID: this.orderID, version: this.version, lineItems } as unknown as Order;
  }

  /** The change happens when the call is made; its answer is held back until `answer()`. */
  private call(name: string, change: () => void): Promise<Order> {
    this.asked.push(name);
    const failure = this.failNext;
    this.failNext = undefined;
    if (!failure) change();
    const answer = this.order();
    return new Promise((resolve, reject) =>
      this.waiting.push(() => (failure ? reject(failure) : resolve(answer))),
    );
  }

  read = () => this.call('read', () => undefined);
  add = ({ sku, quantity }: { sku: string; quantity: number }) =>
    this.call(`add ${sku}`, () => {
      this.version += 1;
      this.lines.set(sku, (this.lines.get(sku) ?? 0) + quantity);
    });
  setQuantity = (sku: string, quantity: number) =>
    this.call(`set ${sku} ${quantity}`, () => {
      this.version += 1;
      this.lines.set(sku, quantity);
    });
  remove = (sku: string) =>
    this.call(`remove ${sku}`, () => {
      this.version += 1;
      this.lines.delete(sku);
    });
  comment = (value: string) =>
    this.call(`comment ${value}`, () => {
      this.version += 1;
    });

  refuseNext(cause: unknown) {
    this.failNext = cause;
  }

  /** Delivers the answer number `index` of those that are pending. */
  async answer(index = 0) {
    this.waiting.splice(index, 1)[0]?.();
    await settle();
  }

  /** Delivers all answers, in order, until no call is pending. */
  async answerAll() {
    await settle();
    while (this.waiting.length > 0) await this.answer();
  }
}

async function settle() {
  await vi.advanceTimersByTimeAsync(0);
}

async function open(lines: Record<string, number>) {
  const shop = new SlowShop();
  shop.lines = new Map(Object.entries(lines));
  const screens: Order[] = [];
  const cartStore = new CartStore({ calls: shop, show: (order) => screens.push(order), restMs: 300 });
  const reading = cartStore.read();
  await shop.answer();
  await reading;
  shop.asked = [];
  const seen = () =>
    Object.fromEntries((screens.at(-1)?.lineItems ?? []).map((line) => [line.sku, line.quantity]));
  return { shop, cartStore, screens, seen };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('quantity changes', () => {
  it('a new quantity shows at once and is sent when the stepper rests, as the last choice only', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    void cartStore.setQuantity('mug', 2);
    void cartStore.setQuantity('mug', 3);
    const done = cartStore.setQuantity('mug', 4);
    expect(seen()).toEqual({ mug: 4 });
    expect(shop.asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(300);
    await shop.answerAll();
    await done;
    expect(shop.asked).toEqual(['set mug 4']);
    expect(seen()).toEqual({ mug: 4 });
    expect(cartStore.pending).toBe(false);
  });

  it('a quantity chosen while an earlier one is being sent is kept', async () => {
    const { shop, cartStore, seen, screens } = await open({ mug: 1 });
    void cartStore.setQuantity('mug', 2);
    await vi.advanceTimersByTimeAsync(300);
    void cartStore.setQuantity('mug', 5);
    await shop.answer();
    expect(seen()).toEqual({ mug: 5 });
    await vi.advanceTimersByTimeAsync(300);
    await shop.answerAll();
    expect(shop.asked).toEqual(['set mug 2', 'set mug 5']);
    expect(screens.map((order) => order.lineItems[0]?.quantity)).not.toContain(undefined);
    expect(seen()).toEqual({ mug: 5 });
  });

  it('a quantity returns to its old value when the shop rejects the change', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    shop.refuseNext(new Error('only 3 left'));
    const done = cartStore.setQuantity('mug', 9);
    await vi.advanceTimersByTimeAsync(300);
    await shop.answerAll();
    await expect(done).rejects.toThrow('only 3 left');
    expect(seen()).toEqual({ mug: 1 });
  });

  it('a rejected quantity stays on screen while a newer choice is unanswered', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    shop.refuseNext(new Error('only 3 left'));
    const first = cartStore.setQuantity('mug', 9);
    await vi.advanceTimersByTimeAsync(300);
    const second = cartStore.setQuantity('mug', 3);
    await shop.answer();
    expect(seen()).toEqual({ mug: 3 });
    await vi.advanceTimersByTimeAsync(300);
    await shop.answerAll();
    await expect(Promise.all([first, second])).resolves.toBeDefined();
    expect(seen()).toEqual({ mug: 3 });
  });
});

describe('removed lines', () => {
  it('a removed line is not brought back by the late answer to a change of its quantity', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1, pot: 1 });
    void cartStore.setQuantity('mug', 2);
    await vi.advanceTimersByTimeAsync(300);
    void cartStore.remove('mug');
    expect(seen()).toEqual({ pot: 1 });
    await shop.answer();
    expect(seen()).toEqual({ pot: 1 });
    await shop.answerAll();
    expect(shop.asked).toEqual(['set mug 2', 'remove mug']);
    expect(seen()).toEqual({ pot: 1 });
  });

  it('a removed line is not brought back by a cart that was requested before the removal', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1, pot: 1 });
    const reading = cartStore.read();
    const removal = cartStore.remove('mug');
    await settle();
    await shop.answer(1);
    await removal;
    expect(seen()).toEqual({ pot: 1 });
    await shop.answer();
    expect((await reading).lineItems.map((line) => line.sku)).toEqual(['pot']);
    expect(seen()).toEqual({ pot: 1 });
  });

  it('a removed line is not brought back by overlapping removals and changes of other lines', async () => {
    const { shop, cartStore, screens, seen } = await open({ a: 1, b: 1, c: 1, d: 1 });
    void cartStore.remove('a');
    void cartStore.setQuantity('d', 7);
    void cartStore.remove('b');
    void cartStore.remove('c');
    const from = screens.length;
    await vi.advanceTimersByTimeAsync(300);
    await shop.answerAll();
    for (const order of screens.slice(from)) expect(order.lineItems.map((line) => line.sku)).toEqual(['d']);
    expect(seen()).toEqual({ d: 7 });
    expect(Object.fromEntries(shop.lines)).toEqual({ d: 7 });
  });

  it('a removal discards a quantity of the line that has not been sent', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    void cartStore.setQuantity('mug', 4);
    void cartStore.remove('mug');
    await vi.advanceTimersByTimeAsync(1000);
    await shop.answerAll();
    expect(shop.asked).toEqual(['remove mug']);
    expect(seen()).toEqual({});
  });

  it('a removed line returns to its place when the shop rejects the removal', async () => {
    const { shop, cartStore, screens } = await open({ a: 1, b: 1, c: 1 });
    shop.refuseNext(new Error('offline'));
    const removal = cartStore.remove('b');
    await shop.answerAll();
    await expect(removal).rejects.toThrow('offline');
    expect(screens.at(-1)?.lineItems.map((line) => line.sku)).toEqual(['a', 'b', 'c']);
  });

  it('a removed line can be put back after the removal was sent', async () => {
    const { shop, cartStore, seen } = await open({ mug: 3 });
    void cartStore.remove('mug');
    const back = cartStore.add({
      sku: 'mug',
      product: 'mug',
      productName: 'Mug',
      optionPairs: '',
      quantity: 3,
    });
    await shop.answerAll();
    await back;
    expect(shop.asked).toEqual(['remove mug', 'add mug']);
    expect(seen()).toEqual({ mug: 3 });
  });
});

describe('adding to the cart', () => {
  it('an added item is sent after a quantity that was still resting, so neither is lost', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    void cartStore.setQuantity('mug', 5);
    void cartStore.add({ sku: 'mug', product: 'mug', productName: 'Mug', optionPairs: '', quantity: 1 });
    await vi.advanceTimersByTimeAsync(1000);
    await shop.answerAll();
    expect(shop.asked).toEqual(['set mug 5', 'add mug']);
    expect(seen()).toEqual({ mug: 6 });
  });

  it('a rejected item is reported to its caller, and the next change goes on', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    shop.refuseNext(new Error('sold out'));
    const adding = cartStore.add({
      sku: 'pot',
      product: 'pot',
      productName: 'Pot',
      optionPairs: '',
      quantity: 1,
    });
    const removal = cartStore.remove('mug');
    const refused = expect(adding).rejects.toThrow('sold out');
    await shop.answerAll();
    await refused;
    await removal;
    expect(seen()).toEqual({});
  });
});

describe('answers to the cart', () => {
  it('an answer with a lower cart version is ignored, whoever asked', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    const early = cartStore.read();
    const adding = cartStore.add({
      sku: 'pot',
      product: 'pot',
      productName: 'Pot',
      optionPairs: '',
      quantity: 1,
    });
    await settle();
    await shop.answer(1);
    await adding;
    await shop.answer(0);
    expect((await early).lineItems).toHaveLength(2);
    expect(seen()).toEqual({ mug: 1, pot: 1 });
  });

  it('an answer about a placed order is ignored, and the next cart is taken', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    const late = cartStore.read();
    cartStore.reset('cart-1');
    shop.orderID = null;
    shop.version = 0;
    shop.lines.clear();
    const fresh = cartStore.read();
    await settle();
    await shop.answer(1);
    await fresh;
    await shop.answer(0);
    await late;
    expect(seen()).toEqual({});
  });

  it('an answer from before the session changed hands is ignored, even about the same cart', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    const late = cartStore.read();
    cartStore.forget();
    shop.lines.set('pot', 1);
    const fresh = cartStore.read();
    await settle();
    await shop.answer(1);
    await fresh;
    await shop.answer(0);
    await late;
    expect(seen()).toEqual({ mug: 1, pot: 1 });
  });

  it('an answer about another cart counts if it was requested after the current cart arrived', async () => {
    const { shop, cartStore, seen } = await open({ mug: 1 });
    shop.orderID = 'cart-2';
    shop.version = 0;
    shop.lines = new Map([['pot', 2]]);
    const reading = cartStore.read();
    await shop.answer();
    await reading;
    expect(seen()).toEqual({ pot: 2 });
  });

  it('the first item of a new visitor stays in the cart if the empty cart arrives while it is being added', async () => {
    const shop = new SlowShop();
    shop.orderID = null;
    const screens: Order[] = [];
    const cartStore = new CartStore({ calls: shop, show: (order) => screens.push(order) });
    const reading = cartStore.read();
    shop.orderID = 'cart-1';
    const adding = cartStore.add({
      sku: 'mug',
      product: 'mug',
      productName: 'Mug',
      optionPairs: '',
      quantity: 1,
    });
    await settle();
    await shop.answerAll();
    await Promise.all([reading, adding]);
    expect(screens.at(-1)?.lineItems).toHaveLength(1);
    expect(cartStore.shown()?.orderID).toBe('cart-1');
  });
});

it('changes apply to the cart of the server’s page before anything was requested', async () => {
  const shop = new SlowShop();
  shop.lines = new Map([['mug', 1]]);
  const screens: Order[] = [];
  const cartStore = new CartStore(
    { calls: shop, show: (order) => screens.push(order), restMs: 300 },
    shop.order(),
  );
  const done = cartStore.setQuantity('mug', 3);
  expect(screens.at(-1)?.lineItems).toMatchObject([{ sku: 'mug', quantity: 3 }]);
  await vi.advanceTimersByTimeAsync(300);
  await shop.answerAll();
  await done;
  expect(shop.asked).toEqual(['set mug 3']);
  const reading = cartStore.read();
  await shop.answerAll();
  expect((await reading).version).toBe(2);
});

it('the cart store settles once every resting change has been sent', async () => {
  const { shop, cartStore } = await open({ mug: 1 });
  void cartStore.setQuantity('mug', 2);
  const settled = cartStore.settled();
  await shop.answerAll();
  await settled;
  expect(shop.asked).toEqual(['set mug 2']);
  expect(cartStore.pending).toBe(false);
});
