/** `refund`, `refunds …`, `reconcile`: refunds payments, settles those that a provider declined or delays, and asks providers at once. */
import { Option } from 'commander';
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { CounterKind } from '#contract/limits.ts';
import { cashBackOf } from '#contract/rules/refund-parts.ts';
import type { Services } from '#server/container.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import type { OrderRefund } from '#server/modules/checkout/index.ts';
import type { OrderHead } from '#server/modules/orders/index.ts';
import {
  counter,
  type Dispute,
  type DueRefund,
  type MoneyFinding,
  type Payment,
  type Refund,
  type RefundRequest,
  type RefundResult,
} from '#server/modules/payments/index.ts';
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
  withShop,
} from '../command.ts';
import { collect, lineUnits } from './order-lines.ts';

export const refund: CommandSetup = (program, terminal) => {
  const command = program.command('refund <number>');
  command.description(
    'Refunds what was paid of an order: the rest, an amount, or the tip. Emails the receipt.',
  );
  command.option(
    '--amount <amount>',
    'Refunds this much, such as 12.34. Of several payments the newest comes first.',
    typedAmount,
  );
  command.option('--tip', 'Refunds the tip, or a part of it with --amount.');
  command.option(
    '--from <payment>',
    'Only from payments of this provider, of this kind (cash, terminal, other), or with this id.',
  );
  command.option('--corrects', 'The payment was a mistake, and the amount is due again.');
  addParts(command);
  command.option('--dry-run', 'Prints what would be refunded, and refunds nothing.');
  command.option('--reason <text>', 'For your records: `orders show` prints it.', '');
  command.option('--note <text>', 'A note to the customer, in the email.', note);
  command.changes('key', async (number: string, { dryRun = false, amount, ...rest }: RefundOptions) => {
    await withShop(terminal, async (services, run) => {
      const { orderRefunds, fulfilment } = services;
      if (isOfParts(rest)) return refundParts(services, run, { ...rest, number, dryRun }, terminal);
      const request = amount ? { ...rest, amount: amount((await fulfilment.find(number)).currency) } : rest;
      const step = await fulfilment.cashStep(number);
      if (!dryRun) return printParts(await orderRefunds.refund(run, number, request), terminal, step);
      const plan = await orderRefunds.plan(number, request);
      for (const { payment, ...money } of plan)
        terminal.print(
          `Would refund ${moneyText({ ...money, currency: payment.currency })}${fromText(payment)}.`,
        );
      printCash(
        plan.map(({ payment: { kind, currency }, amount }) => ({ kind, amount, currency })),
        terminal,
        step,
      );
    });
  });
};

/** Items, shipping and the service charge, with their tax. */
interface PartsOptions {
  line: string[];
  shipping?: boolean;
  serviceCharge?: boolean;
  restock?: boolean;
  sent?: boolean;
}
type RefundOptions = Omit<RefundRequest, 'amount'> &
  PartsOptions & { amount?: TypedAmount; dryRun?: boolean };

const isOfParts = ({ line, shipping, serviceCharge }: PartsOptions) =>
  line.length > 0 || shipping || serviceCharge;

function addParts(command: ShopCommand): void {
  const others = ['amount', 'tip', 'from', 'corrects'];
  const add = (flags: string, text: string) => new Option(flags, text).conflicts(others);
  command.addOption(
    add('--line <sku>', 'Refunds this item with its tax, or some units of it: MUG-OAT=2. Repeat it for more.')
      .argParser(collect)
      .default([]),
  );
  command.addOption(add('--shipping', 'Refunds the shipping with its tax.'));
  command.addOption(add('--service-charge', 'Refunds the service charge with its tax.'));
  command.addOption(add('--restock', 'The items of --line go back to where they were sold from.'));
  command.addOption(add('--sent', 'Items of --line that are still to be shipped are shipped all the same.'));
}

async function refundParts(
  { orderRefunds, fulfilment }: Pick<Services, 'orderRefunds' | 'fulfilment'>,
  run: RunChange,
  options: RefundOptions & { number: string },
  terminal: Terminal,
): Promise<void> {
  const {
    number,
    line,
    shipping = false,
    serviceCharge = false,
    restock = false,
    sent,
    reason,
    note = '',
    dryRun,
  } = options;
  const { lineItems, bill } = await fulfilment.show(number);
  const lines = line.map((text) => ({
    ...lineUnits(text, lineItems, terminal),
    ...(sent ? { unsent: 0 } : {}),
  }));
  const covers = { lines, shipping, serviceCharge };
  const amount = await orderRefunds.quoteParts(number, covers);
  if (dryRun)
    return terminal.print(
      terminal.t('orders.refund.dryRun', { amount: formatMerchantMoney(amount, bill.currency) }),
    );
  const request = { ...covers, tip: 0, amount, restock, reason, note };
  printParts(
    await orderRefunds.refundParts(run, number, request),
    terminal,
    await fulfilment.cashStep(number),
  );
}

/** `cashStep`: what cash of the order is a multiple of. */
export function printParts({ parts }: OrderRefund, terminal: Terminal, cashStep: number): void {
  for (const part of parts) printRefund(part, terminal, parts.length > 1);
  printCash(
    parts.map(({ payment: { kind }, refund: { amount, currency } }) => ({ kind, amount, currency })),
    terminal,
    cashStep,
  );
}

/** Says what is handed back, if it is another amount because there is no smaller coin. */
function printCash(
  parts: readonly { kind: CounterKind | null; amount: number; currency: string }[],
  terminal: Terminal,
  step: number,
): void {
  const inCash = parts.filter(({ kind }) => kind === 'cash');
  const exact = inCash.reduce((sum, { amount }) => sum + amount, 0);
  const cash = inCash.reduce((sum, { amount, kind }) => sum + (cashBackOf(amount, kind, step) ?? 0), 0);
  if (cash !== exact) terminal.print(`In cash: ${formatMerchantMoney(cash, parts[0]?.currency ?? '')}.`);
}

/** Prints the result of a refund. Sets exit code 1 while the refund is pending or refused. */
function printRefund(
  { refund, payment, given, refused }: RefundResult,
  terminal: Terminal,
  isPart = false,
): void {
  const what = `${moneyText(refund)}${isPart || payment.provider === counter ? fromText(payment) : ''}`;
  if (refused !== undefined || !given) terminal.exitCode = 1;
  if (refused !== undefined) {
    terminal.print(
      `Refund of ${what} was refused: ${refused}. Run "npm run shop -- refunds retry ${refund.id}" to try again.`,
    );
    return;
  }
  if (given && payment.provider === counter)
    terminal.print(`Recorded a refund of ${what}. Hand it to the customer.`);
  else
    terminal.print(
      given
        ? `Refunded ${what}.`
        : `Refund of ${what} is pending: the payment provider hasn't confirmed it. The shop retries every minute; run "npm run shop -- reconcile" to retry now.`,
    );
}

function moneyText({ amount, tip, currency }: Pick<Refund, 'amount' | 'tip' | 'currency'>): string {
  return `${formatMerchantMoney(amount, currency)}${tip > 0 && tip < amount ? ` (${formatMerchantMoney(tip, currency)} tip)` : ''}`;
}

function fromText({ provider, kind }: Payment): string {
  return provider === counter ? ` paid at the counter (${kind})` : ` paid by ${provider}`;
}

export const refunds: CommandSetup = (program, terminal) => {
  const command = program
    .command('refunds')
    .description('Lists and settles refunds that a provider refused or delays.');
  const list = command.command('list', { isDefault: true });
  list.description('Lists refunds that a provider refused or delays.');
  list.reads(() => withShop(terminal, (services) => printRefunds(services, terminal)));
  const retry = command.command('retry <refund>').description('Asks the provider again.');
  retry.changes('same', (id: string) =>
    withShop(terminal, async ({ payments }, run) =>
      printRefund(await payments.refunds.retry(run, id), terminal),
    ),
  );
  const settle = command.command('settle <refund>').description('Records a refund as paid another way.');
  settle.changes('same', (id: string) =>
    withShop(terminal, async ({ payments }, run) => {
      const { amount, currency } = await run((change) => payments.refunds.settle(change, id));
      terminal.print(
        `Recorded ${formatMerchantMoney(amount, currency)} as returned another way. No email was sent.`,
      );
    }),
  );
};

async function printRefunds({ payments: { refunds } }: Services, terminal: Terminal): Promise<void> {
  const [refused, delayed] = await Promise.all([refunds.refused(), refunds.delayed()]);
  for (const problem of refused) terminal.print(`REFUSED  ${refundLine(problem, terminal.timeZone)}`);
  for (const problem of delayed) terminal.print(`DELAYED  ${refundLine(problem, terminal.timeZone)}`);
  if (refused.length + delayed.length === 0) terminal.print('No refunds need attention.');
  if (refused.length > 0)
    terminal.print(
      'Run "npm run shop -- refunds retry <refund id>" to try again. ' +
        'If you returned the money another way, run "npm run shop -- refunds settle <refund id>".',
    );
  if (refused.length > 0) terminal.exitCode = 1;
}

/** One line about a refund: amount, order and customer, provider, reason, and the id for further commands. */
export function refundLine({ refund, payment }: DueRefund, timeZone: string): string {
  const { orderNumber, contact } = payment;
  const name = contact ? `${contact.firstName} ${contact.lastName}`.trim() : '';
  const line = [
    formatMerchantMoney(refund.amount, refund.currency),
    orderNumber ? `order ${orderNumber}` : 'late payment without an order',
    [name, contact?.email ?? ''].filter(Boolean).join(', '),
    `${payment.provider} ${payment.providerId ?? payment.reference}`,
    refund.providerNote ?? '',
    `refund id ${refund.id}`,
    isoTime(refund.createdAt, timeZone),
  ]
    .filter(Boolean)
    .join(' · ');
  // Customers typed the names and addresses.
  return printable(line);
}

/**
 * One line such as "Dispute dp_1: $85.88, open since 2026-05-16T10:00-04:00, fraudulent. Answer it by … in the provider's
 * dashboard."
 */
export function disputeLine(
  { id, amount, currency, state, reason, at, respondBy }: Dispute,
  timeZone: string,
): string {
  const since = `${state}${state === 'open' ? ' since' : ', opened'} ${isoTime(at, timeZone)}`;
  const answer =
    respondBy === null ? '' : `. Answer it by ${isoTime(respondBy, timeZone)} in the provider's dashboard`;
  return `Dispute ${id}: ${[formatMerchantMoney(amount, currency), since, reason].filter(Boolean).join(', ')}${answer}`;
}

export function stockQuestion(number: string): string {
  return (
    `order ${number} was refunded outside the shop or lost to a dispute. If its items came back, ` +
    `run "npm run shop -- orders restock ${number}"; if not, add --none`
  );
}

/** One line such as "order MC-2026-000204: pickup 2026-12-26T11:00-05:00 at main-street, which is closed then". */
export function closedPickupLine({ number, pickupAt, storeId }: OrderHead, timeZone: string): string {
  return `order ${number}: pickup ${pickupAt === null ? '' : isoTime(pickupAt, timeZone)} at ${storeId}, which is closed then`;
}

export const reconcile: CommandSetup = (program, terminal) => {
  const command = program.command('reconcile');
  command.description('Checks pending payments, sends due refunds and releases expired holds.');
  command.option(
    '--since <day>',
    'Also compares the payments that the providers have taken since this day with the orders.',
    instant,
  );
  command.changes('same', async ({ since }: { since?: string }) => {
    await withShop(terminal, async (shop) => {
      const { payments } = shop;
      const { placed, ended, open, givenUp, refunded, refused, lapsed } = await payments
        .reconcile()
        .catch((error: unknown) => {
          throw error instanceof AggregateError ? new CommandError(error.message) : error;
        });
      terminal.print(
        `Orders placed: ${placed}. Payments failed: ${ended}. Payments pending: ${open}. Refunds sent: ${refunded}. Refunds refused: ${refused}. Holds expired: ${lapsed}.`,
      );
      for (const { provider, providerId, reference, orderId, reason } of givenUp)
        terminal.print(
          `Gave up on ${provider} payment ${providerId ?? reference} of order ${orderId}: ${reason}. Check the provider's dashboard.`,
        );
      if (since !== undefined) await compare(shop, since, terminal);
    });
  });
};

const findingWords = {
  noOrder: 'NO ORDER',
  amount: 'AMOUNT  ',
  refunds: 'REFUNDS ',
  notTaken: 'NOT TAKEN',
} as const;

/** One line such as "NOT TAKEN  <provider> pi_1: order MC-2026-000204 counts as paid with $85.88, which the provider does not have". */
function findingLine({ kind, provider, taken, payment }: MoneyFinding): string {
  const money = (cents: number, currency: string) => formatMerchantMoney(cents, currency);
  const order = payment ? `order ${payment.orderNumber ?? payment.orderId}` : '';
  const listed = taken && money(taken.amount, taken.currency);
  const back = taken && taken.refunded > 0 ? `, ${money(taken.refunded, taken.currency)} of it refunded` : '';
  const begin = taken
    ? `${provider} ${taken.id}: ${listed}${back}, ${new Date(taken.at).toISOString()}; `
    : '';
  if (!payment) {
    const names = [
      taken?.orderNumber && `order number ${taken.orderNumber}`,
      `reference ${taken?.reference}`,
    ];
    return `${begin}no order accounts for it (${names.filter(Boolean).join(', ')})`;
  }
  const paid = money(payment.amount, payment.currency);
  if (kind === 'amount') return `${begin}the ${order} has ${paid}`;
  if (kind === 'refunds')
    return `${begin}the ${order} has ${money(payment.refunded, payment.currency)} as refunded`;
  return `${provider} ${payment.providerId ?? payment.reference}: ${order} counts as paid with ${paid}, which the provider does not have`;
}

/** Prints where the money of the providers and that of the orders differ, either way. */
async function compare({ payments, orders }: Services, since: string, terminal: Terminal): Promise<void> {
  const { timeZone } = await orders.settings();
  const from = instantOf(since, timeZone);
  const { findings, compared } = await payments.compareMoney(from);
  for (const finding of findings)
    terminal.print(printable(`${findingWords[finding.kind]}  ${findingLine(finding)}`));
  for (const { provider, count, problem } of compared)
    terminal.print(
      problem === null
        ? `Compared ${countOf(count, `${provider} payment`)} since ${new Date(from).toISOString()}.`
        : printable(`NOT COMPARED  ${provider}: ${problem}`),
    );
  if (compared.length === 0) terminal.print('No payment provider is set up, so there is nothing to compare.');
  if (findings.length > 0)
    terminal.print(
      'Look each payment up in the dashboard of its provider. Place an order that is missing again with the customer, or refund the payment there. Do not hand over an order whose money was not taken.',
    );
  if (findings.length > 0 || compared.some(({ problem }) => problem !== null)) terminal.exitCode = 1;
}
