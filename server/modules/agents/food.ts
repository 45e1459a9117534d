/**
 * Food (draft: docs/specification/food of the protocol): a checkout of one store, told in dishes, modifications, a tip and one way to
 * get it. It is a sale like any other, presented in other words.
 */
import { inLocale, type Locale, mainLocale } from '#contract/locales.ts';
import { defaultSelections, type Selection } from '#contract/rules/modifiers.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { Allergen, LineModifier, ModifierSelection } from '#contract/schemas/modifiers.ts';
import type { LineItem } from '#contract/schemas/order.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { mediaOf } from './bodies.ts';
import { completeCheckout } from './completing.ts';
import { foodFulfilment, foodWish } from './food-fulfilment.ts';
import { chooseFulfilment, locationSummary } from './fulfilment.ts';
import { replaceLines } from './lines.ts';
import { presentSale } from './presenting.ts';
import { type Answer, type Body, correctable, envelope, food, type Message, textsOf } from './protocol.ts';
import type { CompleteInput, FoodInput } from './requests.ts';
import {
  beginSale,
  type Caller,
  cancelSale,
  endEmpty,
  findSale,
  keepRequest,
  refused,
  requireOpen,
  type Sale,
  type SalesDeps,
} from './sales.ts';

const root = `${food}.checkout` as const;
type Store = OrderSettings['stores'][number];
type Dish = FoodInput['line_items'][number]['dish'];

export async function createFood(deps: SalesDeps, input: FoodInput, caller: Caller): Promise<Answer> {
  const settings = await deps.orders.settings();
  const store = establishmentOf(settings, input.food_establishment?.id);
  if (!store) return refused(deps, root, 'location_closed', 'This location takes no orders.', caller);
  const from = input.cart_id === undefined ? null : await findSale(deps, 'cart', input.cart_id, caller);
  if (input.cart_id !== undefined && !from) return refused(deps, root, 'not_found', 'There is no such cart.', caller);
  const sale = await applyFood(
    deps,
    from ?? (await beginSale(deps, 'checkout', caller)),
    { input, store, keeps: from !== null },
    caller,
  );
  if (sale.cart.lineItems.length === 0 && !from) return told(await endEmpty(deps, 'checkout', sale, caller), caller);
  return presentFood(deps, sale, caller, 201);
}

export async function getFood(deps: SalesDeps, id: string, caller: Caller): Promise<Answer> {
  const sale = await findSale(deps, 'checkout', id, caller);
  return sale ? presentFood(deps, sale, caller) : refused(deps, root, 'not_found', 'There is no such checkout.', caller);
}

export async function updateFood(deps: SalesDeps, id: string, input: FoodInput, caller: Caller): Promise<Answer> {
  const sale = await findSale(deps, 'checkout', id, caller);
  if (!sale) return refused(deps, root, 'not_found', 'There is no such checkout.', caller);
  requireOpen(sale);
  const store = establishmentOf(sale.settings, input.food_establishment?.id ?? sale.request.food?.establishment);
  if (!store) return refused(deps, root, 'location_closed', 'This location takes no orders.', caller);
  return presentFood(deps, await applyFood(deps, sale, { input, store, keeps: false }, caller), caller);
}

/** `change` completes or cancels it as any other checkout. */
async function changeFood(deps: SalesDeps, id: string, caller: Caller, change: () => Promise<Answer>): Promise<Answer> {
  const before = await findSale(deps, 'checkout', id, caller);
  if (!before) return refused(deps, root, 'not_found', 'There is no such checkout.', caller);
  const { body } = await change();
  const after = (await findSale(deps, 'checkout', id, caller)) ?? before;
  return { status: 200, body: await foodBody(deps, after.row.canceled ? { ...before, row: after.row } : after, body, caller) };
}

export const completeFood = (deps: SalesDeps, id: string, input: CompleteInput, caller: Caller) =>
  changeFood(deps, id, caller, () => completeCheckout(deps, id, input.payment ? { payment: input.payment } : {}, caller));

export const cancelFood = (deps: SalesDeps, id: string, caller: Caller) =>
  changeFood(deps, id, caller, () => cancelSale(deps, 'checkout', id, caller));

/** Without an id: the main one, if it takes orders. */
function establishmentOf({ stores }: OrderSettings, id: string | undefined): Store | undefined {
  const shown = stores.filter(({ display }) => display);
  return id === undefined ? (shown.find(({ mainStore }) => mainStore) ?? shown[0]) : shown.find((store) => store.id === id);
}

function told(answer: Answer, { agent }: Caller): Answer {
  return { ...answer, body: { ...answer.body, ucp: envelope(agent, root, { status: 'error' }) } };
}

interface FoodChange {
  input: FoodInput;
  store: Store;
  /** The lines of a cart, instead of those of the request. */
  keeps: boolean;
}

/** Brings the shop's cart in line with the request: lines, tip, note for the courier, and how it is had. */
async function applyFood(deps: SalesDeps, sale: Sale, { input, store, keeps }: FoodChange, caller: Caller): Promise<Sale> {
  const { cart } = deps;
  const { session, settings } = sale;
  const { locale, address } = caller;
  const { buyer = sale.request.buyer, context = sale.request.context, tip } = input;
  const [method] = input.fulfillment?.methods ?? [];
  const food = { establishment: store.id, tip, method };
  let request: Sale['request'] = { buyer, context, food };
  const problems: Message[] = [];
  if (!keeps) {
    const lines = await lineInputs(deps, input, store.id, locale);
    problems.push(...(await replaceLines(deps, session, lines, locale)));
  }
  const current = await cart.get(session, locale);
  if (current.lineItems.length > 0) {
    if (method?.notes !== undefined) await cart.comment(session, method.notes, locale);
    problems.push(...(await applyTip(deps, sale, tip, locale)));
    const wish = { ...sale, request, cart: current };
    const asked = method ? await foodWish(deps, wish, store, caller) : null;
    if (asked?.fulfillment) {
      request = { ...request, fulfillment: asked.fulfillment };
      problems.push(...(await chooseFulfilment(deps, { session, request, settings, locale, address }, current)));
    }
    problems.push(...(asked?.problems ?? []));
  }
  return keepRequest(deps, sale, request, problems, 'checkout', locale);
}

async function applyTip(
  { cart }: SalesDeps,
  { session, settings }: Sale,
  tip: FoodInput['tip'],
  locale: Locale,
): Promise<Message[]> {
  const { selected_option_id: id, custom_amount: cents } = tip ?? {};
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
    return problem(textsOf(error, locale).join(' '));
  }
}

const tipId = (percent: number) => `tip_${percent}`;
const modificationId = ({ group, modifier }: { group: string; modifier: string }) => `${group}:${modifier}`;

async function lineInputs({ products }: SalesDeps, { line_items }: FoodInput, storeId: string, locale: Locale) {
  const found = await products.named([...new Set(line_items.map(({ dish }) => dish.id))], locale);
  return line_items.map(({ id, quantity, dish }) => {
    const product = [...found.values()].find((each) => each.id === dish.id || each.skus.some(({ sku }) => sku === dish.id));
    const modifiers = product?.modifierGroups ? selectionsOf(product, dish, storeId) : [];
    return { ...(id ? { id } : {}), item: { id: dish.id }, quantity, modifiers, note: dish.note ?? '' };
  });
}

/** What was chosen, with what is chosen by default in groups that were not. What is in no group is left for the shop to refuse. */
function selectionsOf({ modifierGroups: groups = [], skus }: Product, dish: Dish, storeId: string): ModifierSelection[] {
  const optionPairs = skus.find(({ sku }) => sku === dish.id)?.optionPairs ?? skus[0]?.optionPairs ?? '';
  const wanted = (dish.modifications ?? []).map(({ id, quantity = 1 }) => {
    const named = groups.flatMap((group) =>
      group.modifiers.flatMap((each) =>
        each.id === id || modificationId({ group: group.id, modifier: each.id }) === id
          ? [{ group: group.id, modifier: each.id }]
          : [],
      ),
    );
    return { ...(named.length === 1 && named[0] ? named[0] : { group: '-', modifier: id.slice(0, 60) }), quantity };
  });
  const within = (ids: readonly string[], defaults: readonly Selection[]): ModifierSelection[] => {
    const own = wanted.filter(({ group }) => ids.includes(group));
    const chosen: Selection[] = [...own, ...defaults.filter(({ group }) => !own.some((each) => each.group === group))];
    return chosen.map(({ group, modifier, quantity = 1, modifiers = [] }) => {
      const opens = groups.find(({ id }) => id === group)?.modifiers.find(({ id }) => id === modifier)?.opens ?? [];
      const inner = opens.length > 0 ? within(opens, modifiers.length > 0 ? modifiers : defaultsOf(opens)) : [];
      return { group, modifier, quantity, ...(inner.length > 0 ? { modifiers: inner } : {}) } as ModifierSelection;
    });
  };
  const defaultsOf = (opens: readonly string[] | null) => defaultSelections({ groups, optionPairs, storeId }, opens);
  const own = groups.filter(({ opened }) => !opened).map(({ id }) => id);
  const stray = wanted.filter(({ group }) => group === '-');
  return [...within(own, defaultsOf(null)), ...stray];
}

async function presentFood(deps: SalesDeps, sale: Sale, caller: Caller, status = 200): Promise<Answer> {
  const { body } = await presentSale(deps, 'checkout', sale, caller);
  return { status, body: await foodBody(deps, sale, body, caller) };
}

const renamed: readonly (readonly [RegExp, string])[] = [
  [/^(\$\.line_items\[\d+\]).*/, '$1.dish'],
  [/\.destinations\[0\].*/, '.destination'],
  [/\.groups\[0\]/, ''],
  [/^\$\.fulfillment\.methods\[0\]\.selected_destination_id/, '$.food_establishment'],
];

/** From the body that the sale has as a checkout of the shop. */
async function foodBody(deps: SalesDeps, sale: Sale, body: Body, caller: Caller): Promise<Body> {
  const { agent, locale } = caller;
  const { settings, request, placedId } = sale;
  const { discounts: _d, fulfillment: _f, order, line_items: _l, ucp, messages, ...same } = body;
  const placed = placedId === null ? null : (await deps.orders.customers.forMail(placedId, locale))?.order;
  const lines = (placed ?? sale.cart).lineItems;
  const { establishment, tip } = request.food ?? {};
  const store = settings.stores.find(({ id }) => id === (establishment ?? placed?.localStoreName)) ?? settings.stores[0];
  const { payment_handlers } = ucp as Body;
  const confirmed = order as { id: string; label: string; permalink_url: string } | undefined;
  const said = (messages as Message[]).map(({ path, ...each }) => {
    const at = path && renamed.reduce((text, [pattern, to]) => text.replace(pattern, to), path);
    return { ...each, ...(at ? { path: at } : {}) };
  });
  const warnings = sale.cart.lineItems.length > 0 ? await lineWarnings(deps, lines, locale) : [];
  const tips = sale.cart.tips?.choices.map(({ percent }) => ({ id: tipId(percent), unit: 'percentage', amount: percent }));
  return {
    ...same,
    ucp: envelope(agent, root, { payment_handlers }),
    ...(store ? { food_establishment: locationSummary(store, locale) } : {}),
    line_items: lines.map((line) => dishLine(line, deps.origin(), locale)),
    fulfillment: store ? await foodFulfilment(deps, sale, store, caller) : {},
    // Of two choices neither counts.
    tip: { ...(tips ? { options: tips } : {}), ...(tip?.selected_option_id && tip.custom_amount !== undefined ? {} : tip) },
    messages: [...new Map(said.map((each) => [`${each.code} ${each.path ?? each.content}`, each])).values(), ...warnings],
    ...(confirmed ? { order: { id: confirmed.id, label: confirmed.label, tracking_url: confirmed.permalink_url } } : {}),
  };
}

function dishLine(line: LineItem, origin: string, locale: Locale): Body {
  const { id, sku, quantity, unitPrice, lineTotal, modifiers, note, productName, optionText, image } = line;
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
      ...(image ? { media: [mediaOf(image, origin)] } : {}),
      ...(modifications.length > 0 ? { modifications } : {}),
      ...(note === '' ? {} : { note }),
    },
    totals: [
      { type: 'subtotal', amount: lineTotal },
      { type: 'total', amount: lineTotal },
    ],
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
async function lineWarnings({ products }: SalesDeps, lines: readonly LineItem[], locale: Locale): Promise<(Message & Body)[]> {
  const found = await products.named([...new Set(lines.map(({ sku }) => sku))], locale);
  const t = translate(locale);
  return lines.flatMap(({ sku, note, modifiers }, index) => {
    const product = [...found.values()].find(({ skus }) => skus.some((each) => each.sku === sku));
    const all = (product?.modifierGroups ?? []).flatMap((group) => group.modifiers.map((modifier) => ({ group, modifier })));
    const chosen = new Set(modifiers.flatMap((each) => modificationsOf(each, 1, locale)).map(({ id }) => id));
    const isChosen = ({ group, modifier }: (typeof all)[number]) =>
      chosen.has(modificationId({ group: group.id, modifier: modifier.id }));
    const text = note.toLowerCase();
    const asked = all.find(
      (each) =>
        !isChosen(each) &&
        each.modifier.price > 0 &&
        [inLocale(each.modifier.nameContent, locale), inLocale(each.modifier.nameContent, mainLocale())].some((name) =>
          text.includes(name.toLowerCase()),
        ),
    );
    const contains = new Set<Allergen>(all.filter(isChosen).flatMap(({ modifier }) => modifier.allergens));
    const at = `$.line_items[${index}]`;
    return [
      ...(asked
        ? [
            {
              type: 'warning' as const,
              code: 'note_contains_modification',
              path: `${at}.dish.note`,
              content: t('agents.noteAsksForMore', { modifier: inLocale(asked.modifier.nameContent, locale) }),
            },
          ]
        : []),
      ...(contains.size > 0
        ? [
            {
              type: 'warning' as const,
              code: 'allergens',
              path: at,
              presentation: 'disclosure',
              content: t('agents.contains', {
                allergens: [...contains].map((each) => t(`modifiers.allergen.${each}`)).join(', '),
              }),
            },
          ]
        : []),
    ];
  });
}
