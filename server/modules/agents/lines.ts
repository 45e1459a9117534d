/** Brings the lines of an agent's cart in line with what the agent sent, by the calls that the storefront's cart has. */
import type { Locale } from '#contract/locales.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import type { CartService } from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { AgentCatalogue } from './products.ts';
import { correctable, type Message, textsOf } from './protocol.ts';
import type { LineInput } from './requests.ts';

interface Wanted extends LineInput {
  /** In the request. */
  index: number;
  sku: string;
}

export interface LineDeps {
  cart: CartService;
  products: Pick<AgentCatalogue, 'named'>;
}

/** `PUT` replaces the whole: lines that are not named are removed. What cannot be had is told in messages, and left out. */
export async function replaceLines(
  { cart, products }: LineDeps,
  session: SessionHandle,
  lines: readonly LineInput[],
  locale: Locale,
): Promise<Message[]> {
  const messages: Message[] = [];
  const [current, wanted] = await Promise.all([cart.get(session, locale), skusOf(products, lines, messages, locale)]);
  const open = [...current.lineItems];
  const matched = wanted.map((want) => {
    const at = open.findIndex((line) => isSame(line, want, lines));
    return { want, line: at < 0 ? undefined : open.splice(at, 1)[0] };
  });
  for (const { id } of open) await cart.remove(session, { line: id }, locale);
  for (const { want, line } of matched) {
    const { index, sku, quantity, modifiers, note } = want;
    const choice = { ...(modifiers ? { modifiers } : {}), ...(note === undefined ? {} : { note }) };
    try {
      if (!line) await cart.add(session, sku, { quantity, ...choice }, locale);
      else if (line.quantity !== quantity || modifiers || note !== undefined)
        await cart.update(session, { line: line.id }, { quantity, ...choice }, locale);
    } catch (error) {
      messages.push(lineMessage(error, index, locale));
    }
  }
  return messages;
}

/** The line that a request means: by its id, or the plain line of its SKU. */
function isSame(line: LineItem, { id, sku, modifiers, note }: Wanted, lines: readonly LineInput[]): boolean {
  if (line.sku !== sku) return false;
  if (id !== undefined && line.id === id) return true;
  const isNamed = lines.some((each) => each.id === line.id);
  return !isNamed && modifiers === undefined && note === undefined;
}

/** A product is as good as its SKU if it has only one. Lines of one SKU without choices are one line. */
async function skusOf(
  products: LineDeps['products'],
  lines: readonly LineInput[],
  messages: Message[],
  locale: Locale,
): Promise<Wanted[]> {
  const found = await products.named([...new Set(lines.map(({ item }) => item.id))], locale);
  const owners = new Set([...found.values()].flatMap(({ skus }) => skus.map(({ sku }) => sku)));
  const wanted: Wanted[] = [];
  for (const [index, line] of lines.entries()) {
    const product = found.get(line.item.id);
    const sku = owners.has(line.item.id) ? line.item.id : product?.skus.length === 1 ? product.skus[0]?.sku : undefined;
    if (sku === undefined) {
      const content = product ? `Choose a variant of ${product.productName}.` : `${line.item.id} is not sold here.`;
      messages.push(unavailable('item_unavailable', content, index));
      continue;
    }
    const same = wanted.find(
      (each) => each.sku === sku && !each.modifiers && !line.modifiers && each.note === line.note && !each.id && !line.id,
    );
    if (same) same.quantity += line.quantity;
    else wanted.push({ ...line, index, sku });
  }
  return wanted;
}

const unavailable = (code: string, content: string, index: number): Message =>
  correctable(code, content, `$.line_items[${index}]`);

function lineMessage(error: unknown, index: number, locale: Locale): Message {
  if (!(error instanceof AppError) || error.status === 429 || error.status >= 500) throw error;
  const content = textsOf(error, locale).join(' ');
  const { errors = {} } = error.details;
  const key = [error.details.errorKey, ...Object.values(errors).map((each) => (typeof each === 'string' ? each : each.key))];
  if (key.some((each) => each?.startsWith('rule.outOfStock'))) return unavailable('out_of_stock', content, index);
  if (error.errorType === 'NOT_FOUND') return unavailable('item_unavailable', content, index);
  return { ...unavailable('invalid', content, index), path: `$.line_items[${index}]${'quantity' in errors ? '.quantity' : ''}` };
}

/** What keeps lines of a cart from being ordered now. */
export function stockMessages({ lineItems }: Pick<Order, 'lineItems'>): Message[] {
  return lineItems.flatMap(
    ({ quantity, obtainable, unavailable: why, productName, inventoryProcessingStatus: status }, index) => {
      if (why !== undefined) return [unavailable('item_unavailable', why, index)];
      if (status !== 'notAvailable' && obtainable >= quantity) return [];
      return [
        { ...unavailable('out_of_stock', `${productName}: ${obtainable}`, index), path: `$.line_items[${index}].quantity` },
      ];
    },
  );
}
