import type { Reader } from '#db/database.ts';
import type { OrderHead } from '../order/order.ts';
import { findOrderByNumber } from '../order/orders.repository.ts';
import { FulfilmentError } from './fulfilment-error.ts';

/** Finds an order by its number, ignoring case and surrounding spaces. @throws {FulfilmentError} if there is none */
export async function orderByNumber(reader: Reader, number: string): Promise<OrderHead> {
  const order = await findOrderByNumber(reader, number.trim().toUpperCase());
  if (!order) throw new FulfilmentError(`There is no order ${number}.`);
  return order;
}
