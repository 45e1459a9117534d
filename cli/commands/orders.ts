/** `orders …`: lists, shows, fulfils and cancels orders. */

import { defaultLocale, inLocale } from '#contract/locales.ts';
import { formatMerchantMoney } from '#contract/money.ts';
import { type Order, type OrderState, orderStates } from '#contract/schemas/order.ts';
import type { Services } from '#server/container.ts';
import type { Env } from '#server/env.ts';
import type { OrderHead, Payment } from '#server/modules/orders/index.ts';
import { attemptOf, dashboardUrl } from '#server/modules/payments/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { type Command, CommandError, type Terminal, usageError } from '../command.ts';
import { countOf } from '../count.ts';
import { printable } from '../printable.ts';
import { readArgs, withShop } from '../shop.ts';
import { disputeLine, stockQuestion } from './disputes.ts';
import { printRefund } from './refund.ts';
import { refundLine } from './refunds.ts';

const usage =
  'orders list [--state reserved] | show|ready|shipped|collected|cancel <order number> [--reason …] | restock <order number> [--none] | revoke-links <order number>';
/** The merchant's action to the state that it leads to. */
const moves = { ready: 'ready', shipped: 'shipped', collected: 'completed', complete: 'completed' } as const;

export const orders: Command = {
  usage: usage.replace('orders ', ''),
  summary: 'Lists, shows, fulfils and cancels orders. Emails the customer.',
  async run(args, terminal) {
    const { values, positionals } = readArgs(
      {
        args: [...args],
        allowPositionals: true,
        options: { state: { type: 'string' }, reason: { type: 'string' }, none: { type: 'boolean', default: false } },
      },
      usage,
    );
    const [action = 'list', number, ...rest] = positionals;
    if (rest.length > 0) throw usageError(`Unknown argument: ${rest.join(' ')}.`, usage);
    if (action === 'list' && number === undefined) {
      const state = stateOf(values.state);
      return withShop(terminal, (services) => list(services, state, terminal));
    }
    if (number === undefined) throw usageError('Missing order number.', usage);
    if (action === 'revoke-links') return withShop(terminal, (services) => revokeLinks(services, number, terminal));
    if (action === 'restock') return withShop(terminal, (services) => restock(services, number, !values.none, terminal));
    return withShop(terminal, (services) => act(services, action, number, values.reason ?? '', terminal));
  },
};

function stateOf(text: string | undefined): OrderState | undefined {
  const state = orderStates.find((each) => each === text);
  if (text !== undefined && !state)
    throw new CommandError(`Unknown state: ${text}. Choose one of ${orderStates.slice(2).join(', ')}.`);
  return state;
}

async function list(
  { orders: { fulfilment, refundProblems } }: Services,
  state: OrderState | undefined,
  terminal: Terminal,
): Promise<number> {
  const found = await fulfilment.list(state);
  for (const order of found) terminal.print(lineOf(order));
  terminal.print(found.length === 0 ? 'No orders.' : `${countOf(found.length, 'order')}.`);
  for (const problem of await refundProblems.refused()) terminal.print(`REFUND REFUSED  ${refundLine(problem)}`);
  return 0;
}

function paidText({ bill, payment }: Pick<Order, 'bill' | 'payment'>): string {
  if (bill.total === 0) return 'nothing to pay';
  return payment ? `${payment.method}, ${payment.paid ? 'paid' : 'not paid yet'}` : 'not paid';
}

function lineOf({ number, state, method, storeId, pickupAt, payAtStore, bill, placedAt }: OrderHead): string {
  const parts = [
    number,
    state,
    [method, storeId].filter(Boolean).join(' '),
    pickupAt === null ? '' : `pickup ${timeOf(pickupAt)}`,
    bill ? formatMerchantMoney(bill.total, bill.currency) : '',
    payAtStore ? 'pay in store' : bill?.total === 0 ? 'nothing to pay' : 'paid online',
    placedAt === null ? '' : `placed ${timeOf(placedAt)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

async function act(services: Services, action: string, number: string, reason: string, terminal: Terminal): Promise<number> {
  const {
    orders: { fulfilment, payments: byOrder, refundProblems },
    payments,
  } = services;
  if (action === 'show') {
    const order = await fulfilment.show(number);
    // Customers typed the names, addresses and notes.
    for (const line of [...describe(order), ...(await describeActivity(services, order))]) terminal.print(printable(line));
    for (const payment of await byOrder.of((await fulfilment.find(number)).id))
      terminal.print(printable(`  ${await paymentLine(payment, services, terminal.env())}`));
    for (const problem of await refundProblems.refused())
      if (problem.refund.orderId === order.orderID) terminal.print(`  Refund refused: ${refundLine(problem)}`);
    return 0;
  }
  if (action === 'cancel') {
    const { order, refund } = await payments.cancelOrder(number, reason || 'by the merchant');
    terminal.print(`Cancelled order ${order.number} and returned its items to stock.`);
    return refund ? printRefund(refund, terminal) : 0;
  }
  if (!Object.hasOwn(moves, action)) throw usageError(`Unknown action: ${action}.`, usage);
  // The order was read just above, so it exists.
  const order = await fulfilment.move(number, moves[action as keyof typeof moves]);
  terminal.print(`Marked order ${order.number} as ${order.state}.`);
  return 0;
}

function describe({ orderNumber, state, timeline = [], refunds = [], bill, payment, ...order }: Order): string[] {
  const amount = (cents: number) => formatMerchantMoney(cents, bill.currency);
  const { orderContact: contact, shippingAddress: address } = order;
  return [
    `${orderNumber}: ${state}`,
    ...timeline.map(({ state: each, at }) => `  ${each} ${timeOf(at)}`),
    ...order.lineItems.map(
      ({ quantity, nameContent, optionText, sku, lineTotal }) =>
        `  ${quantity} × ${inLocale(nameContent, defaultLocale)}${optionText ? ` (${optionText})` : ''} ${sku}: ${amount(lineTotal)}`,
    ),
    ...(bill.discount > 0 ? [`  Discount${bill.couponCode ? ` ${bill.couponCode}` : ''}: −${amount(bill.discount)}`] : []),
    ...(order.method === 'shipping' ? [`  Shipping: ${amount(bill.shipping)}`] : []),
    `  Tax: ${amount(bill.tax)}`,
    ...(bill.tip > 0 ? [`  Tip: ${amount(bill.tip)}`] : []),
    `  Total: ${amount(bill.total)}, ${paidText({ bill, payment })}`,
    ...refunds.map(
      ({ amount: cents, tip, done, at }) =>
        `  ${done ? 'Refunded' : 'Refund pending'} ${amount(cents)}${tip === cents ? ' (tip)' : ''}, ${timeOf(at)}`,
    ),
    ...(contact
      ? [
          `  For ${[`${contact.firstName} ${contact.lastName}`.trim(), contact.email, contact.phoneNumber].filter(Boolean).join(', ')}`,
        ]
      : []),
    ...(address
      ? [
          `  To ${[address.streetNumberAndNameDetails, address.city, address.province, address.postCode, address.country].join(', ')}`,
        ]
      : []),
    ...(order.localStoreName ? [`  At ${order.localStoreName}${order.tableNumber ? `, table ${order.tableNumber}` : ''}`] : []),
    ...(order.pickupDate === null ? [] : [`  Pickup ${timeOf(order.pickupDate)}`]),
    ...(order.customerComment ? [`  Note: ${order.customerComment}`] : []),
  ];
}

/** A payment attempt, with the provider's id of it and a link to it there. */
async function paymentLine(payment: Payment, { payments }: Services, { payments: keys }: Env): Promise<string> {
  const { provider, providerId, state, failure, createdAt } = payment;
  // If the provider cannot be reached, only the link is less exact.
  const transactionId = await payments.registry
    .find(provider)
    ?.transactionId?.(attemptOf(payment))
    .catch(() => null);
  const url = providerId && dashboardUrl(keys, provider, providerId, transactionId ?? null);
  const why = failure && translate(defaultLocale)(failure.errorKey);
  return [`${provider} payment ${state}${why ? ` (${why})` : ''}, ${timeOf(createdAt)}`, providerId, url]
    .filter(Boolean)
    .join(', ');
}

async function revokeLinks({ orderLinks, orders }: Services, number: string, terminal: Terminal): Promise<number> {
  const revoked = await orderLinks.revokeOf(number);
  const { number: known } = await orders.fulfilment.find(number);
  terminal.print(`Revoked ${countOf(revoked, 'link')} to order ${known}. Later emails about it will have new links.`);
  return 0;
}

async function restock({ orders }: Services, number: string, restocks: boolean, terminal: Terminal): Promise<number> {
  const units = await orders.providerActivity.answerAboutStock(number, restocks);
  terminal.print(
    restocks ? `Returned ${countOf(units, 'unit')} of order ${number} to stock.` : `Left stock unchanged for order ${number}.`,
  );
  return 0;
}

/** Refunds and disputes that began at the provider, and whether the items still have to be restocked. */
async function describeActivity({ orders }: Services, { orderID, orderNumber }: Order): Promise<string[]> {
  const [{ refunds, disputes }, questions] = await Promise.all([
    orders.fulfilment.activity(orderID ?? ''),
    orders.providerActivity.stockQuestions(),
  ]);
  return [
    ...refunds.map(
      ({ id, amount, currency, reason, createdAt }) =>
        `  Of these, ${formatMerchantMoney(amount, currency)} was refunded outside the shop: ${id.replace(':', ' ')}${reason ? `, ${reason}` : ''}, ${timeOf(createdAt)}`,
    ),
    ...disputes.map((dispute) => `  ${disputeLine(dispute)}`),
    ...(orderNumber && questions.includes(orderNumber) ? [`  ${stockQuestion(orderNumber)}`] : []),
  ];
}

/** ISO 8601 in the terminal's own time zone, such as `2026-05-16T10:00-04:00`. */
function timeOf(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  const twoDigits = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${twoDigits(Math.abs(offset) / 60)}:${twoDigits(Math.abs(offset) % 60)}`;
  return `${new Date(at + offset * 60_000).toISOString().slice(0, 16)}${zone}`;
}
