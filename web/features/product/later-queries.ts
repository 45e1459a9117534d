import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, callQuery } from '#web/lib/api.ts';

export function dayInZone(at: number, timeZone: string): string {
  // Canadian English formats dates as ISO 8601 does.
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);
}

export function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** What makes a set with a product. Never part of a rendered page: it shows what is in stock. */
export const productSetQuery = (api: ApiClient, productid: string) =>
  callQuery(api, 'productSet', { params: { productid } });

const daysAhead = 3;

/** The earliest pickup time at a store (epoch ms); null if there is none within those days. */
export function firstPickupQuery(api: ApiClient, localStoreName: string, timeZone: string) {
  return queryOptions({
    queryKey: ['pickup', 'first', localStoreName],
    queryFn: async ({ signal }) => {
      let date = dayInZone(Date.now(), timeZone);
      for (let day = 0; day <= daysAhead; day += 1) {
        const { slots } = await api.call('pickupSlots', { query: { localStoreName, date }, signal });
        const free = slots.find(({ available }) => available);
        if (free) return free.at;
        date = nextDay(date);
      }
      return null;
    },
    staleTime: 60_000,
  });
}

/** When a parcel ordered now would arrive, and what shipping costs. It changes at the shop's midnight, so no page contains it. */
export const deliveryPromiseQuery = (api: ApiClient) =>
  callQuery(api, 'deliveryPromise', {}, { staleTime: 600_000 });
