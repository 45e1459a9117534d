/** Brings lines and codes of an agent's cart in line with what the agent sent, by the calls that the storefront's cart has. */
import type { Order } from '#contract/schemas/order.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { isSameCode } from './bodies.ts';
import { correctable, type Message, refusalOf, textOf } from './protocol.ts';
import type { LineInput } from './requests.ts';
import type { Visit } from './sales.ts';

interface Wanted extends LineInput {
  /** In the request. */
  index: number;
  sku: string;
}

export const linesIn = ({ lineItems }: Pick<Order, 'lineItems'>): LineInput[] =>
  lineItems.map(({ id, sku, quantity }) => ({ id, item: { id: sku }, quantity }));

/** `PUT` replaces the whole: lines that are not named are removed. What cannot be had is told in messages, and left out. */
export async function replaceLines(visit: Visit, session: SessionHandle, lines: readonly LineInput[]): Promise<Message[]> {
  const messages: Message[] = [];
  const wanted = await skusOf(visit, lines, messages);
  const { refused } = await visit.turns(() => visit.cart.replace(session, wanted, visit.locale));
  return [...messages, ...[...refused].map(([at, error]) => lineMessage(error, wanted[at]?.index ?? at, visit))];
}

/** A product is as good as its SKU if it has only one. */
export async function skusOf({ products, locale }: Visit, lines: readonly LineInput[], messages: Message[]): Promise<Wanted[]> {
  const found = await products.soldAs(
    lines.map(({ item }) => item.id),
    locale,
  );
  const wanted: Wanted[] = [];
  const plainLines = new Map<string, Wanted>();
  for (const [index, line] of lines.entries()) {
    const { id } = line.item;
    const sold = found.get(id);
    const sku = sold?.sku ?? null;
    if (sku === null) {
      const content = sold ? `Choose a variant of ${sold.productName}.` : `${id} is not sold here.`;
      messages.push(unavailable('item_unavailable', content, index));
      continue;
    }
    // Lines of one SKU without choices are one line.
    const plain = line.modifiers || line.id ? null : JSON.stringify([sku, line.note]);
    const same = plain === null ? undefined : plainLines.get(plain);
    if (same) {
      same.quantity += line.quantity;
      continue;
    }
    const want = { ...line, index, sku };
    wanted.push(want);
    if (plain !== null) plainLines.set(plain, want);
  }
  return wanted;
}

const unavailable = (code: string, content: string, index: number, field = ''): Message =>
  correctable(code, content, `$.line_items[${index}]${field}`);

function lineMessage(thrown: unknown, index: number, { locale }: Visit): Message {
  const error = refusalOf(thrown);
  const content = textOf(error, locale);
  const { errors = {}, errorKey } = error.details;
  const keys = [errorKey, ...Object.values(errors).map((each) => (typeof each === 'string' ? each : each.key))];
  if (keys.some((each) => each?.startsWith('rule.outOfStock'))) return unavailable('out_of_stock', content, index);
  if (error.errorType === 'NOT_FOUND') return unavailable('item_unavailable', content, index);
  return unavailable('invalid', content, index, 'quantity' in errors ? '.quantity' : '');
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
export async function applyCodes(visit: Visit, session: SessionHandle, { bill: { coupon } }: Order, codes: readonly string[]) {
  const { couponEntry, locale, address } = visit;
  const known = coupon ? codes.find((code) => isSameCode(code, coupon.code)) : undefined;
  if (coupon && known === undefined) await couponEntry.remove(session, locale);
  let applied = coupon?.state === 'applied' ? known : undefined;
  const messages: Message[] = [];
  for (const [index, code] of codes.entries()) {
    if (code === applied) continue;
    const warn = (problem: string, content: string) =>
      messages.push({ type: 'warning', code: `discount_code_${problem}`, content, path: `$.discounts.codes[${index}]` });
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
