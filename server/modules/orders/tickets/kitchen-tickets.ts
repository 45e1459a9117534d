/** Tells the store of each new order: by a ticket on printers that speak ESC/POS over the network (`TICKET_PRINTERS`), and by notices on devices. */
import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { receiverLines } from '#contract/addresses.ts';
import { inLocale, isLocale, type Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Trx } from '#db/database.ts';
import { addToFeed } from '#db/feed.ts';
import type { ConnectionTest } from '#server/modules/connections/index.ts';
import type { AlertsService, CustomerChange, LineDelta } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StaffPush } from '#server/modules/staff/index.ts';
import {
  type Delivery,
  type DeliveryQueue,
  type Outcome,
  type Sender,
  ticketKind,
} from '#server/platform/deliveries/delivery-queue.ts';
import type { TicketPrinter } from '#server/platform/env.ts';
import { translate } from '#server/platform/i18n.ts';
import { hourMs, minuteMs } from '#server/platform/time-zone.ts';
import { noPaper, pushLane } from '../emails/order-emails.ts';
import { briefTime, deliverBy, type MailClock } from '../emails/order-parts.ts';
import type { CustomerOrders } from '../order/customer-orders.ts';

/** A printer that is off or out of paper is tried again this often, ms; after `giveUpMs` nobody waits for the ticket any more. */
const retryMs = 10_000;
const giveUpMs = 6 * hourMs;
/** The attempt after which the merchant is told, about a minute after the first. */
const alertAttempt = 6;
/** Connecting, and each wait for the printer, ms. */
const timeoutMs = 5000;
/** A printer that does not tell its state, or end the connection, within this time is one that never does, ms. */
const silentMs = 1000;

/** A notice is no news after this long, ms. */
const noticeMs = 10 * minuteMs;
/** What the lane of a device begins with. */
const deviceLane = `${pushLane} `;

interface TicketData {
  orderId: string;
  lines?: readonly LineDelta[] | undefined;
  what?: CustomerChange | undefined;
}

interface TicketsDeps {
  now: () => number;
  printers: () => Promise<readonly TicketPrinter[]>;
  customers: Pick<CustomerOrders, 'forMail'>;
  alerts: AlertsService;
  deliveries: Pick<DeliveryQueue, 'enqueue'>;
  /** Null: no device is notified. */
  push: StaffPush | null;
}

/**
 * Sends tickets, each printer's one after another. What the printer has taken before the process dies is printed once more: a
 * ticket has its order's number.
 */
export function createTicketSender(deps: TicketsDeps): Sender {
  const { now, printers, customers, alerts, push } = deps;
  /** Desk and kitchen look again: they show which tickets wait for a printer. */
  const tellRooms = (trx: Trx, { orderNumber, localStoreName }: Order) =>
    addToFeed(trx, [{ at: now(), topic: 'order', subject: orderNumber ?? '', store_id: localStoreName }]);
  return {
    atOnce: 1,
    claimMs: 6 * timeoutMs,
    async send(delivery): Promise<Outcome> {
      const { recipient, language, body, attempts, created_at } = delivery;
      const printer = (await printers()).find(({ lane }) => lane === recipient);
      const { orderId, lines, what } = JSON.parse(body) as TicketData;
      const placed = await customers.forMail(orderId, isLocale(language) ? language : 'en');
      if (push && placed && recipient?.startsWith(pushLane))
        return sendNotice({ ...deps, push }, delivery, placed.order);
      // Of an order that is cancelled before its ticket is printed, nobody has heard in the kitchen.
      if (!printer || !placed || (placed.order.state === 'cancelled' && what !== 'cancelled'))
        return { change: null };
      try {
        const clock = { locale: isLocale(language) ? language : 'en', timeZone: placed.order.timeZone };
        await print(printer, await encode(printer, ticketText(placed.order, clock, { lines, what })));
        return {
          change: { state: 'delivered', attempted_at: now(), answer: null },
          record: async (trx) => void (attempts > 1 && (await tellRooms(trx, placed.order))),
        };
      } catch (error) {
        const answer = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
        const values = { printer: printer.lane, address: `${printer.host}:${printer.port}`, reason: answer };
        const day = new Date(now()).toISOString().slice(0, 10);
        return {
          change:
            now() - created_at > giveUpMs
              ? { state: 'failed', answer }
              : { state: 'waiting', due_at: now() + retryMs, answer },
          record: async (trx) => {
            if (attempts === 1) await tellRooms(trx, placed.order);
            if (attempts >= alertAttempt)
              await alerts.raiseOnce(trx, {
                kind: 'printerAway',
                values,
                reference: `${printer.lane}:${day}`,
              });
          },
        };
      }
    },
  };
}

/**
 * The notice of an order becomes one for each device, so that each is told once, and one that is away is tried again alone. A notice
 * that is no news any more is dropped.
 */
async function sendNotice(
  { now, push, deliveries }: TicketsDeps & { push: StaffPush },
  { id, recipient, created_at, body, language, order_id }: Delivery,
  { orderNumber, localStoreName: storeId }: Order,
): Promise<Outcome> {
  const { what } = JSON.parse(body) as TicketData;
  const notice = { number: orderNumber ?? '', storeId, what };
  if (recipient?.startsWith(deviceLane)) {
    const isTold = await push.tell(recipient.slice(deviceLane.length), notice).catch(() => false);
    if (isTold) return { change: { state: 'delivered', attempted_at: now() } };
    return { change: now() - created_at > noticeMs ? null : { state: 'waiting', due_at: now() + retryMs } };
  }
  const devices = await push.devices(notice);
  const rows = devices.map((session) => ({
    id: randomUUID(),
    kind: ticketKind,
    body,
    language,
    order_id,
    recipient: deviceLane + session,
    reference: `${ticketKind}:${id}:${deviceLane}${session}`,
  }));
  return {
    change: { state: 'delivered', attempted_at: now() },
    record: async (trx) => void (rows.length > 0 && (await deliveries.enqueue(trx, rows))),
  };
}

/**
 * The ticket in receiptline's markup: what to make, or only what `changed`, for where and when. No prices, and of the buyer only the
 * first name, unless somebody has to find their door.
 */
function ticketText(
  order: Order,
  clock: MailClock,
  { lines: changed, what }: Pick<TicketData, 'lines' | 'what'>,
): string {
  const t = translate(clock.locale);
  const { method, partySize, pickupDate, placedAt, orderNumber, customerComment, orderContact, lineItems } =
    order;
  const by = deliverBy(order);
  const receiver = method === 'shipping' ? receiverLines({ ...order, contact: orderContact }) : [];
  const rows = [
    [t('confirm.number'), orderNumber ?? ''],
    [t('confirm.pickup.when'), pickupDate === null ? '' : briefTime(pickupDate, clock)],
    [t('mail.newOrder.deliverBy'), by === null ? '' : briefTime(by, clock)],
    [t('checkout.partySize.label'), partySize === undefined ? '' : String(partySize)],
    [t('mail.newOrder.placed'), placedAt === null ? '' : briefTime(placedAt, clock)],
    [t('account.order.contact'), method === 'shipping' ? '' : (orderContact?.firstName ?? '')],
  ];
  return [
    '{width:auto; text:wrap}',
    ...(changed || what ? [`^^^${plain(t(`ticket.${what ?? 'changed'}`))}`] : []),
    `^^^${plain(placeOf(order, clock.locale))}`,
    ...rows
      .filter(([, value]) => value)
      .map(([label = '', value = '']) => `${plain(label)} | ${plain(value)}`),
    ...(receiver.length > 0 && !changed ? ['-', ...receiver.map((line) => `|^${plain(line)}`)] : []),
    '-',
    '{width:5 *}',
    ...(changed
      ? changed.flatMap((delta) => changeRows(delta, lineItems, clock.locale))
      : lineItems.flatMap((line) => lineRows(line, clock.locale))),
    '{width:auto}',
    ...(customerComment && !changed ? ['-', `|"${plain(customerComment)}"`] : []),
    '=',
  ].join('\n');
}

/** Prints a ticket on each printer, which says whose it is. Returns at the first that does not. */
export function createPrinterTest({
  printers: current,
  settings,
}: {
  printers: () => Promise<readonly TicketPrinter[]>;
  settings: Pick<SettingsService, 'all'>;
}): ConnectionTest {
  return async () => {
    const [printers, { staffLanguage }] = await Promise.all([current(), settings.all()]);
    if (printers.length === 0) return { works: false, text: 'office.connections.test.off' };
    const t = staffTranslate(staffLanguage);
    for (const printer of printers) {
      const address = `${printer.host}:${printer.port}`;
      const text = [
        `^^^${plain(t('office.connections.printers.test.ticket'))}`,
        '-',
        plain(printer.lane),
        plain(address),
        '=',
      ].join('\n');
      try {
        await print(printer, await encode(printer, text));
      } catch (error) {
        const isEmpty = (error as Error).message === noPaper;
        const values = { printer: printer.lane, address };
        return {
          works: false,
          text: `office.connections.printers.test.${isEmpty ? 'noPaper' : 'away'}`,
          values,
        };
      }
    }
    return {
      works: true,
      text: 'office.connections.printers.test.printed',
      values: { count: printers.length },
    };
  };
}

function placeOf({ tableNumber, method, shippingNameContent }: Order, locale: Locale): string {
  const t = translate(locale);
  if (tableNumber) return t('account.order.table', { table: tableNumber });
  return shippingNameContent
    ? inLocale(shippingNameContent, locale)
    : t(`checkout.method.${method ?? 'shipping'}`);
}

function lineRows(line: Order['lineItems'][number], locale: Locale): string[] {
  const { quantity, nameContent, optionText, modifierText, note } = line;
  return [
    `|^^${quantity}× |^^${plain(inLocale(nameContent, locale))} |`,
    ...[optionText, modifierText].filter(Boolean).map((text = '') => `| |${plain(text)} |`),
    ...(note ? [`| |\`${plain(note)}\` |`] : []),
  ];
}

/** Only the units that came or went. A note that alone was changed stands with all units of its line. */
function changeRows(
  { line: id, name, text, from, to }: LineDelta,
  lines: Order['lineItems'],
  locale: Locale,
): string[] {
  const sign = to > from ? '+' : to < from ? '−' : '';
  const note = lines.find((line) => line.id === id)?.note;
  return [
    `|^^${sign}${Math.abs(to - from) || to}× |^^${plain(inLocale(name, locale))} |`,
    ...(inLocale(text, locale) ? [`| |${plain(inLocale(text, locale))} |`] : []),
    ...(note && to > 0 ? [`| |\`${plain(note)}\` |`] : []),
  ];
}

/** Text as it is typed: receiptline has a meaning for these characters, and for lines of nothing but - or =. */
const plain = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\|{}~_"`^=-]/g, '\\$&');

async function encode({ columns, encoding }: TicketPrinter, text: string): Promise<Buffer> {
  const { transform } = await import('receiptline');
  // The library writes bytes as the characters of Latin 1.
  return Buffer.from(transform(text, { command: 'escpos', cpl: columns, encoding, cutting: true }), 'latin1');
}

/**
 * Resolves once the whole ticket is written. Printers end the connection then, reset it, or leave it open for ever, and each of them
 * has printed: only what fails before counts as a failure, as a ticket would be printed again otherwise.
 * @throws if the printer cannot be reached, or says that it has no paper
 */
async function print({ host, port }: TicketPrinter, bytes: Buffer): Promise<void> {
  // A printer may end its own side at once, as it has nothing to say.
  const socket = createConnection({ host, port, allowHalfOpen: true });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('ETIMEDOUT')));
  const timers: NodeJS.Timeout[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      let isTaken = false;
      const send = () => {
        if (socket.writableEnded) return;
        // One that has ended its side already may have hung up: what it is sent is lost if it resets the connection.
        const mayBeGone = socket.readableEnded;
        socket.end(bytes);
        socket.once('finish', () => {
          isTaken = !mayBeGone;
          timers.push(setTimeout(resolve, silentMs));
        });
      };
      // DLE EOT 4 asks for the state of the paper; bits 5 and 6 of the answer say that it has ended.
      socket.once('connect', () => {
        socket.write(Buffer.from([0x10, 0x04, 4]));
        timers.push(setTimeout(send, silentMs));
      });
      socket.once('data', (answer: Buffer) => {
        if (((answer[0] ?? 0) & 0x60) === 0) send();
        else reject(new Error(noPaper));
      });
      // Whatever else it says is read, so that its end is seen.
      socket.resume();
      socket.on('error', (error) => (isTaken ? resolve() : reject(error)));
      socket.once('close', () => (socket.writableFinished ? resolve() : reject(new Error('ECONNRESET'))));
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    socket.destroy();
  }
}
