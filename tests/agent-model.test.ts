/**
 * A client that is as a language model is: it knows the tools by their descriptions and the answers by their texts, and nothing else
 * of this shop. What it sends it finds by words; each order succeeds at its first try.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { approveAgent } from './agents.ts';
import { createTestApp, type TestApp } from './test-app.ts';

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Tool {
  name: string;
  description: string;
  inputSchema: Schema;
}

const profile = 'https://model.example/profile';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true });
  await approveAgent(testApp, profile);
});

class Model {
  readonly #tools: Tool[] = [];

  async rpc(method: string, params: object) {
    const answer = await testApp.app.inject({
      method: 'POST',
      url: '/api/ucp/mcp',
      payload: { jsonrpc: '2.0', id: 1, method, params },
    });
    const { result, error } = answer.json();
    if (!result) throw new Error(JSON.stringify(error ?? answer.json()));
    return { result, bytes: answer.body.length };
  }

  async begin(): Promise<string> {
    const { result } = await this.rpc('initialize', { protocolVersion: '2025-11-25' });
    const tools = (await this.rpc('tools/list', {})).result.tools as Tool[];
    this.#tools.push(...tools);
    return result.instructions;
  }

  /** The tool whose description has the words. */
  tool(words: RegExp): Tool {
    const tool = this.#tools.find(({ description }) => words.test(description));
    if (!tool) throw new Error(`No tool says ${words}`);
    return tool;
  }

  async call(words: RegExp, fields: object, id?: string): Promise<string> {
    const tool = this.tool(words);
    const meta = { 'ucp-agent': { profile }, 'idempotency-key': randomUUID() };
    const [argument = ''] = Object.keys(tool.inputSchema.properties ?? {}).filter(
      (name) => name !== 'meta' && name !== 'id',
    );
    const given = { meta, ...(id ? { id } : {}), [argument]: fields };
    const { result } = await this.rpc('tools/call', { name: tool.name, arguments: given });
    return result.content[0].text;
  }

  /** The path of the field whose description has the words, such as `fulfillment.methods.0.note`. */
  field(tool: RegExp, words: RegExp, within = ''): string {
    const find = (schema: Schema, path: string[]): string | null => {
      if (schema.description && words.test(schema.description) && path.join('.').includes(within))
        return path.join('.');
      const inner = Object.entries(schema.properties ?? {}).map(([name, each]) =>
        find(each, [...path, name]),
      );
      const item = schema.items ? [find(schema.items, [...path, '0'])] : [];
      return [...inner, ...item].find((each) => each !== null) ?? null;
    };
    const [argument] = Object.entries(this.tool(tool).inputSchema.properties ?? {}).filter(
      ([name]) => name !== 'meta' && name !== 'id',
    );
    const found = argument && find(argument[1], []);
    if (!found) throw new Error(`No field of ${tool} says ${words}`);
    return found;
  }
}

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  let at: Record<string, unknown> = target;
  for (const [index, name] of names.entries()) {
    if (index === names.length - 1) at[name] = value;
    else {
      at[name] ??= /^\d+$/.test(names[index + 1] ?? '') ? [] : {};
      at = at[name] as Record<string, unknown>;
    }
  }
}

const create = /Start a checkout/;
const complete = /Pay and place the order/;
const person = {
  first_name: 'Ada',
  last_name: 'Bell',
  email: 'ada@example.com',
  phone_number: '+1 416 555 0100',
};

/** What stands behind a word in a text, up to the end of the line. */
const after = (text: string, word: string) =>
  new RegExp(`^\\s*(?:- )?${word}: (.+)$`, 'm').exec(text)?.[1] ?? '';

const pay = (handler: string) => ({
  payment: {
    instruments: [
      {
        handler_id: handler,
        type: 'card',
        selected: true,
        credential: { type: 'token', token: 'house_approve' },
      },
    ],
  },
});

async function placedOrder(done: string) {
  const [, id = ''] = /^order:\s+id: (.+)$/m.exec(done) ?? [];
  const found = await testApp.container.orders.customers.forMail(id, 'en');
  if (!found) throw new Error('No order was placed');
  return found.order;
}

test('a model orders a milk tea with less ice, half sugar and pearls, at 15:40, at the first try', async () => {
  const model = new Model();
  expect(await model.begin()).toContain('smallest unit');
  const found = await model.call(/Search the products/, {
    query: 'milk tea with pearls',
    pagination: { limit: 5 },
  });
  const [, title = '', id = ''] = /^(.*Milk Tea) \(id (.+)\)$/m.exec(found) ?? [];
  const read = await model.call(/Read one product/, { id });
  const choice = (wanted: RegExp) => {
    const names = read.split(/[:,]\s*/).map((each) => each.replace(/\s*\(.*$/s, '').trim());
    return names.find((name) => wanted.test(name)) ?? '';
  };
  const modifiers = [/^less ice/i, /^half sugar/i, /^pearls/i].map(choice);
  const order: Record<string, unknown> = {};
  put(order, model.field(create, /id of a variant/), read.match(/^\s*(\S+): .*\$/m)?.[1] ?? title);
  put(order, 'line_items.0.quantity', 1);
  const modifier = model.field(create, /choice such as/i);
  for (const [index, name] of modifiers.entries())
    put(order, modifier.replace(/modifiers\.0/, `modifiers.${index}`), name);
  put(order, model.field(create, /picked up/, 'methods'), '15:40');
  put(order, 'fulfillment.methods.0.type', 'pickup');
  put(order, 'fulfillment.methods.0.selected_destination_id', 'Toronto – Queen West');
  put(order, 'buyer', person);
  const checkout = await model.call(create, order);
  expect(checkout).not.toMatch(/^error/m);
  expect(checkout, checkout).toMatch(/^status: ready_for_complete$/m);
  const done = await model.call(complete, pay(/house/.exec(checkout)?.[0] ?? 'house'), after(checkout, 'id'));
  expect(after(done, 'status')).toBe('completed');
  const { lineItems, pickupDate, method } = await placedOrder(done);
  expect([lineItems[0]?.productName, method]).toEqual([title, 'pickup']);
  for (const name of ['Less ice', 'Half sugar', 'Pearls']) expect(lineItems[0]?.modifierText).toContain(name);
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'America/Toronto',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  });
  expect(clock.format(pickupDate ?? 0)).toBe('15:40');
});

test('a model sends two teapots to Montréal with a gift note, the cheapest way, at the first try', async () => {
  const model = new Model();
  await model.begin();
  const found = await model.call(/Search the products/, { query: 'tea pot', pagination: { limit: 10 } });
  const [, title = ''] = /^(.*Teapot) \(id .+\)$/m.exec(found) ?? [];
  const order: Record<string, unknown> = { buyer: person };
  put(order, model.field(create, /title of a product/), title);
  put(order, 'line_items.0.quantity', 2);
  put(order, model.field(create, /gift message/), 'For Zoë, with love');
  put(order, 'fulfillment.methods.0.type', 'shipping');
  put(order, 'fulfillment.methods.0.destinations.0', {
    street_address: '1 Place Ville-Marie',
    address_locality: 'Montréal',
    postal_code: 'H3B 2C4',
  });
  put(order, model.field(create, /name such as Canada/, 'destinations'), 'Canada');
  put(order, model.field(create, /name such as Quebec/, 'destinations'), 'Quebec');
  const checkout = await model.call(create, order);
  expect(checkout).not.toMatch(/^error/m);
  expect(after(checkout, 'status')).toBe('ready_for_complete');
  const done = await model.call(complete, pay('house'), after(checkout, 'id'));
  expect(after(done, 'status')).toBe('completed');
  const placed = await placedOrder(done);
  expect(placed.lineItems).toMatchObject([{ productName: title, quantity: 2 }]);
  expect(placed.customerComment).toBe('For Zoë, with love');
  expect(placed.shippingAddress).toMatchObject({ city: 'Montréal', countryISOCode: 'CA' });
  const methods = await testApp.call('shippingMethods', { query: { country: 'CA', province: 'QC' } });
  expect(methods.length).toBeGreaterThan(1);
  expect(placed.shippingMethod).toBe(methods[0]?.id);
});

test('ten products take at most 20 KB by MCP, texts and structure together', async () => {
  const model = new Model();
  await model.begin();
  for (const query of ['milk tea', 'tea', 'cup', 'gift']) {
    const { name } = model.tool(/Search the products/);
    const meta = { 'ucp-agent': { profile } };
    const { result, bytes } = await model.rpc('tools/call', {
      name,
      arguments: { meta, catalog: { query, pagination: { limit: 10 } } },
    });
    expect(result.structuredContent.products.length).toBeGreaterThan(3);
    expect(bytes, query).toBeLessThanOrEqual(20 * 1024);
  }
});
