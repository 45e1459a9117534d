/**
 * What decides money or delivery is missing at a door: no order is placed without it, and nothing is saved. Which fields those are,
 * server/http/missing-values.test.ts reads from the schemas.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ModifierGroupInput } from '#contract/schemas/modifier-input.ts';
import { StoreInput } from '#contract/schemas/store.ts';
import type { StaffEndpointName } from '#contract/staff/endpoints.ts';
import { groupProblems } from '#server/modules/catalogue/modifiers/modifier-group-input.ts';
import { ProductInput, productProblems } from '#server/modules/catalogue/products/product-input.ts';
import { ShopSettings } from '#server/modules/settings/index.ts';
import { settingsProblems } from '#server/modules/settings/settings.service.ts';
import { storeProblems } from '#server/modules/stores/store.ts';
import type { SchemaNode } from '#server/platform/schema-problems.ts';
import { type Agent, approveAgent, buyer, destination, lines, pays } from './agents.ts';
import { plainGroup, plainModifier } from './modifiers.ts';
import { plainProduct, plainValue, sellProduct } from './products.ts';
import { leavesOf } from './schema-leaves.ts';
import { address, card, contact } from './shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from './staff.ts';
import { createTestApp, type Shopper, type TestApp } from './test-app.ts';

type Fields = Readonly<Record<string, unknown>>;
const ways = { absent: undefined, null: null, empty: '', blank: '  ' } as const;
type Way = keyof typeof ways;

const without = (fields: Fields, field: string, way: Way): Fields => ({ ...fields, [field]: ways[way] });
const sku = 'MISSING-1';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const { settings } = testApp.services;
  const { checkoutConfig } = await settings.all();
  await settings.update({
    agents: 'all',
    checkoutConfig: { ...checkoutConfig, requireMobile: true, requireEmail: true },
  });
  await sellProduct(testApp, sku, { units: 5000 });
});

const placed = async () => {
  const rows = await testApp.db.read
    .selectFrom('orders')
    .select('id')
    .where('placed_at', 'is not', null)
    .execute();
  return rows.length;
};

describe('a parcel', () => {
  let shoppers = 0;
  const shop = async (of: { contact?: Fields; address?: Fields }) => {
    shoppers += 1;
    const session = testApp.shopper(`198.51.${shoppers >> 8}.${shoppers & 255}`);
    await testApp.call('addToCart', { session, params: { itemName: sku }, body: { quantity: 1 } });
    await testApp.ask('orderDeliverInfo', { session, body: { contact, address, ...of } });
    await testApp.ask('postBilling', {
      session,
      params: { gatewayName: '{host}' },
      body: { paymentInstrucment: card(), billingAddress: address },
    });
  };
  let agent: Agent;
  const checkout = ({
    contact: who = buyer,
    address: where = destination,
  }: {
    contact?: Fields;
    address?: Fields;
  }) => ({
    ...lines([sku, 1]),
    buyer: who,
    fulfillment: {
      methods: [{ type: 'shipping', destinations: [{ ...where }], selected_destination_id: 'home' }],
    },
  });
  const rest = async (of: { contact?: Fields; address?: Fields }) => {
    const { body } = await agent.ask('POST', '/checkout-sessions', checkout(of));
    await agent.ask('POST', `/checkout-sessions/${body.id}/complete`, pays());
  };
  const mcp = async (of: { contact?: Fields; address?: Fields }) => {
    const { result } = await agent.tool('create_checkout', { checkout: checkout(of) });
    await agent.tool('complete_checkout', { id: result?.structuredContent.id ?? '', checkout: pays() });
  };
  beforeAll(async () => {
    agent = await approveAgent(testApp);
  });

  // Apart from a second line, which many addresses lack, and from the id, by which a request names its own address.
  const ofShop = { contact: Object.keys(contact), address: Object.keys(address) };
  const ofAgents = {
    contact: Object.keys(buyer),
    address: Object.keys(destination).filter((field) => field !== 'id'),
  };
  const doors = {
    'the shop': [shop, { contact, address }, ofShop],
    REST: [rest, undefined, ofAgents],
    MCP: [mcp, undefined, ofAgents],
  } as const;

  it.each(Object.keys(doors) as (keyof typeof doors)[])(
    'a parcel is ordered by %s with everything, and not without a field that it needs',
    async (door) => {
      const [order, , fields] = doors[door];
      const whole: Record<'contact' | 'address', Fields> =
        door === 'the shop' ? { contact, address } : { contact: buyer, address: destination };
      const before = await placed();
      await order({});
      expect(await placed(), 'with everything').toBe(before + 1);
      for (const part of ['contact', 'address'] as const)
        for (const field of fields[part])
          for (const way of Object.keys(ways) as Way[]) {
            await order({ [part]: without(whole[part], field, way) });
            expect([part, field, way, await placed()]).toEqual([part, field, way, before + 1]);
            // One agent, or one address, may only try so much.
            testApp.clock.advance(60_000);
          }
    },
  );
});

describe('the office', () => {
  let owner: Shopper;
  beforeAll(async () => {
    owner = await joinStaff(testApp, 'owner@missing.example');
    await secureStaff(testApp, owner);
  });

  const names = { id: 'nameless', phone: '+1 416 555 0100', email: 'a@missing.example' };
  interface NamedCall {
    name: StaffEndpointName;
    body: object;
    params?: Record<string, string>;
  }
  const calls: NamedCall[] = [
    { name: 'addStore', body: names },
    { name: 'addProduct', body: { id: names.id, like: null } },
    { name: 'addModifierGroup', body: { id: names.id } },
    { name: 'addBrand', body: { id: names.id } },
    { name: 'addCategory', body: { id: names.id, parent: null } },
    { name: 'addTag', body: { id: names.id } },
  ];
  it.each(calls)(
    '$name refuses a name that is missing, empty or blank',
    async ({ name, body, params = {} }) => {
      for (const said of [undefined, null, {}, { en: '' }, { en: '  ' }, { en: '', zh: '' }]) {
        const { status } = await askStaff(testApp, name, {
          as: owner,
          params,
          body: { ...body, name: said },
        });
        expect([said, status]).toEqual([said, 400]);
      }
      const { status } = await askStaff(testApp, name, {
        as: owner,
        params,
        body: { ...body, name: { en: 'Named', zh: '有名' } },
      });
      expect(status).toBe(200);
    },
  );
});

describe('a document of the shop', () => {
  const keep = (path: string, value: unknown, document: unknown): unknown => {
    // Of what the sample has not, nothing can be missing.
    if (typeof document !== 'object' || document === null) return undefined;
    const [key = '', ...rest] = path.split('.');
    if (Array.isArray(document))
      return document.map((entry, index) => (index === 0 ? keep(path.slice(1), value, entry) : entry));
    if (rest.length === 0) return { ...(document as object), [key.replace('[]', '')]: value };
    const inner = (document as Record<string, unknown>)[key.replace('[]', '')];
    return {
      ...(document as object),
      [key.replace('[]', '')]: keep((key.endsWith('[]') ? '.' : '') + rest.join('.'), value, inner),
    };
  };

  const has = (path: string, document: unknown): boolean => {
    const [key = '', ...rest] = path.replaceAll('[]', '.0').split('.');
    if (typeof document !== 'object' || document === null) return false;
    const inner = (document as Record<string, unknown>)[key];
    return rest.length === 0 || has(rest.join('.'), inner);
  };

  it('a document is refused if a name, price, rate, time or place in it is missing, unless that means something', async () => {
    const [store] = (await testApp.services.stores.all()).filter(
      ({ deliveryZones }) => deliveryZones.length > 0,
    );
    const skus = ['S', 'L'].map((Size) => ({ sku: `M-${Size}`, options: { Size }, stock: { warehouse: 3 } }));
    const options = [{ name: { en: 'Size', zh: '大小' }, values: [plainValue('S'), plainValue('L')] }];
    const known = { stored: [], also: new Set<string>(), skus: new Set<string>() };
    const documents = {
      ProductInput: [
        ProductInput,
        plainProduct('missing', { options, skus }),
        (all: never) => productProblems(all),
      ],
      StoreInput: [StoreInput, store, (all: never) => storeProblems([all])],
      ModifierGroupInput: [
        ModifierGroupInput,
        plainGroup('g', [plainModifier('m')]),
        (all: never) => groupProblems([all], known),
      ],
      ShopSettings: [
        ShopSettings,
        await testApp.services.settings.all(),
        (all: never) => settingsProblems(all),
      ],
    } as const;
    const accepted = Object.entries(documents).flatMap(([name, [schema, sample, problemsOf]]) => {
      expect(problemsOf(sample as never), name).toEqual([]);
      const fields = leavesOf(schema as unknown as SchemaNode, name).filter(
        (leaf) =>
          !/\^|sizeReference/.test(leaf.name) &&
          (leaf.node.type !== 'string' || /\.name\.en$|Cents$|timeZone$|provinceCode$/.test(leaf.name)),
      );
      return fields.flatMap((leaf) =>
        ([null, '', '  ', Number.NaN] as const).flatMap((value) => {
          const path = leaf.name.slice(name.length + 1);
          const changed = keep(path, value, sample);
          const isSaid =
            (leaf.missing.includes('null') && value === null) ||
            (leaf.node.enum && leaf.missing.includes('empty') && value === '') ||
            !has(path, sample);
          return isSaid || problemsOf(changed as never).length > 0 ? [] : [`${leaf.name} = ${value}`];
        }),
      );
    });
    expect(accepted).toEqual([]);
  });
});
