import Type from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { Success } from '../schemas/account.ts';
import { LangQuery, Strict } from '../schemas/common.ts';
import { OrderByLink, PickupTime } from '../schemas/order.ts';

const lang = Strict(LangQuery);
/** Any text: an unknown token answers the same, whatever its form. */
const params = Strict({ token: Type.String({ minLength: 1, maxLength: 500 }) });

/** All of them count against the caller's network, so that the first changes something as well. */
export const orderLinkEndpoints = {
  orderLink: {
    route: 'GET orderLink/:token',
    summary: 'The order of a link from an email, without what identifies its buyer. 410 for a link that ended or was revoked.',
    audience: 'session',
    changes: true,
    params,
    query: lang,
    response: OrderByLink,
  },
  orderLinkCancel: {
    route: 'POST orderLink/:token/cancel',
    summary: 'Cancels a reservation that has not been paid. Cancelling it again changes nothing.',
    audience: 'session',
    changes: true,
    params,
    query: lang,
    body: Type.Optional(Strict({})),
    response: OrderByLink,
  },
  orderLinkPickup: {
    route: 'POST orderLink/:token/pickup',
    summary: 'Moves the pickup to another time of its store.',
    audience: 'session',
    changes: true,
    params,
    query: lang,
    body: PickupTime,
    response: OrderByLink,
  },
  orderLinkRevoke: {
    route: 'POST orderLink/:token/revoke',
    summary: 'Revokes all links to the order.',
    audience: 'session',
    changes: true,
    params,
    query: lang,
    body: Type.Optional(Strict({})),
    response: Success,
  },
} as const satisfies Record<string, Endpoint>;
