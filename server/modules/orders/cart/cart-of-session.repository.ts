/** Reads a session together with the state of its cart, in one statement. */
import type { KeyedQuery } from '#db/keyed-reader.ts';
import { type SessionRow, sessionColumns } from '#server/platform/sessions/session-row.ts';
import { stockOfSku, stockSeparator } from '../order-lines.repository.ts';

/** A session with its carts, each null if there is none: the guest's by the session, the customer's by their id. */
export interface SessionWithCart extends SessionRow {
  guest_id: string | null;
  guest_state: string | null;
  guest_version: number | null;
  guest_updated_at: number | null;
  own_id: string | null;
  own_state: string | null;
  own_version: number | null;
  own_updated_at: number | null;
  /** The stock of the cart's lines, as `LiveLines.stockText`; null for a cart without lines. */
  stock: string | null;
}

const stateOf = (cart: 'guest' | 'own') =>
  `${cart}.id as ${cart}_id, ${cart}.state as ${cart}_state, ${cart}.version as ${cart}_version, ${cart}.updated_at as ${cart}_updated_at`;

export const sessionWithCart: KeyedQuery = {
  columns: `${sessionColumns}, ${stateOf('guest')}, ${stateOf('own')},
    (select string_agg(coalesce(${stockOfSku('line.sku')}, ''), '${stockSeparator}' order by line.position, line.sku)
      from order_lines as line where line.order_id = coalesce(own.id, guest.id)) as stock`,
  from: `sessions
    left join orders as guest on guest.session_hash = sessions.id_hash and guest.state in ('cart', 'paying')
    left join orders as own on own.customer_id = sessions.customer_id and own.state in ('cart', 'paying')`,
  key: 'sessions.id_hash',
};
