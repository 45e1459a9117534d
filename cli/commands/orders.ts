/** `orders …`: lists, shows, fulfils and cancels orders. */

import { Option } from 'commander';
import { receiverLines } from '#contract/addresses.ts';
import { type Carrier, carrierKeys } from '#contract/carriers.ts';
import { formatMerchantMoney } from '#contract/formatters.ts';
import { type CounterKind, counterKinds } from '#contract/limits.ts';
import { defaultLocale, inLocale } from '#contract/locales.ts';
import { type Order, type OrderState, orderStates } from '#contract/schemas/order.ts';
import type { Services } from '#server/container.ts';
import type { Env } from '#server/env.ts';
import { largestPage, type OrderHead } from '#server/modules/orders/index.ts';
import {
  attemptOf,
  type Balance,
  counter,
  dashboardUrl,
  type Payment,
} from '#server/modules/payments/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { instantOf, isoTime } from '#server/platform/time-zone.ts';
import {
  CommandError,
  type CommandSetup,
  countOf,
  instant,
  note,
  printable,
  type ShopCommand,
  type Terminal,
  type TypedAmount,
  typedAmount,
  wholeNumber,
  withShop,
} from '../command.ts';
import { actionLine } from './journal.ts';
import { addChange } from './order-change.ts';
import { collect, lineUnits } from './order-lines.ts';
import { closedPickupLine, disputeLine, printParts, refundLine, stockQuestion } from './payments.ts';

/** The merchant's actions to the states that they lead to. */
const moves = [
  ['ready', 'ready', 'Marks an order for pickup as ready. Emails the customer.'],
  ['shipped', 'shipped', 'Marks an order as shipped. Emails the customer.'],
  ['collected', 'completed', 'Marks an order as picked up.'],
] as const;

/** States of orders that have not ended. */
const openStates = ['placed', 'reserved', 'ready', 'shipped'] as const;

interface Chosen {
  store?: string;
  state?: OrderState | 'open' | 'all';
  from?: string;
  to?: string;
  search?: string;
  after?: string;
  limit: number;
}

export const orders: CommandSetup = (program, terminal) => {
  const command = program
    .command('orders')
    .description('Lists, shows, fulfils and cancels orders. Emails the customer.');
  const list = command
    .command('list', { isDefault: true })
    .description('Lists orders, newest first: open ones, or what is searched for.');
  list.option('--store <id>', 'Only orders at this store.');
  list.addOption(
    new Option('--state <state>', 'Only orders in this state.').choices([
      'open',
      'all',
      ...orderStates.slice(2),
    ]),
  );
  list.option('--from <time>', 'Placed from then on: 2026-12-01, or 2026-12-01T09:00.', instant);
  list.option('--to <time>', 'Placed before then.', instant);
  list.option('--search <words>', 'Beginnings of a number, name or email, or the end of a phone number.');
  list.option('--after <number>', 'The page after this order.');
  list.option('--limit <number>', 'Orders on a page.', wholeNumber(1, largestPage), 50);
  list.reads((chosen: Chosen) => withShop(terminal, (services) => printOrders(services, chosen, terminal)));
  const show = command.command('show <number>').description('Shows an order with its payments and refunds.');
  show.reads((number: string) => withShop(terminal, (services) => printOrder(services, number, terminal)));
  addMoves(command, terminal);
  addPaid(command, terminal);
  addChange(command, terminal);
  addTakeBack(command, terminal);
  addCancel(command, terminal);
  const restock = command.command('restock <number>');
  restock.description('Returns the items to stock after a refund or dispute outside the shop.');
  restock.option('--none', 'Records that the items did not come back.');
  restock.changes('used', (number: string, { none = false }: { none?: boolean }) =>
    withShop(terminal, async ({ fulfilment }, run) => {
      const units = await run((change) => fulfilment.answerAboutStock(change, number, !none));
      terminal.print(
        none
          ? `Left stock unchanged for order ${number}.`
          : `Returned ${countOf(units, 'unit')} of order ${number} to stock.`,
      );
    }),
  );
  const accept = command.command('accept-dispute <number>');
  accept.description('Says that an order is shipped or handed over although its payment is disputed.');
  accept.changes('same', (number: string) =>
    withShop(terminal, async ({ fulfilment }, run) => {
      await run((change) => fulfilment.acceptDisputes(change, number));
      terminal.print(`Order ${number} can be handed over although it is disputed.`);
    }),
  );
  const revoke = command
    .command('revoke-links <number>')
    .description('Ends the links to an order in emails so far.');
  revoke.changes('same', (number: string) =>
    withShop(terminal, async ({ orderLinks, fulfilment }, run) => {
      const revoked = await run((change) => orderLinks.revokeOf(change, number));
      const { number: known } = await fulfilment.find(number);
      terminal.print(
        `Revoked ${countOf(revoked, 'link')} to order ${known}. Later emails about it will have new links.`,
      );
    }),
  );
};

function addMoves(command: ShopCommand, terminal: Terminal): void {
  for (const [name, state, description] of moves) {
    const move = command.command(`${name} <number>`).description(description);
    if (name === 'collected') move.alias('complete');
    if (state !== 'ready')
      takenHow(move).addOption(
        new Option('--unpaid', 'Although something is due of an order that is paid online.').conflicts([
          ...counterKinds,
        ]),
      );
    if (name === 'shipped') {
      addShip(move.alias('ship'), terminal);
      continue;
    }
    move.changes('same', (number: string, how: TakenHow & { unpaid?: true }) =>
      withShop(terminal, async ({ fulfilment }, run) => {
        const order = await run((change) =>
          fulfilment.move(change, number, state, how.unpaid ? 'unpaid' : kindOf(how)),
        );
        terminal.print(`Marked order ${order.number} as ${order.state}.`);
        if (order.taken > 0) terminal.print(takenLine(order));
      }),
    );
  }
}

/** Cents. */
interface TakenMoney {
  taken: number;
  cash: number | null;
  currency: string;
}

const takenLine = (money: TakenMoney): string =>
  `Recorded ${formatMerchantMoney(money.taken, money.currency)} as paid at the counter.${inCash(money)}`;

/** What was handed over, if it is another amount because there is no smaller coin. */
const inCash = ({ taken, cash, currency }: TakenMoney): string =>
  cash === null || cash === taken ? '' : ` In cash: ${formatMerchantMoney(cash, currency)}.`;

interface ShipOptions extends TakenHow {
  unpaid?: true;
  carrier?: Carrier;
  tracking?: string;
  line: string[];
}

function addShip(command: ShopCommand, terminal: Terminal): void {
  command.addOption(new Option('--carrier <name>', 'The carrier of the parcel.').choices(carrierKeys));
  command.option('--tracking <number>', "The parcel's number, or the link of its page.");
  command.option(
    '--line <sku>',
    'Only this item, or some units of it: MUG-OAT=2. Repeat it for more.',
    collect,
    [],
  );
  command.changes('key', (number: string, { line, carrier, tracking, unpaid, ...how }: ShipOptions) =>
    withShop(terminal, async ({ fulfilment }, run) => {
      const { lineItems } = await fulfilment.show(number);
      const lines = line.map((text) => lineUnits(text, lineItems, terminal));
      const request = {
        ...(lines.length > 0 && { lines }),
        ...(carrier && { carrier }),
        ...(tracking && { tracking }),
      };
      const order = await run((change) =>
        fulfilment.ship(change, number, request, unpaid ? 'unpaid' : kindOf(how)),
      );
      terminal.print(
        order.state === 'shipped'
          ? `Marked order ${order.number} as shipped.`
          : `Shipped a part of order ${order.number}. The rest is still to be shipped.`,
      );
      if (order.taken > 0) terminal.print(takenLine(order));
    }),
  );
}

async function printOrders(
  { stores, payments, fulfilment, closedPickups }: Services,
  chosen: Chosen,
  terminal: Terminal,
): Promise<void> {
  const { t } = terminal;
  const { store, search, from, to, after, limit, state = search === undefined ? 'open' : 'all' } = chosen;
  const known = [...(await stores.all()), ...(await stores.removed())];
  if (store !== undefined && !known.some(({ id }) => id === store))
    throw new CommandError(t('orders.storeUnknown', { store }));
  const at = (text: string | undefined) =>
    text === undefined ? undefined : instantOf(text, terminal.timeZone);
  const states = state === 'all' ? undefined : state === 'open' ? openStates : [state];
  const query = {
    stores: store === undefined ? undefined : [store],
    states,
    from: at(from),
    to: at(to),
    text: search,
  };
  const { orders: found, next } = await fulfilment.page(query, { after, size: limit });
  const zones = new Map(known.map(({ id, timeZone }) => [id, timeZone]));
  // Customers typed the numbers of tables.
  for (const order of found) {
    const paid = paidWord(order, await fulfilment.balance(order.id), t);
    terminal.print(printable(lineOf(order, paid, zones.get(order.storeId ?? '') ?? terminal.timeZone, t)));
  }
  terminal.print(found.length === 0 ? t('orders.none') : t('orders.count', { count: found.length }));
  if (next) {
    const given = {
      store,
      state: chosen.state,
      from,
      to,
      search: search && JSON.stringify(search),
      after: next.number,
      limit,
    };
    const words = Object.entries(given).flatMap(([name, value]) =>
      value == null ? [] : `--${name} ${value}`,
    );
    terminal.print(t('orders.more', { command: `npm run shop -- orders list ${words.join(' ')}` }));
  }
  if (after !== undefined) return;
  for (const order of await closedPickups.all())
    terminal.print(
      `STORE CLOSED  ${closedPickupLine(order, zones.get(order.storeId ?? '') ?? terminal.timeZone)}`,
    );
  for (const problem of await payments.refunds.refused())
    terminal.print(`REFUND REFUSED  ${refundLine(problem, terminal.timeZone)}`);
}

interface CancelOptions {
  reason: string;
  note?: string;
  /** False for --no-refund. */
  refund: TypedAmount | boolean;
  restock: boolean;
  email: boolean;
}

function addCancel(command: ShopCommand, terminal: Terminal): void {
  const cancel = command.command('cancel <number>');
  cancel.description('Cancels an order, or what is not shipped of it, and refunds what was paid.');
  cancel.option('--reason <text>', 'For your records: `orders show` prints it.', 'by the merchant');
  cancel.option('--note <text>', 'A note to the customer, in the email.', note);
  cancel.option('--refund <amount>', 'Refunds only this much of what was paid, such as 12.34.', typedAmount);
  cancel.option('--no-refund', 'Refunds nothing.');
  cancel.option('--no-restock', "The items don't go back on sale.");
  cancel.option('--no-email', 'The customer is not told.');
  cancel.changes('same', (number: string, { reason, note: words, refund, restock, email }: CancelOptions) =>
    withShop(terminal, async ({ fulfilment, orderRefunds }, run) => {
      const { currency } = await fulfilment.find(number);
      const amount = typeof refund === 'function' ? refund(currency) : refund === false ? 0 : undefined;
      const how = { note: words, refund: amount, restock, mail: email };
      const { order, refund: made } = await orderRefunds.cancelOrder(run, number, reason, how);
      const what =
        order.state === 'cancelled'
          ? `order ${order.number}`
          : `what was not shipped of order ${order.number}`;
      terminal.print(`Cancelled ${what}${restock ? ' and returned its items to stock' : ''}.`);
      if (made) printParts(made, terminal, await fulfilment.cashStep(number));
    }),
  );
}

function addTakeBack(command: ShopCommand, terminal: Terminal): void {
  const takeBack = command
    .command('take-back <number>')
    .description('Takes the last step of an order back: ready, shipped or picked up.');
  takeBack.requiredOption('--reason <text>', 'For your records: `orders show` prints it.', note);
  takeBack.changes('key', (number: string, { reason }: { reason: string }) =>
    withShop(terminal, async ({ fulfilment }, run) => {
      if (reason === '') throw new CommandError(terminal.t('orders.takeBack.noReason'));
      const order = await run((change) => fulfilment.takeBack(change, number, reason));
      const state = terminal.t(`orders.state.${order.state}`);
      terminal.print(terminal.t('orders.takeBack.done', { number: order.number ?? '', state }));
    }),
  );
}

function addPaid(command: ShopCommand, terminal: Terminal): void {
  const paid = command
    .command('paid <number>')
    .argument('[amount]', 'Such as 12.34; all that is due if left out.', typedAmount);
  takenHow(
    paid.description(
      'Records a payment that you took at the counter: all of an order, a part, or a deposit.',
    ),
  );
  paid.changes('key', (number: string, typed: TypedAmount | undefined, how: TakenHow) =>
    withShop(terminal, async ({ fulfilment }, run) => {
      const amount = typed?.((await fulfilment.find(number)).currency);
      const { order, taken, cash, due } = await run((change) =>
        fulfilment.take(change, number, kindOf(how) ?? 'other', amount),
      );
      const money = (sum: number) => formatMerchantMoney(sum, order.currency);
      terminal.print(
        `Recorded ${money(taken)} for order ${order.number}. ${due > 0 ? `${money(due)} is due.` : 'Nothing is due.'}${inCash({ taken, cash, currency: order.currency })}`,
      );
    }),
  );
}

type TakenHow = Partial<Record<CounterKind, true>>;

function takenHow(command: ShopCommand): ShopCommand {
  command.addOption(new Option('--cash', 'Paid in cash.').conflicts(['terminal', 'other']));
  command.addOption(new Option('--terminal', 'Paid by card at your terminal.').conflicts('other'));
  return command.option('--other', 'Paid in another way, such as a bank transfer.');
}

const kindOf = (how: TakenHow) => counterKinds.find((kind) => how[kind]);

function paidText({ bill, payment, paid = 0, due = 0 }: Order): string {
  if (bill.total === 0) return 'nothing to pay';
  if (payment && paid > 0 && due > 0) {
    const [taken, left] = [paid, due].map((sum) => formatMerchantMoney(sum, bill.currency));
    return `${payment.method}, ${taken} paid, ${left} due`;
  }
  return payment ? `${payment.method}, ${payment.paid ? 'paid' : 'not paid yet'}` : 'not paid';
}

/** What is known of an order's money: one that was paid online may have lost it again. */
function paidWord(
  { payAtStore, bill, currency }: OrderHead,
  { due, paid, refunded }: Balance,
  t: Terminal['t'],
): string {
  if (bill?.total === 0) return t('orders.nothingToPay');
  if (paid === 0 && refunded > 0) return t('orders.refunded');
  if (payAtStore) return t('orders.payInStore');
  return due > 0 ? t('orders.due', { amount: formatMerchantMoney(due, currency) }) : t('orders.paidOnline');
}

function lineOf(order: OrderHead, paid: string, timeZone: string, t: Terminal['t']): string {
  const { number, state, method, storeId, pickupAt, bill, placedAt } = order;
  const parts = [
    number,
    t(`orders.state.${state}`),
    [method && t(`orders.method.${method}`), storeId].filter(Boolean).join(' '),
    pickupAt === null ? '' : t('orders.pickupAt', { time: isoTime(pickupAt, timeZone) }),
    bill ? formatMerchantMoney(bill.total, bill.currency) : '',
    paid,
    placedAt === null ? '' : t('orders.placedAt', { time: isoTime(placedAt, timeZone) }),
  ];
  return parts.filter(Boolean).join(' · ');
}

async function printOrder(services: Services, number: string, terminal: Terminal): Promise<void> {
  const { fulfilment } = services;
  const { payments } = services;
  const order = await fulfilment.show(number);
  const { id } = await fulfilment.find(number);
  const { states, refunds } = await fulfilment.history(id);
  const journal = await services.changes.journal({ kind: 'order', id: order.orderNumber ?? '', most: 100 });
  const names = await services.staff.names();
  // The order's store may be in another zone than the shop.
  const time = (at: number) => isoTime(at, order.timeZone);
  const because = (reason: string) => (reason === '' ? '' : `, ${reason}`);
  const lines = [
    `${order.orderNumber}: ${order.state}`,
    ...states.map(({ state, at, reason }) => `  ${state} ${time(at)}${because(reason)}`),
    ...journal.reverse().map((entry) => `  ${actionLine(entry, terminal.t, names)} ${time(entry.at)}`),
    ...describe(order),
    ...refunds.map(({ amount, tip, currency, state, reason, createdAt }) => {
      const what = `${state === 'done' ? 'Refunded' : 'Refund pending'} ${formatMerchantMoney(amount, currency)}`;
      return `  ${what}${tip === amount ? ' (tip)' : ''}, ${time(createdAt)}${because(reason)}`;
    }),
    ...describeDelivery(order),
    ...describeShipments(order),
    ...(await describeActivity(services, order)),
  ];
  // Customers typed the names, addresses and notes.
  for (const line of lines) terminal.print(printable(line));
  for (const payment of await payments.attempts.of(id))
    terminal.print(printable(`  ${await paymentLine(payment, services, terminal.env(), order.timeZone)}`));
  for (const problem of await payments.refunds.refused())
    if (problem.refund.orderId === order.orderID)
      terminal.print(`  Refund refused: ${refundLine(problem, terminal.timeZone)}`);
}

function describe(order: Order): string[] {
  const { bill } = order;
  const amount = (cents: number) => formatMerchantMoney(cents, bill.currency);
  return [
    ...order.lineItems.flatMap(
      ({ quantity, nameContent, optionText, modifierText, note: wish, sku, lineTotal }) => [
        `  ${quantity} × ${inLocale(nameContent, defaultLocale)}${optionText ? ` (${optionText})` : ''} ${sku}: ${amount(lineTotal)}`,
        ...[modifierText, wish && `Note: ${wish}`].filter(Boolean).map((text) => `      ${text}`),
      ],
    ),
    ...(bill.discount > 0
      ? [`  Discount${bill.couponCode ? ` ${bill.couponCode}` : ''}: −${amount(bill.discount)}`]
      : []),
    ...(order.method === 'shipping' ? [`  Shipping: ${amount(bill.shipping)}`] : []),
    ...(bill.serviceCharge
      ? [`  ${inLocale(bill.serviceCharge.nameContent, defaultLocale)}: ${amount(bill.serviceCharge.amount)}`]
      : []),
    `  Tax: ${amount(bill.tax)}`,
    ...(bill.tip > 0 ? [`  Tip: ${amount(bill.tip)}`] : []),
    `  Total: ${amount(bill.total)}, ${paidText(order)}`,
  ];
}

/** The buyer, and where and when they get the order. */
function describeDelivery({ orderContact: contact, ...order }: Order): string[] {
  return [
    ...(contact
      ? [
          `  For ${[`${contact.firstName} ${contact.lastName}`.trim(), contact.email, contact.phoneNumber].filter(Boolean).join(', ')}`,
        ]
      : []),
    ...(order.shippingAddress ? [`  To ${receiverLines({ ...order, contact }).join(', ')}`] : []),
    ...(order.localStoreName
      ? [
          `  At ${order.localStoreName}${order.tableNumber ? `, table ${order.tableNumber}` : ''}${order.partySize ? `, ${order.partySize} people` : ''}`,
        ]
      : []),
    ...(order.pickupDate === null ? [] : [`  Pickup ${isoTime(order.pickupDate, order.timeZone)}`]),
    ...(order.customerComment ? [`  Note: ${order.customerComment}`] : []),
  ];
}

function describeShipments({ shipments = [], lineItems, state, timeZone }: Order): string[] {
  const skuOf = (line: string) => lineItems.find(({ id }) => id === line)?.sku ?? line;
  return [
    ...shipments.map(({ at, carrier, trackingNumber, trackingUrl, lines }) =>
      [
        `  Shipped ${lines.map(({ line, quantity }) => `${quantity} × ${skuOf(line)}`).join(', ')}`,
        isoTime(at, timeZone),
        ...[[carrier, trackingNumber].filter(Boolean).join(' '), trackingUrl].filter(Boolean),
      ].join(', '),
    ),
    ...(shipments.length > 0 && state === 'placed'
      ? ['  Partly shipped: the rest is still to be shipped.']
      : []),
  ];
}

/** A payment attempt, with the provider's id of it and a link to it there. */
async function paymentLine(
  payment: Payment,
  { payments }: Services,
  { payments: keys }: Env,
  timeZone: string,
): Promise<string> {
  const { provider, kind, providerId, reference, state, failure, createdAt } = payment;
  // If the provider cannot be reached, only the link is less exact.
  const transactionId = await payments.providers
    .find(provider)
    ?.transactionId?.(attemptOf(payment))
    .catch(() => null);
  const url = providerId && dashboardUrl(keys, provider, providerId, transactionId ?? null);
  const why = failure && translate(defaultLocale)(failure.errorKey);
  const amount = formatMerchantMoney(payment.amount, payment.currency);
  const id = provider === counter ? reference : providerId;
  return [
    `${provider} payment ${state}${why ? ` (${why})` : ''}`,
    amount,
    kind,
    isoTime(createdAt, timeZone),
    id,
    url,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Refunds and disputes that began at the provider, and whether the items still have to be restocked. */
async function describeActivity(
  { fulfilment }: Services,
  { orderID, orderNumber, timeZone }: Order,
): Promise<string[]> {
  const [{ refunds, disputes }, questions] = await Promise.all([
    fulfilment.activity(orderID ?? ''),
    fulfilment.stockQuestions(),
  ]);
  return [
    ...refunds.map(
      ({ id, amount, currency, reason, createdAt }) =>
        `  Of these, ${formatMerchantMoney(amount, currency)} was refunded outside the shop: ${id.replace(':', ' ')}${reason ? `, ${reason}` : ''}, ${isoTime(createdAt, timeZone)}`,
    ),
    ...disputes.map((dispute) => `  ${disputeLine(dispute, timeZone)}`),
    ...(orderNumber && questions.includes(orderNumber) ? [`  ${stockQuestion(orderNumber)}`] : []),
  ];
}
