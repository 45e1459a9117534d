/** Brings lines and codes of an agent's cart in line with what the agent sent, by the calls that the storefront's cart has. */
import { inLocale, type Locale } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { ModifierSelection } from '#contract/schemas/modifiers.ts';
import type { Order } from '#contract/schemas/order.ts';
import { translate } from '#server/platform/i18n.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { isSameCode } from './bodies.ts';
import { chooseNamed, offeredModifiers } from './choices.ts';
import { correctable, type Message, refusalOf, textOf } from './protocol.ts';
import type { LineInput } from './requests.ts';
import type { Visit } from './sales.ts';

interface Wanted extends Omit<LineInput, 'modifiers'> {
  /** In the request. */
  index: number;
  sku: string;
  modifiers?: ModifierSelection[];
}

export const linesIn = ({ lineItems }: Pick<Order, 'lineItems'>): LineInput[] =>
  lineItems.map(({ id, sku, quantity }) => ({ id, item: { id: sku }, quantity }));

/** `PUT` replaces the whole: lines that are not named are removed. What cannot be had is told in messages, and left out. */
export async function replaceLines(
  visit: Visit,
  session: SessionHandle,
  lines: readonly LineInput[],
  storeId: string | null = null,
): Promise<Message[]> {
  const messages: Message[] = [];
  const wanted = await skusOf(visit, lines, messages, storeId);
  const { refused } = await visit.turns(() => visit.cart.replace(session, wanted, visit.locale));
  return [
    ...messages,
    ...[...refused].map(([at, error]) => lineMessage(error, wanted[at]?.index ?? at, visit)),
  ];
}

/** Each is searched for, so that more lines are only named by ids. */
const mostTitles = 5;

/** A product is as good as its SKU if it has only one, and its title as good as its id. */
export async function skusOf(
  { products, locale }: Visit,
  lines: readonly LineInput[],
  messages: Message[],
  storeId: string | null = null,
): Promise<Wanted[]> {
  const t = translate(locale);
  const found = await products.soldAs(
    lines.map(({ item }) => item.id),
    locale,
  );
  // Whole products are read only for choices.
  const whole = await products.named(
    lines.flatMap(({ item: { id }, modifiers }) =>
      found.has(id) && (modifiers || found.get(id)?.sku === null) ? [id] : [],
    ),
    locale,
  );
  let titlesLeft = mostTitles;
  const wanted: Wanted[] = [];
  const plainLines = new Map<string, Wanted>();
  for (const [index, line] of lines.entries()) {
    const { modifiers: asked, ...rest } = line;
    const { id } = line.item;
    const titled = found.has(id) || titlesLeft === 0 ? null : await products.titled(id, locale);
    titlesLeft -= found.has(id) ? 0 : Math.min(1, titlesLeft);
    const product = titled?.product ?? whole.get(id);
    const [only, ...others] = titled?.product.skus ?? [];
    const sku = found.get(id)?.sku ?? titled?.sku ?? (others.length === 0 ? only?.sku : undefined);
    if (sku === undefined) {
      const content = product
        ? t('agents.chooseVariant', { product: product.productName, variants: variantsOf(product, locale) })
        : t('agents.notSold', { item: id });
      messages.push(unavailable('item_unavailable', content, index, '.item.id'));
      continue;
    }
    const chosen = asked && product?.modifierGroups ? chooseNamed(product, { sku, storeId }, asked) : null;
    if (chosen && chosen.unknown.length > 0) {
      for (const { at, name } of chosen.unknown) {
        const content = t('agents.unknownModifier', {
          modifier: name,
          offered: product ? offeredModifiers(product, locale) : '',
        });
        messages.push(unavailable('invalid', content, index, `.modifiers${at}.modifier`));
      }
      continue;
    }
    const modifiers = chosen ? { modifiers: chosen.selections } : {};
    // Lines of one SKU without choices are one line.
    const plain = chosen || line.id ? null : JSON.stringify([sku, line.note]);
    const same = plain === null ? undefined : plainLines.get(plain);
    if (same) {
      same.quantity += line.quantity;
      continue;
    }
    const want = { ...rest, ...modifiers, index, sku };
    wanted.push(want);
    if (plain !== null) plainLines.set(plain, want);
  }
  return wanted;
}

/** Such as "MC-DR-05-REG (Regular), MC-DR-05-LRG (Large)". */
function variantsOf({ skus, specification }: Product, locale: Locale): string {
  const labels = (pairs: string) =>
    specification.options.flatMap(({ name, values }) => {
      const value = values.find((each) => each.value === parseOptionPairs(pairs)?.get(name));
      return value ? [inLocale(value.valueContent, locale)] : [];
    });
  return skus.map(({ sku, optionPairs }) => `${sku} (${labels(optionPairs).join(' / ')})`).join(', ');
}

const unavailable = (code: string, content: string, index: number, field = ''): Message =>
  correctable(code, content, `$.line_items[${index}]${field}`);

function lineMessage(thrown: unknown, index: number, { locale }: Visit): Message {
  const error = refusalOf(thrown);
  const content = textOf(error, locale);
  const { errors = {}, errorKey } = error.details;
  const keys = [
    errorKey,
    ...Object.values(errors).map((each) => (typeof each === 'string' ? each : each.key)),
  ];
  if (keys.some((each) => each?.startsWith('rule.outOfStock')))
    return unavailable('out_of_stock', content, index);
  if (error.errorType === 'NOT_FOUND') return unavailable('item_unavailable', content, index);
  const field = ['quantity', 'modifiers', 'note'].find((each) =>
    Object.keys(errors).some((name) => name.split('.')[0] === each),
  );
  return unavailable('invalid', content, index, field ? `.${field}` : '');
}

/** What keeps lines of a cart from being ordered now. */
export function stockMessages({ lineItems }: Pick<Order, 'lineItems'>): Message[] {
  return lineItems.flatMap(
    ({ quantity, obtainable, unavailable: why, productName, inventoryProcessingStatus: status }, index) => {
      if (why !== undefined) return [unavailable('item_unavailable', why, index)];
      if (status !== 'notAvailable' && obtainable >= quantity) return [];
      return [unavailable('out_of_stock', `${productName}: ${obtainable}`, index, '.quantity')];
    },
  );
}

/** Applies the codes: an order of this shop takes one, so the first that holds counts. */
export async function applyCodes(
  visit: Visit,
  session: SessionHandle,
  { bill: { coupon } }: Order,
  codes: readonly string[],
) {
  const { couponEntry, locale, address } = visit;
  const known = coupon ? codes.find((code) => isSameCode(code, coupon.code)) : undefined;
  if (coupon && known === undefined) await couponEntry.remove(session, locale);
  let applied = coupon?.state === 'applied' ? known : undefined;
  const messages: Message[] = [];
  for (const [index, code] of codes.entries()) {
    if (code === applied) continue;
    const warn = (problem: string, content: string) =>
      messages.push({
        type: 'warning',
        code: `discount_code_${problem}`,
        content,
        path: `$.discounts.codes[${index}]`,
      });
    if (applied !== undefined) {
      warn('combination_disallowed', `${code}: an order takes one code, and ${applied} is applied.`);
      continue;
    }
    try {
      await couponEntry.verify(session, code, address, locale);
      applied = code;
    } catch (thrown) {
      const error = refusalOf(thrown);
      const reason = textOf(error, locale);
      const isExpired = error.details.errorKey?.toLowerCase().includes('expired');
      warn(isExpired ? 'expired' : 'invalid', reason.includes(code) ? reason : `${code}: ${reason}`);
    }
  }
  return messages;
}
