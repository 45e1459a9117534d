/** What a product with modifiers asks, in the HTML that the server sends. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Modifier, ModifierGroup } from '#contract/schemas/modifiers.ts';
import { type I18n, I18nProvider } from '#ui/i18n.tsx';
import { ModifierFields } from '#ui/modifier-fields.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { ApiContext, createApiClient } from '#web/lib/api.ts';
import { type EarlierChoice, offeredOf, useModifiers } from './modifiers.tsx';

let en: I18n;
let zh: I18n;
beforeAll(async () => {
  [en, zh] = await Promise.all([loadI18n('en'), loadI18n('zh')]);
});

const modifier = (id: string, more: Partial<Modifier> = {}): Modifier => ({
  id,
  nameContent: { en: id },
  price: 0,
  prices: [],
  defaultQuantity: 0,
  sku: null,
  dietaryMarks: [],
  allergens: [],
  soldOutAt: [],
  opens: [],
  ...more,
});
const group = (id: string, modifiers: Modifier[], more: Partial<ModifierGroup> = {}): ModifierGroup => ({
  id,
  nameContent: { en: id },
  textContent: null,
  min: 1,
  max: 1,
  quantities: false,
  free: 0,
  opened: false,
  setParts: false,
  modifiers,
  ...more,
});

const iced = modifier('Iced', { defaultQuantity: 1, opens: ['Ice'] });
const groups = [
  group('Temperature', [iced, modifier('Hot')]),
  group('Ice', [modifier('Regular ice', { defaultQuantity: 1 }), modifier('Less ice')], { opened: true }),
  group('Milk', [
    modifier('Dairy', { defaultQuantity: 1, allergens: ['milk'] }),
    modifier('Oat', {
      price: 80,
      dietaryMarks: ['vegan', 'vegetarian'],
      allergens: ['gluten'],
      soldOutAt: ['queen-west'],
    }),
  ]),
  group('Toppings', [modifier('Pearls', { price: 75 }), modifier('Jelly', { price: 60 })], {
    min: 0,
    max: 3,
    free: 1,
    quantities: true,
    textContent: { en: 'On top of your drink' },
  }),
];

function Fields({ from, storeId }: { from?: EarlierChoice; storeId: string | null }) {
  const modifiers = useModifiers({ productId: 'tea', groups, optionPairs: '', storeId, from });
  return <ModifierFields modifiers={modifiers} price={{ price: 600, currency: 'CAD' }} />;
}

function html({
  from,
  storeId = null,
  i18n = en,
}: {
  from?: EarlierChoice;
  storeId?: string | null;
  i18n?: I18n;
} = {}) {
  const api = createApiClient('en', async () => ({ status: 500, body: null }));
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <ApiContext value={api}>
        <QueryClientProvider client={new QueryClient()}>
          <Fields storeId={storeId} {...(from ? { from } : {})} />
        </QueryClientProvider>
      </ApiContext>
    </I18nProvider>,
  );
}
const text = (markup: string) => markup.replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|');
const checked = (markup: string) =>
  [...markup.matchAll(/<input(?=[^>]*checked="")[^>]*value="([^"]+)"/g)].map(([, value]) => value);

describe('the modifiers of a product', () => {
  it('the defaults are chosen before the customer chooses, with those of the groups that they open', () => {
    expect(checked(html())).toEqual(['Iced', 'Regular ice', 'Dairy']);
  });

  it('a group that another choice opens stands directly below its group', () => {
    const shown = text(html());
    expect(shown.indexOf('|Ice|')).toBeGreaterThan(shown.indexOf('|Hot|'));
    expect(shown.indexOf('|Ice|')).toBeLessThan(shown.indexOf('|Milk|'));
    expect(
      text(html({ from: { modifiers: [{ group: 'Temperature', modifier: 'Hot' }], note: '' } })),
    ).not.toContain('|Ice|');
  });

  it('each group says how many choices it takes and how many are free, in both languages', () => {
    expect(text(html())).toContain('|Milk|Choose 1|');
    expect(text(html())).toContain('|Toppings|Up to 3, 1 free|On top of your drink|');
    expect(text(html({ i18n: zh }))).toContain('|最多 3 项，1 项免费|');
  });

  it('a choice says what it costs, what it is fit for and what it contains', () => {
    expect(text(html())).toContain('|Oat|Vegan · contains gluten|+$0.80|');
    expect(text(html())).toContain('|Dairy|contains milk|free|');
  });

  it('one of several is a radio button, and what can be taken twice has a quantity', () => {
    const markup = html();
    expect(markup.match(/type="radio"/g)).toHaveLength(6);
    expect(markup.match(/role="radiogroup"/g)).toHaveLength(3);
    expect(markup.match(/role="spinbutton"/g)).toHaveLength(2);
  });

  it('a modifier that is sold out today cannot be chosen, and says so', () => {
    const markup = html({ storeId: 'queen-west' });
    expect(markup).toMatch(/<input(?=[^>]*disabled="")[^>]*value="Oat"/);
    expect(text(markup)).toContain('|Vegan · contains gluten|sold out|');
    expect(html({ storeId: 'distillery' })).not.toContain('disabled=""');
  });

  it('the price of a unit with what is chosen is announced when it changes', () => {
    const from = {
      modifiers: [
        { group: 'Milk', modifier: 'Oat' },
        { group: 'Toppings', modifier: 'Pearls', quantity: 2 },
      ],
      note: '',
    };
    expect(html({ from })).toContain('aria-live="polite">Price now $7.55<');
  });

  it('a note begins as it was, with how long it may be', () => {
    const markup = html({ from: { modifiers: [], note: 'no straw' } });
    expect(markup).toMatch(/<textarea(?=[^>]*maxLength="140")[^>]*>no straw</);
    expect(text(markup)).toContain('A note doesn’t change the price. 8/140');
  });
});

it('an earlier choice leaves out modifiers that are no longer offered', () => {
  const earlier = [
    { group: 'Temperature', modifier: 'Iced', modifiers: [{ group: 'Ice', modifier: 'No ice' }] },
    { group: 'Milk', modifier: 'Soy' },
    { group: 'Sugar', modifier: 'Half' },
    { group: 'Toppings', modifier: 'Jelly', quantity: 2 },
  ];
  expect(offeredOf({ groups, optionPairs: '', storeId: null }, earlier)).toEqual([
    { group: 'Temperature', modifier: 'Iced', quantity: 1, modifiers: [] },
    { group: 'Toppings', modifier: 'Jelly', quantity: 2, modifiers: [] },
  ]);
});
