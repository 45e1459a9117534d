/**
 * The ways from an agent to the shop's own pages: the link of a cart, and `/buy/<id>:<quantity>,…`. Both lead to a page that says what
 * they bring; nothing changes before its visitor presses the button. Nobody is signed in by them, nobody's session is handed over, and
 * nothing that the agent said of a person comes along: whoever follows a link may be somebody else.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { localizePath } from '#contract/locales.ts';
import { canonicalSelections } from '#contract/rules/modifiers.ts';
import type { Order } from '#contract/schemas/order.ts';
import { sendRejection } from '#server/http/rejection-page.ts';
import { sendSession, sessionOf } from '#server/http/session-cookie.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { localeOf, translate } from '#server/platform/i18n.ts';
import { createMeter, type Meter } from '#server/platform/rate-limits/meter.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import {
  type AgentCartRow,
  findAgent,
  findCartByLink,
  linkOrder,
  ordersOfCart,
} from './agents.repository.ts';
import { cartLinkPage, pageHeaders } from './cart-link-page.ts';
import { chooseFulfilment } from './fulfilment.ts';
import { skusOf } from './lines.ts';
import { type Message, refusalOf } from './protocol.ts';
import type { LineInput } from './requests.ts';
import { openSale, type Sale, type SalesDeps, type Visit } from './sales.ts';

type Deps = SalesDeps & { rateLimits: RateLimitsService; opened: Meter };

/** Links that are opened, by network: about a unit for each line that they bring or that is in the visitor's cart. */
const openedLimits = { burst: 1500, perSecond: 25 };

/** What a link brings, and where its visitor goes on. */
interface Offer {
  lines: readonly LineInput[];
  code: string | null;
  path: string;
  /** Of an agent's cart. */
  from: { row: AgentCartRow; sale: Sale } | null;
}

type ReadOffer = (visit: Visit, request: FastifyRequest) => Promise<Offer | null>;

export function createCartLinks(given: Omit<Deps, 'opened'>) {
  const deps = { ...given, opened: createMeter({ now: given.now, ...openedLimits }) };
  return {
    showCart: forPerson(show.bind(null, deps, cartOffer)),
    takeCart: forPerson(take.bind(null, deps, cartOffer)),
    showItems: forPerson(show.bind(null, deps, itemsOffer)),
    takeItems: forPerson(take.bind(null, deps, itemsOffer)),
  };
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Why a link does not work is told on a page, in the visitor's language. */
function forPerson(handle: Handle): Handle {
  return async (request, reply) => {
    try {
      return await handle(request, reply);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const locale = localeOf(request.query);
      return sendRejection(request, reply, error, locale, {
        path: localizePath('/cart', locale),
        text: translate(locale)('cart.title'),
      });
    }
  };
}

async function cartOffer(visit: Visit, request: FastifyRequest): Promise<Offer | null> {
  const { link } = request.params as { link: string };
  const row = /^[\w-]{43}$/.test(link) ? await findCartByLink(visit.db.read, link) : undefined;
  if (!row || row.canceled) return null;
  const sale = await openSale(visit, row);
  const lines = sale.cart.lineItems.map(({ sku, quantity, modifiers, note }) => ({
    item: { id: sku },
    quantity,
    ...(modifiers.length > 0 ? { modifiers: canonicalSelections(modifiers) } : {}),
    ...(note === '' ? {} : { note }),
  }));
  const path = localizePath(row.is_checkout ? '/checkout' : '/cart', visit.locale);
  return { lines, code: sale.request.discounts?.codes?.[0] ?? null, path, from: { row, sale } };
}

async function itemsOffer({ origin, locale }: Visit, request: FastifyRequest): Promise<Offer> {
  const { items } = request.params as { items?: string };
  const query = new URLSearchParams(request.url.split('?')[1]);
  const lines = items === undefined ? [] : items.split(',').map(lineIn);
  if (lines.length > limits.cartLinesMax || lines.some((line) => line === null)) throw notFound();
  const path = pathIn(query.getAll('continue_to'), origin()) ?? localizePath('/cart', locale);
  const code = query.get('discounts/codes/0')?.slice(0, 100) ?? null;
  return { lines: lines.flatMap((line) => line ?? []), code, path, from: null };
}

/** Says what a link brings. Changes nothing. */
async function show(
  deps: Deps,
  read: ReadOffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { visit, offer, own } = await open(deps, read, request);
  const { locale } = visit;
  if (!offer || offer.lines.length === 0 || (await hasTaken(deps, offer, own)))
    return goOn(reply, offer?.path ?? localizePath('/cart', locale));
  const found = await deps.products.soldAs(
    offer.lines.map(({ item }) => item.id),
    locale,
  );
  const items = offer.lines.flatMap(({ item: { id }, quantity }) => {
    const sold = found.get(id);
    return sold ? [{ quantity, name: [sold.productName, sold.optionText].filter(Boolean).join(' · ') }] : [];
  });
  const agent = offer.from ? await findAgent(deps.db.read, 'id', offer.from.row.agent_id) : undefined;
  const page = cartLinkPage(
    {
      items,
      missing: offer.lines.length - items.length,
      own: own.lineItems.reduce((sum, { quantity }) => sum + quantity, 0),
      host: agent ? new URL(agent.profile).hostname : null,
      action: request.url,
      back: localizePath('/', locale),
    },
    locale,
  );
  return reply
    .headers({ ...pageHeaders, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page);
}

/** Puts what a link brings in the cart of whoever pressed the button, once. */
async function take(
  deps: Deps,
  read: ReadOffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { visit, session, offer, own } = await open(deps, read, request);
  const { cart, db, rateLimits, turns } = deps;
  const { locale } = visit;
  if (!offer) return goOn(reply, localizePath('/cart', locale));
  if (offer.lines.length > 0 && !(await hasTaken(deps, offer, own))) {
    await rateLimits.count([['cartLinkAddress', networkOf(request.ip), offer.lines.length]]);
    // What cannot be had is not in the cart, which says it.
    const unavailable: Message[] = [];
    const wanted = await skusOf(visit, offer.lines, unavailable);
    const { order } = await turns(() => cart.replace(session, wanted, locale, { keeps: true }));
    const isOwnEmpty = own.lineItems.length === 0;
    if (offer.code && own.bill.coupon === null)
      await ignoringRefusals(() => deps.couponEntry.verify(session, offer.code ?? '', request.ip, locale));
    const { orderID } = order;
    if (offer.from && orderID !== null && isOwnEmpty) {
      const { row, sale } = offer.from;
      await db.transaction((trx) => linkOrder(trx, orderID, row, unitsIn(order)));
      if (own.method === null && row.is_checkout)
        await ignoringRefusals(() =>
          chooseFulfilment(visit, { ...sale, session, cart: order, request: impersonal(sale.request) }),
        );
    }
  }
  await session.prolong();
  sendSession(request, reply, session);
  return goOn(reply, offer.path);
}

/** What the link brings, beside the visitor's own cart. How much both cost is known once they are read. @throws {AppError} RATE_LIMITED */
async function open(deps: Deps, read: ReadOffer, request: FastifyRequest) {
  const visit: Visit = { ...deps, locale: localeOf(request.query), address: request.ip };
  const session: SessionHandle = sessionOf(request, deps.sessions);
  const network = networkOf(request.ip);
  deps.opened.use(network, 1);
  const offer = await read(visit, request);
  deps.opened.charge(network, offer?.lines.length ?? 0);
  const own = await deps.cart.get(session, visit.locale);
  deps.opened.charge(network, own.lineItems.length);
  return { visit, session, offer, own };
}

const goOn = (reply: FastifyReply, path: string) =>
  reply.header('cache-control', 'no-store').redirect(path, 303);

/** Whether the visitor's cart is what they made of this link before. */
async function hasTaken({ db }: Deps, { from }: Offer, own: Order): Promise<boolean> {
  return from !== null && (await ordersOfCart(db.read, from.row.id)).some(({ id }) => id === own.orderID);
}

function unitsIn({ lineItems }: Order): Record<string, number> {
  const units: Record<string, number> = {};
  for (const { sku, quantity } of lineItems) units[sku] = (units[sku] ?? 0) + quantity;
  return units;
}

/** Store and method come along, and the region that tax depends on; name, address and email are typed by whoever pays. */
function impersonal({ context, discounts, fulfillment }: Sale['request']): Sale['request'] {
  const methods = fulfillment?.methods?.map(({ destinations, ...method }) => ({
    ...method,
    ...(destinations ? { destinations: destinations.map(regionOf) } : {}),
  }));
  return { context, discounts, fulfillment: methods ? { methods } : undefined };
}

type Destination = Partial<Record<'id' | 'address_country' | 'address_region', string>>;
const regionOf = ({ id, address_country: country, address_region: region }: Destination): Destination => ({
  ...(id === undefined ? {} : { id }),
  ...(country === undefined ? {} : { address_country: country }),
  ...(region === undefined ? {} : { address_region: region }),
});

async function ignoringRefusals(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    refusalOf(error);
  }
}

/** `<id>:<quantity>`; an id with other characters is `~` and its base64url. Null for anything else. */
function lineIn(part: string): LineInput | null {
  const [, token = '', quantity = '1'] = /^(~?[\w.-]{1,300})(?::([1-9]\d{0,2}))?$/.exec(part) ?? [];
  const encoded = token.startsWith('~') ? token.slice(1) : null;
  const bytes = Buffer.from(encoded ?? '', 'base64url');
  if (encoded !== null && (bytes.toString('base64url') !== encoded || !isUtf8(bytes))) return null;
  const id = encoded === null ? token : bytes.toString();
  return id === '' || /\p{Cc}/u.test(id) ? null : { item: { id }, quantity: Number(quantity) };
}

/** Where the visitor goes on: a path of this shop, and nowhere else. Null if it is none, or there are two. */
function pathIn([wanted, ...others]: readonly string[], origin: string): string | null {
  if (
    others.length > 0 ||
    !wanted?.startsWith('/') ||
    wanted.startsWith('//') ||
    /[\s\\\p{Cc}]|:\/\//u.test(wanted)
  )
    return null;
  const url = URL.parse(wanted, origin);
  // `/.//host` is a path, and what is left of it would be another host.
  return url?.origin === new URL(origin).origin && !url.pathname.startsWith('//')
    ? url.pathname + url.search
    : null;
}
