/**
 * Food (draft: docs/specification/food of the protocol): a checkout of one store, told in dishes, modifications, a tip and one way to
 * get it. It is a sale like any other, presented in other words.
 */
import { inLocale, type Locale, mainLocale } from '#contract/locales.ts';
import type { LineModifier } from '#contract/schemas/modifiers.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { lineTotals, mediaOf } from './bodies.ts';
import { modificationId } from './choices.ts';
import { completeCheckout } from './completing.ts';
import { foodFulfilment, foodWish } from './food-fulfilment.ts';
import { chooseFulfilment, locationSummary } from './fulfilment.ts';
import { replaceLines } from './lines.ts';
import { type Answer, type Body, correctable, envelope, type Message, roots, textOf } from './protocol.ts';
import type { CompleteInput, FoodInput } from './requests.ts';
import {
  beginSale,
  type Call,
  cancelSale,
  findSale,
  keepRequest,
  presentSale,
  refused,
  requireContent,
  requireOpen,
  type Sale,
} from './sales.ts';

const root = roots.food;
type Store = OrderSettings['stores'][number];

const findFood = (call: Call, id: string) => findSale(call, 'checkout', id, root);

export async function createFood(call: Call, input: FoodInput): Promise<Answer> {
  const store = establishmentOf(call, await call.orders.settings(), input.food_establishment?.id);
  const from = input.cart_id === undefined ? null : await findSale(call, 'cart', input.cart_id, root);
  const begun = from ?? (await beginSale(call, 'checkout'));
  const sale = await applyFood(call, begun, store, { ...input, keeps: from !== null });
  if (!from) await requireContent(call, sale, root);
  return presentFood(call, sale, 201);
}

export const getFood = async (call: Call, _input: object, id: string) =>
  presentFood(call, await findFood(call, id));

export async function updateFood(call: Call, input: FoodInput, id: string): Promise<Answer> {
  const sale = await findFood(call, id);
  requireOpen(sale);
  const store = establishmentOf(
    call,
    sale.settings,
    input.food_establishment?.id ?? sale.request.food?.establishment,
  );
  return presentFood(call, await applyFood(call, sale, store, input));
}

/** `change` completes or cancels it as any other checkout. */
async function changeFood(call: Call, id: string, change: () => Promise<Answer>): Promise<Answer> {
  const before = await findFood(call, id);
  const { body } = await change();
  const after = await findFood(call, id);
  return {
    status: 200,
    body: await foodBody(call, after.row.canceled ? { ...before, row: after.row } : after, body),
  };
}

export const completeFood = (call: Call, { payment }: CompleteInput, id: string) =>
  changeFood(call, id, () => completeCheckout(call, payment ? { payment } : {}, id));

export const cancelFood = (call: Call, _input: object, id: string) =>
  changeFood(call, id, () => cancelSale(call, 'checkout', id));

/** Without an id: the main one. @throws {Outcome} for one that takes no orders */
function establishmentOf(call: Call, { stores }: OrderSettings, id: string | undefined): Store {
  const shown = stores.filter(({ display }) => display);
  const main = shown.find(({ mainStore }) => mainStore) ?? shown[0];
  const store = id === undefined ? main : shown.find((each) => each.id === id);
  if (!store) throw refused(call, root, 'location_closed', 'This location takes no orders.');
  return store;
}

/** Brings the shop's cart in line with the request: lines (or `keeps` them), tip, note for the courier, and how it is had. */
async function applyFood(
  call: Call,
  sale: Sale,
  store: Store,
  { keeps = false, ...input }: FoodInput & { keeps?: boolean },
): Promise<Sale> {
  const { cart, locale } = call;
  const { session } = sale;
  const { buyer = sale.request.buyer, context = sale.request.context, tip } = input;
  const [method] = input.fulfillment?.methods ?? [];
  let request: Sale['request'] = { buyer, context, food: { establishment: store.id, tip, method } };
  const problems = keeps ? [] : await replaceLines(call, session, lineInputs(input), store.id);
  const current = await cart.get(session, locale);
  if (current.lineItems.length > 0) {
    if (method?.notes !== undefined) await cart.comment(session, method.notes, locale);
    problems.push(...(await applyTip(call, sale, tip)));
    const asked = await foodWish(call, { ...sale, request, cart: current }, store);
    if (asked.fulfillment) {
      request = { ...request, fulfillment: asked.fulfillment };
      problems.push(...(await chooseFulfilment(call, { ...sale, request, cart: current })));
    }
    problems.push(...asked.problems);
  }
  return keepRequest(call, { ...sale, request }, problems, 'checkout');
}

async function applyTip(
  { cart, locale }: Call,
  { session, settings }: Sale,
  tip: FoodInput['tip'] = {},
): Promise<Message[]> {
  const { selected_option_id: id, custom_amount: cents } = tip;
  const problem = (content: string) => [correctable('invalid', content, '$.tip')];
  if (id !== undefined && cents !== undefined) return problem('A tip is an option or an amount, not both.');
  const percent = settings.tips.percentages.find((each) => tipId(each) === id);
  if (id !== undefined && percent === undefined) return problem(`There is no tip ${id}.`);
  try {
    const chosen = percent === undefined ? { tipAmount: cents ?? 0 } : { tip: percent };
    await cart.tip(session, { addTips: percent !== undefined || (cents ?? 0) > 0, ...chosen }, locale);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) throw error;
    return problem(textOf(error, locale));
  }
}

const tipId = (percent: number) => `tip_${percent}`;

const lineInputs = ({ line_items: lines }: FoodInput) =>
  lines.map(({ id, quantity, dish }) => ({
    ...(id ? { id } : {}),
    item: { id: dish.id },
    quantity,
    modifiers: (dish.modifications ?? []).map(({ id: modifier, quantity: many = 1 }) => ({
      modifier,
      quantity: many,
    })),
    note: dish.note ?? '',
  }));

async function presentFood(call: Call, sale: Sale, status = 200): Promise<Answer> {
  const { body } = await presentSale(call, 'checkout', sale);
  return { status, body: await foodBody(call, sale, body) };
}

const renamed: readonly (readonly [RegExp, string])[] = [
  [/^(\$\.line_items\[\d+\]).*/, '$1.dish'],
  [/\.destinations\[0\].*/, '.destination'],
  [/\.groups\[0\]/, ''],
  [/^\$\.fulfillment\.methods\[0\]\.selected_destination_id/, '$.food_establishment'],
];

/** From the body that the sale has as a checkout of the shop. */
async function foodBody(call: Call, sale: Sale, body: Body): Promise<Body> {
  const { agent, locale } = call;
  const { settings, request, placedId } = sale;
  const { discounts: _d, fulfillment: _f, order, line_items: _l, ucp, messages, ...same } = body;
  const placed = placedId === null ? null : (await call.orders.customers.forMail(placedId, locale))?.order;
  const { lineItems: lines, bill } = placed ?? sale.cart;
  const { establishment, tip = {} } = request.food ?? {};
  const store =
    settings.stores.find(({ id }) => id === (establishment ?? placed?.localStoreName)) ?? settings.stores[0];
  const { payment_handlers } = ucp as Body;
  const confirmed = order as { id: string; label: string; permalink_url: string } | undefined;
  const said = (messages as Message[]).map((each) => ({
    ...each,
    path: each.path && renamed.reduce((path, [pattern, to]) => path.replace(pattern, to), each.path),
  }));
  const warnings = sale.cart.lineItems.length > 0 ? await lineWarnings(call, lines) : [];
  const isTwice = tip.selected_option_id !== undefined && tip.custom_amount !== undefined;
  return {
    ...same,
    ucp: envelope(agent, root, { payment_handlers }),
    food_establishment: store && locationSummary(store, locale),
    line_items: lines.map((line) => dishLine(line, bill, call)),
    fulfillment: store ? await foodFulfilment(call, sale, store) : {},
    tip: {
      options: sale.cart.tips?.choices.map(({ percent }) => ({
        id: tipId(percent),
        unit: 'percentage',
        amount: percent,
      })),
      // Of two choices neither counts.
      ...(isTwice ? {} : tip),
    },
    messages: [
      ...new Map(said.map((each) => [`${each.code} ${each.path ?? each.content}`, each])).values(),
      ...warnings,
    ],
    order: confirmed && { id: confirmed.id, label: confirmed.label, tracking_url: confirmed.permalink_url },
  };
}

function dishLine(line: LineItem, bill: Order['bill'], { origin, locale }: Call): Body {
  const { id, sku, quantity, unitPrice, modifiers, note, productName, optionText, image } = line;
  const modifications = modifiers.flatMap((each) => modificationsOf(each, 1, locale));
  const added = modifications.reduce((sum, { price, quantity: many }) => sum + price * many, 0);
  return {
    id,
    quantity,
    dish: {
      id: sku,
      title: [productName, optionText].filter((text) => text !== '').join(' · '),
      // What free choices and reductions leave is the dish's.
      price: Math.max(0, unitPrice - added),
      media: image ? [mediaOf(image, origin())] : undefined,
      modifications: modifications.length > 0 ? modifications : undefined,
      note: note || undefined,
    },
    totals: lineTotals(line, bill),
  };
}

type Inner = Omit<LineModifier, 'modifiers'> & { modifiers?: readonly Inner[] };

function modificationsOf(
  each: Inner,
  times: number,
  locale: Locale,
): { id: string; title: string; price: number; quantity: number }[] {
  const quantity = each.quantity * times;
  const own = {
    id: modificationId(each),
    title: inLocale(each.nameContent, locale),
    price: Math.floor((each.amount * times) / quantity),
    quantity,
  };
  return [own, ...(each.modifiers ?? []).flatMap((inner) => modificationsOf(inner, quantity, locale))];
}

/** Notes that ask for what is sold, and allergens of what was chosen. */
async function lineWarnings(
  { products, locale }: Call,
  lines: readonly LineItem[],
): Promise<(Message & Body)[]> {
  const found = await products.named(
    lines.map(({ sku }) => sku),
    locale,
  );
  const t = translate(locale);
  return lines.flatMap(({ sku, note, modifiers }, index) => {
    const chosen = new Set(modifiers.flatMap((each) => modificationsOf(each, 1, locale)).map(({ id }) => id));
    const all = (found.get(sku)?.modifierGroups ?? []).flatMap((group) =>
      group.modifiers.map((each) => ({
        ...each,
        names: [inLocale(each.nameContent, locale), inLocale(each.nameContent, mainLocale())],
        isChosen: chosen.has(modificationId({ group: group.id, modifier: each.id })),
      })),
    );
    const text = note.toLowerCase();
    const asked = all.find(
      ({ isChosen, price, names }) =>
        !isChosen && price > 0 && names.some((name) => text.includes(name.toLowerCase())),
    );
    const contained = new Set(all.flatMap(({ isChosen, allergens }) => (isChosen ? allergens : [])));
    const allergens = [...contained].map((each) => t(`modifiers.allergen.${each}`)).join(', ');
    const warn = (code: string, path: string, content: string, more = {}) => ({
      type: 'warning' as const,
      code,
      path: `$.line_items[${index}]${path}`,
      ...more,
      content,
    });
    return [
      ...(asked
        ? [
            warn(
              'note_contains_modification',
              '.dish.note',
              t('agents.noteAsksForMore', { modifier: asked.names[0] ?? '' }),
            ),
          ]
        : []),
      ...(allergens === ''
        ? []
        : [warn('allergens', '', t('agents.contains', { allergens }), { presentation: 'disclosure' })]),
    ];
  });
}
