/** What the rooms draw: a control for each field that the form of a kind has, with its words, in every language. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { emailSlots } from '#contract/emails.ts';
import { type Locale, localeCodes, locales } from '#contract/locales.ts';
import { valueAt } from '#contract/rules/patch.ts';
import { type FormField, forms } from '#contract/staff/forms.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Me } from '#contract/staff/schemas.ts';
import { plainGroup, plainModifier } from '#tests/modifiers.ts';
import { plainProduct, plainValue } from '#tests/products.ts';
import { PostFields } from '../rooms/blog/post.tsx';
import { BlogFields } from '../rooms/blog/settings.tsx';
import { CouponFields } from '../rooms/coupons/coupon.tsx';
import { ProductForms } from '../rooms/goods/product.tsx';
import { LookFields } from '../rooms/look/look.tsx';
import { GroupFields } from '../rooms/menus/group.tsx';
import { NavigationFields } from '../rooms/navigation/place.tsx';
import { MoreSettingsFields } from '../rooms/settings/more.tsx';
import { StoreFields } from '../rooms/stores/store.tsx';
import { TaxonFields } from '../rooms/taxonomy/taxon.tsx';
import { WebhookFields } from '../rooms/webhooks/webhook.tsx';
import { EmailFields } from '../rooms/words/email.tsx';
import { type Call, CallContext } from './api.ts';
import { Blocks } from './blocks.tsx';
import type { EditedDocument } from './document.tsx';
import { EditedContext } from './document-form.tsx';
import { LanguageProvider } from './i18n.tsx';
import { MeProvider } from './me.tsx';
import { SchemaForm } from './schema-form.tsx';

const me = {
  name: 'Ada',
  email: 'ada@example.com',
  role: 'owner',
  roleName: null,
  stores: null,
  may: ['media.write'],
  demo: false,
  shop: { timeZone: 'America/Toronto', currency: 'CAD', stores: [], languages: [...localeCodes] },
} as unknown as Me;

const named = (name: string) => ({ name, nameContent: { en: name } });
const group = plainGroup('glaze', [plainModifier('matt', { default: 1 })], { quantities: true });
const product = {
  ...plainProduct('mug', { images: ['mug.jpg'], tags: ['blue'], related: ['cup'] }),
  details: { imageTexts: { 'mug.jpg': { en: 'A mug' } } },
  options: [{ name: { en: 'Size' }, values: [plainValue('Small')] }],
  modifierGroups: [{ group: 'glaze', defaults: ['matt'] }],
};
const hours = { open: '09:00', close: '17:00' };
const store = {
  id: 'here',
  name: { en: 'Here' },
  address: {},
  openingHours: { monday: hours },
  specialHours: [{ date: '2026-12-25', hours }],
  deliveryZones: [{ id: 'by-bike', name: { en: 'By bike' }, polygon: [], postalCodes: [] }],
};
const answerOf = (content: object) => ({
  revision: 1,
  content,
  pictures: {},
  related: [named('cup')],
  whyNot: [],
  outdated: {},
});
const writtenPost = { id: 'post', title: { en: 'Post' }, category: 'care', tags: ['glaze'], parts: [] };
const names = {
  blog: { id: 'blog', name: { en: 'Blog' }, categories: [named('care')], tags: [named('glaze')] },
  currency: 'CAD',
  brands: [named('kiln')],
  categories: [named('cups')],
  tags: [named('blue')],
  stores: [],
};

/** Each kind as its room draws it. What stands in place of something else is drawn in a document of its own. */
const samples: Readonly<Record<keyof typeof forms, readonly { content: object; view: ReactNode }[]>> = {
  store: [{ content: store, view: <StoreFields /> }],
  page: [
    {
      content: { id: 'care', title: { en: 'Care' }, blocks: [] },
      view: (
        <SchemaForm fields={forms.page} own={{ blocks: (path) => <Blocks key="blocks" path={path} /> }} />
      ),
    },
  ],
  post: [
    { content: writtenPost, view: <PostFields answer={{ blog: names.blog, products: [] }} problems={[]} /> },
  ],
  webhook: [
    {
      content: { id: 'we_1', url: 'https://a.example', events: ['order.paid'], paused: true },
      view: <WebhookFields />,
    },
  ],
  redirect: [{ content: { id: '/old', to: '/new' }, view: <SchemaForm fields={forms.redirect} /> }],
  settings: [
    {
      content: {
        id: 'shop',
        openingSoon: { on: true, page: null, password: '' },
        commonSearches: [{ en: 'Tea' }],
        listFilters: { priceLimitsCents: [3000], tags: [] },
        socialLinks: [{ network: 'instagram', label: { en: 'Photos' }, url: '' }],
        tables: { payOnline: true, cardRequired: false, unpaidOrders: 12 },
        tipTaxClasses: [],
        returnsLine: { text: {}, link: '', categories: [] },
        agents: 'carts',
        agentDrafts: false,
      },
      view: (
        <MoreSettingsFields
          choices={{ pages: [named('about')], categories: [named('cups')], tags: [named('blue')] }}
        />
      ),
    },
  ],
  blog: [
    {
      content: {
        id: 'blog',
        categories: [{ id: 'care', name: {}, description: {} }],
        tags: [{ id: 'glaze', name: {} }],
      },
      view: <BlogFields />,
    },
  ],
  category: [
    {
      content: { id: 'cups', parent: 'mugs', name: {}, description: {}, image: 'cup.jpg' },
      view: <TaxonFields kind="category" parents={[{ value: 'mugs', label: 'Mugs' }]} />,
    },
  ],
  brand: [
    {
      content: { id: 'kiln', name: {}, story: {}, image: null },
      view: <TaxonFields kind="brand" parents={[]} />,
    },
  ],
  tag: [
    { content: { id: 'blue', name: {}, description: {} }, view: <TaxonFields kind="tag" parents={[]} /> },
  ],
  coupon: ['percent', 'amount'].map((kind) => ({
    content: { kind, countries: ['CA'], products: ['cup'], categories: ['cups'] },
    view: <CouponFields products={[named('cup')]} categories={[named('cups')]} />,
  })),
  look: [
    {
      content: {
        id: 'shop',
        colours: { paper: '#ffffff', ink: '#111111', action: '#004488', sale: '#990000' },
        night: true,
        nightColours: { paper: '#111111', ink: '#eeeeee', action: '#99ccff', sale: '#ffaaaa' },
        corners: 'soft',
        density: 'usual',
        cards: 'tall',
        fonts: 'book',
        logo: 'logo.png',
        nightLogo: 'logo.png',
        logoText: { en: 'Maple' },
        icon: 'icon.png',
      },
      view: <LookFields delivered={null} />,
    },
  ],
  email: [
    {
      content: {
        id: 'orderShipped',
        ...Object.fromEntries(emailSlots.map((name) => [name, { en: 'Words', zh: '文字' }])),
      },
      view: (
        <EmailFields
          slots={emailSlots.map((name) => ({
            name,
            delivered: { en: 'As delivered' },
            fields: ['number'],
            required: [],
          }))}
        />
      ),
    },
  ],
  navigation: [
    {
      content: {
        id: 'header',
        categories: true,
        brands: true,
        clearance: true,
        blog: true,
        account: true,
        strip: { text: { en: 'New' }, link: '' },
        links: [
          {
            label: { en: 'About' },
            link: '/about',
            picture: 'about.jpg',
            children: [{ label: { en: 'Terms' }, link: '/terms' }],
          },
        ],
      },
      view: <NavigationFields place="header" />,
    },
  ],
  modifierGroup: [
    {
      content: group,
      view: (
        <GroupFields
          answer={{
            revision: 1,
            content: group,
            currency: 'CAD',
            others: [named('gift')],
            products: [],
            options: [],
          }}
        />
      ),
    },
  ],
  product: [product, { ...product, descriptionHtml: { en: '<p>A mug</p>' } }].map((content) => ({
    content,
    view: <ProductForms answer={answerOf(content) as never} names={names} />,
  })),
};

async function drawn(locale: Locale, { content, view }: { content: object; view: ReactNode }) {
  const noted: { place: string; label: string }[] = [];
  const form: EditedDocument = {
    valueAt: (path) => valueAt(content, path),
    change: () => undefined,
    errorAt: (path, label) => void noted.push({ place: placeOf(content, path), label }),
    // What is folded opens.
    isWrong: () => true,
  };
  const queries = new QueryClient();
  queries.setQueryData(['modifier-groups'], {
    groups: [{ ...group, products: 1, choices: [{ ...named('matt'), default: 1 }], modifiers: [] }],
  });
  const { default: messages } = await locales[locale].load();
  const page = () => (
    <LanguageProvider first={{ locale, messages }}>
      <QueryClientProvider client={queries}>
        <CallContext value={(() => new Promise(() => undefined)) as Call}>
          <MeProvider me={me}>
            <EditedContext value={form}>{view}</EditedContext>
          </MeProvider>
        </CallContext>
      </QueryClientProvider>
    </LanguageProvider>
  );
  const history = createMemoryHistory();
  const router = createRouter({ routeTree: createRootRoute({ component: page }), history });
  await router.load();
  const html = renderToStaticMarkup(<RouterProvider router={router} />);
  return { noted, html };
}

/** Without the names and places of entries: `options[].values[].color`. */
const placeOf = (content: object, path: readonly string[]): string =>
  path.reduce((place, name, index) => {
    const parent = valueAt(content, path.slice(0, index));
    // Lists whose entries have no names are changed as a whole.
    return Array.isArray(parent) || /^\d+$/.test(name)
      ? `${place}[]`
      : place === ''
        ? name
        : `${place}.${name}`;
  }, '');

interface Named {
  name: string;
  field: FormField;
}
const flat = (fields: readonly FormField[], before = ''): Named[] =>
  fields.flatMap((field) => {
    // The entries of a list of texts have no fields.
    const name = field.path.length === 0 ? before.slice(0, -1) : `${before}${field.path.join('.')}`;
    return field.fields ? flat(field.fields, `${name}[].`) : [{ name, field }];
  });

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');
/** Its rows are drawn once the screen is known; its columns are the fields of the form. */
const inGrid = (name: string) => name.startsWith('skus[].');

describe.each(Object.keys(forms) as (keyof typeof forms)[])('the room of a %s', (kind) => {
  test.each(localeCodes)('each field has a control with its words: %s', async (locale) => {
    const pages = await Promise.all(samples[kind].map((sample) => drawn(locale, sample)));
    const noted = pages.flatMap((page) => page.noted);
    const html = pages.map((page) => page.html).join('\n');
    const drawnAt = (name: string) =>
      noted.filter(
        ({ place }) => place === name || place.startsWith(`${name}.`) || place.startsWith(`${name}[]`),
      );
    const t = staffTranslate(locale);
    const fields = flat(forms[kind]);
    expect(
      fields.filter(({ name }) => !inGrid(name) && drawnAt(name).length === 0).map(({ name }) => name),
    ).toEqual([]);
    // What a control cannot show yet is named by its label: in the history, and for problems.
    const hasWords = ({ name, field: { label } }: Named) =>
      html.includes(escaped(t(label, { number: 1 }))) ||
      drawnAt(name).some((each) => each.label.includes(t(label, { number: 1 })));
    expect(fields.filter((each) => !hasWords(each)).map(({ name }) => name)).toEqual([]);
  });
});
