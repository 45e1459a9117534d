/** Each field of each kind of documents, edited as its form does: saved, read again, and led back to the same bytes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { emailSlots } from '#contract/emails.ts';
import { differences } from '#contract/rules/patch.ts';
import { documentCallNames } from '#contract/staff/document-names.ts';
import type { StaffEndpointName } from '#contract/staff/endpoints.ts';
import { type FormField, forms } from '#contract/staff/forms.ts';
import { blogId, post, writeBlog } from './blog.ts';
import { plainGroup, plainModifier } from './modifiers.ts';
import { plainProduct, plainValue } from './products.ts';
import { askStaff, joinDemo } from './staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from './test-app.ts';

type Kind = keyof typeof forms;
type Content = Record<string, unknown>;
/** Of the value, of the whole document, or another document where a field does not change alone. */
type Sample = (value: unknown, content: Content) => unknown;

const whole = (change: (content: Content) => Content) => ({ whole: change });
type Samples = Readonly<Record<string, Sample | ReturnType<typeof whole>>>;

const oneMore = (value: unknown) => Number(value ?? 0) + 1;
const byControl: Partial<Record<FormField['control'], (value: unknown, field: FormField) => unknown>> = {
  text: (value) => `${value ?? ''}x`,
  texts: (value) => ({ ...(value as object | null), en: 'Other words', zh: '别的字' }),
  number: oneMore,
  money: oneMore,
  check: (value) => value !== true,
  time: () => Date.UTC(2031, 0, 2, 3, 4),
  choice: (value, { options = [] }) => options.find((each) => each.value !== value)?.value,
};

const images: string[] = [];
const corners = [
  { lat: 43, lng: -79 },
  { lat: 44, lng: -79 },
  { lat: 44, lng: -80 },
];

const samples: Readonly<Record<Kind, Samples>> = {
  store: {
    'address.provinceCode': () => 'BC',
    'address.countryISOCode': whole(({ address, ...store }) => ({
      ...store,
      address: { ...(address as object), countryISOCode: 'US', provinceCode: 'NY' },
    })),
    email: () => 'other@example.com',
    timeZone: () => 'America/Vancouver',
    openingHours: (value) => ({
      ...(value as object),
      monday: null,
      sunday: { open: '10:00', close: '12:00' },
    }),
    specialHours: () => [{ date: '2031-12-25', hours: null }],
    image: () => images[1],
    'deliveryZones[].polygon': () => corners.toReversed(),
    'deliveryZones[].postalCodes': () => ['M6J', 'M5V'],
  },
  category: { parent: (_, { categories }) => (categories as string[])[0], image: () => images[1] },
  brand: { image: () => images[1] },
  tag: {},
  post: {
    image: () => images[1],
    category: () => 'care',
    tags: () => ['glaze'],
    parts: (value) => [
      ...(value as unknown[]),
      { id: 'more', type: 'quote', text: { en: 'Words' }, source: { en: '' } },
    ],
  },
  blog: {},
  redirect: { to: () => '/terms' },
  webhook: { url: () => 'https://other.example/hook', events: () => ['order.paid'] },
  settings: {
    'openingSoon.page': () => 'about',
    commonSearches: () => [{ en: 'Tea', zh: '茶' }],
    'commonSearches[]': () => ({ en: 'Tea', zh: '茶' }),
    'listFilters.priceLimitsCents': () => [3000, 6000],
    'listFilters.tags': (_, { tags }) => (tags as string[]).slice(0, 1),
    'socialLinks[].url': () => 'https://social.example/shop',
    tipTaxClasses: () => ['prepared-food'],
    'returnsLine.text': whole((settings) => ({
      ...settings,
      returnsLine: { text: { en: 'Back' }, link: '/terms', categories: [] },
    })),
    'returnsLine.link': () => '/privacy',
    'returnsLine.categories': (_, { categories }) => (categories as string[]).slice(0, 1),
  },
  page: { blocks: (value) => (value as unknown[]).toReversed() },
  coupon: {
    kind: whole((coupon) => ({ ...coupon, kind: 'freeShipping', percent: 0 })),
    percent: () => 12_500,
    amount: whole((coupon) => ({ ...coupon, kind: 'amount', percent: 0, amount: 500 })),
    countries: () => ['CA', 'US'],
    products: (_, { related }) => related,
    categories: (_, { categories }) => (categories as string[]).slice(0, 1),
    startsAt: () => Date.UTC(2031, 0, 2),
    endsAt: () => Date.UTC(2031, 0, 3),
  },
  look: {
    colours: () => ({ paper: '#ffffff', ink: '#111111', action: '#004488', sale: '#990000' }),
    nightColours: () => ({ paper: '#111111', ink: '#eeeeee', action: '#99ccff', sale: '#ffaaaa' }),
    logo: () => images[0],
    nightLogo: () => images[1],
    icon: () => images[1],
  },
  email: Object.fromEntries(emailSlots.map((name) => [name, () => ({ en: 'Other words', zh: '别的字' })])),
  navigation: {
    'links[].link': () => '/care',
    'links[].children[].link': () => '/care',
    'links[].picture': () => images[0],
    'strip.link': () => '/care',
  },
  modifierGroup: {
    'modifiers[].prices': () => [{ options: { Size: 'Large' }, priceCents: 50 }],
    'modifiers[].sku': () => 'every-field',
    'modifiers[].dietaryMarks': () => ['vegan'],
    'modifiers[].allergens': () => ['milk'],
    'modifiers[].opens': () => ['gift'],
    'modifiers[].default': () => 1,
    setParts: whole(({ modifiers, ...group }) => ({
      ...group,
      setParts: true,
      modifiers: (modifiers as object[]).map((each) => ({ ...each, sku: 'every-field' })),
    })),
  },
  product: {
    description: () => ({ en: ['One', 'Two'], zh: ['一'] }),
    descriptionHtml: () => ({ en: '<p>One</p>' }),
    seoTitle: () => ({ en: 'Title' }),
    brand: (_, { brands }) => (brands as string[])[1],
    category: (_, { categories }) => (categories as string[])[1],
    tags: (_, { tags }) => (tags as string[]).slice(0, 2).sort(),
    compareAtCents: () => 9900,
    images: () => images.toReversed(),
    'details.scene': () => images[1],
    'details.imageTexts': () => ({ [images[0] ?? '']: { en: 'What it shows' } }),
    related: (_, { related }) => related,
    'modifierGroups[].group': () => 'glaze',
    'modifierGroups[].hidden': () => ['one'],
    'modifierGroups[].defaults': () => ['two'],
    'options[].name': whole((product) =>
      JSON.parse(JSON.stringify(product).replaceAll('"Size"', '"Format"')),
    ),
    'options[].values[].name': whole((product) =>
      JSON.parse(JSON.stringify(product).replaceAll('"Large"', '"Big"')),
    ),
    'options[].values[].color': () => '#d9c7a3',
    'options[].values[].image': () => images[1],
    'skus[].gtin': () => '4006381333931',
    'skus[].image': () => images[1],
    'skus[].counted': () => false,
    'skus[].oversell': () => true,
    'skus[].singleServings': () => 6,
  },
};

interface Place {
  name: string;
  path: readonly string[];
  field: FormField;
}

const placesOf = (fields: readonly FormField[], before: readonly string[] = []): Place[] =>
  fields.flatMap((field) => {
    const path = [...before, ...field.path];
    if (field.fields) return placesOf(field.fields, [...path, '[]']);
    return { name: path.join('.').replaceAll('.[]', '[]'), path, field };
  });

/** Of the first entry of a list. */
function changedAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (name === undefined) return change(value);
  if (name === '[]') {
    const [first, ...others] = value as unknown[];
    return [changedAt(first, rest, change), ...others];
  }
  const record = (value ?? {}) as Content;
  return { ...record, [name]: changedAt(record[name], rest, change) };
}

onOneEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  const ids: Record<Kind, string> = {
    store: '',
    category: 'every-field',
    brand: 'every-field',
    tag: 'every-field',
    page: 'home',
    post: 'post-1',
    blog: blogId,
    settings: 'shop',
    redirect: '/old/every-field',
    webhook: '',
    coupon: 'EVERY-FIELD',
    look: 'shop',
    email: 'orderShipped',
    navigation: 'header',
    modifierGroup: 'glaze',
    product: 'every-field',
  };
  let known: Content = {};

  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
    const { editor } = testApp.services;
    const { body: names } = await askStaff(testApp, 'goodsNames', { as });
    known = Object.fromEntries(
      (['brands', 'categories', 'tags'] as const).map((list) => [list, names[list].map(({ name }) => name)]),
    );
    const { products } = (await askStaff(testApp, 'goods', { as })).body;
    known.related = products.slice(0, 1).map(({ id }) => id);
    for (const { id: product } of products) {
      const { content } = (await askStaff(testApp, 'product', { as, params: { product } })).body;
      if (images.length < 2) images.push(...content.images.slice(0, 1));
    }
    const named = { id: 'every-field', name: { en: 'Named' } };
    await editor.upsertCategories([
      { ...named, parent: null, description: { en: 'Words' }, image: images[0] ?? null },
    ]);
    await editor.upsertBrands([{ ...named, story: { en: 'Words' }, image: images[0] ?? null }]);
    await editor.upsertTags([{ ...named, description: { en: 'Words' } }]);
    const product = plainProduct('every-field', {
      brand: names.brands[0]?.name ?? '',
      category: names.categories[0]?.name ?? '',
      images: [...images],
      options: [{ name: { en: 'Size' }, values: [plainValue('Large'), plainValue('Small')] }],
      skus: [{ sku: 'every-field', options: { Size: 'Large' }, stock: {} }],
    });
    // Modifiers name its SKU, so the groups come after it.
    await editor.upsertProducts([product]);
    await editor.upsertModifierGroups([
      plainGroup('gift', [plainModifier('one'), plainModifier('two'), plainModifier('three')], { max: 2 }),
      plainGroup('glaze', [plainModifier('matt'), plainModifier('gloss')], { max: 2, quantities: true }),
    ]);
    await editor.upsertProducts([{ ...product, modifierGroups: [{ group: 'gift' }] }]);
    await writeBlog(testApp, [
      post(testApp, 1, { author: { name: { en: 'Ada' }, role: { en: 'Potter' } }, image: images[0] ?? null }),
    ]);
    const body = {
      code: ids.coupon,
      name: { en: 'Ten off' },
      kind: 'percent',
      percent: 10_000,
      amount: 0,
      minSubtotal: 0,
    };
    const limits = {
      countries: [],
      products: [],
      categories: [],
      totalLimit: null,
      customerLimit: null,
      from: null,
      until: null,
    };
    await askStaff(testApp, 'addCoupon', { as, body: { ...body, ...limits } });
    const endpoint = { url: 'https://receiver.example/hook', events: ['order.placed', 'stock.low'] };
    ids.webhook = (await askStaff(testApp, 'addWebhook', { as, body: endpoint })).body.content.id;
    const links = [
      { label: { en: 'About' }, link: '/about', children: [{ label: { en: 'Terms' }, link: '/terms' }] },
    ];
    await askStaff(testApp, 'addRedirect', { as, body: { from: '/Old/every-field/', to: '/about' } });
    const emails = { orderShipped: { closing: { en: 'Until soon' } } };
    const socialLinks = [
      { network: 'instagram', label: { en: 'Photos' }, url: 'https://social.example/maple' },
    ];
    await testApp.services.settings.update({
      header: { links },
      look: { corners: 'soft' },
      socialLinks,
      emails,
    });
    const stores = await testApp.services.stores.all();
    const main = stores.find(({ mainStore }) => mainStore) ?? stores[0];
    if (!main) throw new Error('The demo has no store');
    ids.store = main.id;
    const zone = { id: 'by-bike', name: { en: 'By bike' }, polygon: corners, postalCodes: ['M6J'] };
    await testApp.services.stores.upsert([
      {
        ...main,
        deliveryZones: [{ ...zone, feeCents: 500, minimumCents: 2000, freeFromCents: null, minutes: 45 }],
      },
    ]);
  });

  describe.each(Object.keys(forms) as Kind[])('the fields of a %s', (kind) => {
    const { read, save, restore } = documentCallNames(kind);
    const call = async (name: string, body?: object) => {
      const params = { id: ids[kind], product: ids[kind] };
      const answer = await askStaff(testApp, name as StaffEndpointName, {
        as,
        params,
        ...(body && { body }),
      });
      return {
        status: answer.status,
        body: answer.body as unknown as { revision: number; content: Content; errors?: object },
      };
    };

    it.each(placesOf(forms[kind]).map((place) => [place.name, place] as const))(
      'an edit of %s is saved, and led back to the same bytes',
      async (name, { path, field }) => {
        const { body: before } = await call(read);
        const sample = samples[kind][name];
        const change = (value: unknown) =>
          typeof sample === 'function'
            ? sample(value, { ...before.content, ...known })
            : byControl[field.control]?.(value, field);
        const mine =
          typeof sample === 'object'
            ? sample.whole(before.content)
            : (changedAt(before.content, path, change) as Content);
        const edits = differences(before.content, mine).map(({ path: at, to }) =>
          to === undefined ? { path: at } : { path: at, to },
        );
        expect(edits).not.toEqual([]);
        const saved = await call(save, { revision: before.revision, edits });
        expect([saved.status, saved.body.errors]).toEqual([200, undefined]);
        const { body: after } = await call(read);
        expect(after.content).toEqual(mine);
        const restored = await call(restore, { revision: before.revision, seen: after.revision });
        expect(restored.status).toBe(200);
        expect(JSON.stringify((await call(read)).body.content)).toBe(JSON.stringify(before.content));
      },
    );
  });
});
