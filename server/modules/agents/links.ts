/**
 * The ways from an agent to the shop's own pages: the link of a cart brings it into the cart of whoever follows it, and
 * `/buy/<id>:<quantity>,…` fills a cart. Nobody is signed in by them, and nobody's session is handed over: the visitor keeps their
 * own, and the agent never sees what they enter.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { localizePath } from '#contract/locale-path.ts';
import { canonicalSelections } from '#contract/rules/modifiers.ts';
import { sendSession, sessionOf } from '#server/http/session-cookie.ts';
import { notFound } from '#server/platform/errors.ts';
import { localeOf } from '#server/platform/i18n.ts';
import { findAgentCart, linkOrder, ordersOfCart } from './agents.repository.ts';
import { chooseFulfilment } from './fulfilment.ts';
import { linesIn, replaceLines } from './lines.ts';
import { refusalOf } from './protocol.ts';
import type { LineInput } from './requests.ts';
import { openSale, type SalesDeps } from './sales.ts';

export async function continueCart(deps: SalesDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { db, cart, sessions } = deps;
  const lang = localeOf(request.query);
  const row = await findAgentCart(db.read, (request.params as { id: string }).id);
  const session = sessionOf(request, sessions);
  const go = (path: string) => reply.header('cache-control', 'no-store').redirect(localizePath(path, lang), 303);
  if (!row || row.canceled) return go('/cart');
  const visit = { ...deps, locale: lang, address: request.ip };
  const sale = await openSale(visit, row);
  const own = await cart.get(session, lang);
  const known = await ordersOfCart(db.read, row.id);
  // Who follows the link twice gets nothing twice.
  if (!known.some(({ id }) => id === own.orderID)) {
    for (const { sku, quantity, modifiers, note } of sale.cart.lineItems)
      await ignoringRefusals(() => cart.add(session, sku, { quantity, modifiers: canonicalSelections(modifiers), note }, lang));
    const filled = await cart.get(session, lang);
    const { orderID } = filled;
    if (orderID === null || filled.lineItems.length === 0) return go('/cart');
    await db.transaction((trx) => linkOrder(trx, orderID, row));
    const [code] = sale.request.discounts?.codes ?? [];
    if (code) await ignoringRefusals(() => deps.couponEntry.verify(session, code, request.ip, lang));
    if (own.method === null && row.is_checkout)
      await ignoringRefusals(() => chooseFulfilment(visit, { ...sale, session, cart: filled }));
  }
  await session.prolong();
  sendSession(request, reply, session);
  return go(row.is_checkout ? '/checkout' : '/cart');
}

/** What cannot be had is not in the cart, which says it. */
async function ignoringRefusals(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    refusalOf(error);
  }
}

export async function buy(deps: SalesDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const lang = localeOf(request.query);
  const { items } = request.params as { items?: string };
  const query = new URLSearchParams(request.url.split('?')[1]);
  const lines = items === undefined ? [] : items.split(',').map(lineIn);
  if (lines.length > limits.cartLinesMax || lines.some((line) => line === null)) throw notFound();
  const session = sessionOf(request, deps.sessions);
  const before = await deps.cart.get(session, lang);
  const kept = linesIn(before);
  const wanted = lines.flatMap((line) => line ?? []).filter(({ item }) => !kept.some((line) => line.item.id === item.id));
  await replaceLines({ ...deps, locale: lang, address: request.ip }, session, [...kept, ...wanted]);
  await session.prolong();
  sendSession(request, reply, session);
  const code = query.get('discounts/codes/0');
  if (code) await ignoringRefusals(() => deps.couponEntry.verify(session, code.slice(0, 100), request.ip, lang));
  const path = pathIn(query.getAll('continue_to'), deps.origin()) ?? localizePath('/cart', lang);
  return reply.header('cache-control', 'no-store').redirect(path, 303);
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
  if (others.length > 0 || !wanted?.startsWith('/') || wanted.startsWith('//') || /[\s\\\p{Cc}]|:\/\//u.test(wanted)) return null;
  const url = URL.parse(wanted, origin);
  // `/.//host` is a path, and what is left of it would be another host.
  return url?.origin === new URL(origin).origin && !url.pathname.startsWith('//') ? url.pathname + url.search : null;
}
