/**
 * Encodes a product's position in the default order as one number: in stock before sold out, new arrivals first, then the newest.
 * It is unique, because it ends in the product's own number.
 *
 * Bits from the top: sold out 1 · not new 1 · minutes before `latest` 25 · product number 24.
 */
import { minuteMs } from '#server/platform/durations.ts';

const numberSpace = 2 ** 24;
const minuteSpace = 2 ** 25;
const epoch = Date.UTC(2015, 0, 1);

/** Keys of sold-out products start here. */
export const soldOutFrom = numberSpace * minuteSpace * 2;
/** The most products a shop can ever create. */
export const highestProductNo = numberSpace - 1;

export interface OrderFacts {
  no: number;
  soldOut: boolean;
  newArrival: boolean;
  /** Epoch ms. Times before 2015 and after 2078 are clamped. */
  createdAt: number;
}

export function orderKey({ no, soldOut, newArrival, createdAt }: OrderFacts): number {
  const minute = Math.min(Math.max(Math.floor((createdAt - epoch) / minuteMs), 0), minuteSpace - 1);
  const age = minuteSpace - 1 - minute;
  return (soldOut ? soldOutFrom : 0) + (newArrival ? 0 : soldOutFrom / 2) + age * numberSpace + no;
}
