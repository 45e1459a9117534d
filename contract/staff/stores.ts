/** The calls of the rooms Stores and Today: what a store is, has none of, and when it is closed. */
import Type, { type Static } from 'typebox';
import {
  CalendarDay,
  Cents,
  described,
  EpochMs,
  Flag,
  Id,
  LangQuery,
  LocalText,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { StoreInput } from '../schemas/store.ts';
import { documentCalls, ofDocument } from './documents.ts';
import { documentOf, Patch, type StaffEndpoint } from './endpoint.ts';

const store = Strict({ store: Id });

const StoreList = Type.Object({
  stores: Type.Array(
    Type.Object({
      id: Id,
      nameContent: LocalText,
      address: Type.String(),
      status: described('Whether it is open now, and until when.', Type.String()),
      display: Flag,
      allowPickup: Flag,
    }),
  ),
});

export const StoreTrial = Type.Object({
  currency: Type.String(),
  status: described('Whether it would be open now, and until when.', Type.String()),
  pickupTimes: described('The first times that the next shopper could choose.', Type.Array(EpochMs)),
  delivery: described(
    'By the zone that has the postal code; null if none has it.',
    Nullable(
      Type.Object({
        name: LocalText,
        feeCents: Cents,
        missingCents: described('To the minimum; 0: none.', Cents),
        at: EpochMs,
      }),
    ),
  ),
});
export type StoreTrial = Static<typeof StoreTrial>;

const TableCards = Type.Object({
  publicUrl: described('The address of the shop; null if it is not set.', Nullable(Type.String())),
  shopName: Type.String(),
  storeName: Type.String(),
  scan: described(
    'What guests are asked to do, first in the language of the cards.',
    Type.Array(Type.Object({ lang: Type.String(), text: Type.String() })),
  ),
  cards: described(
    'Of the tables from 1 on; none without tables.',
    Type.Array(Type.Object({ table: Type.String(), token: Type.String(), path: Type.String() })),
  ),
});
export type TableCards = Static<typeof TableCards>;

export const storeEndpoints = {
  tableCards: {
    tool: false,
    route: 'POST stores/:id/table-cards',
    repeat: 'seen',
    summary: 'What is printed on the cards of the tables, each with the address that its code opens.',
    needs: 'settings.stores',
    params: ofDocument,
    body: Strict({
      menu: described('The category whose products guests are shown.', Id),
      locale: described('The language of the cards.', Id),
      replaces: described(
        'The token of the first card as it was seen: all get new ones, and those from before are refused. Null for what there is.',
        Nullable(Type.String({ maxLength: 100 })),
      ),
    }),
    response: TableCards,
  },
  ...documentCalls('store', 'stores', {
    route: 'stores',
    called: 'a store',
    answer: documentOf(StoreInput),
    list: StoreList,
    needs: ['settings.stores', 'settings.stores'],
    add: Strict({
      id: Id,
      name: LocalText,
      phone: Type.String({ maxLength: 40 }),
      email: Type.String({ maxLength: 254 }),
    }),
    begins: 'that customers do not see yet, with the hours and the province of the first one',
  }),
  tryStore: {
    route: 'POST stores/:id/try',
    reads: true,
    summary: 'What a sample order would be offered after an edit. Changes nothing.',
    needs: 'settings.stores',
    params: ofDocument,
    body: Strict({
      edits: Patch.properties.edits,
      postCode: Type.String({ maxLength: 20 }),
      itemsCents: Cents,
    }),
    response: StoreTrial,
  },
} as const satisfies Record<string, StaffEndpoint>;

const Day = described('YYYY-MM-DD, in the time zone of the store.', CalendarDay);
const Item = described(
  '`sku:…`, `product:…` or `modifier:<group>/<id>`.',
  Type.String({ minLength: 1, maxLength: 300 }),
);

/** How many days ahead a store can be closed. */
export const closedAhead = 366;

export const SoldOutItem = Type.Object({
  item: Item,
  name: Type.String(),
  detail: described('SKU and options, or the group of a modifier.', Type.String()),
});
export type SoldOutItem = Static<typeof SoldOutItem>;

export const SoldOutToday = Type.Object({
  timeZone: described('IANA; that of the store.', Type.String()),
  items: described(
    'What the store has none of.',
    Type.Array(
      Type.Object({ ...SoldOutItem.properties, until: described('When it is back by itself.', EpochMs) }),
    ),
  ),
  found: described('What the searched text names; none without a text.', Type.Array(SoldOutItem)),
});
export type SoldOutToday = Static<typeof SoldOutToday>;

const Waiting = Type.Object({
  number: Type.String(),
  pickupAt: EpochMs,
  email: described('Whether the customer can be emailed.', Flag),
});

export const StoreDays = Type.Object({
  timeZone: Type.String(),
  today: Day,
  days: described(
    'From today on, the days with hours of their own.',
    Type.Array(
      Type.Object({ date: Day, hours: described('Null if the store is closed.', Nullable(Type.String())) }),
    ),
  ),
  waiting: described(
    'Orders that would have to be picked up at another time if the store closed on `date`.',
    Type.Array(Waiting),
  ),
});
export type StoreDays = Static<typeof StoreDays>;

export const StorePickup = Type.Object({
  timeZone: Type.String(),
  busy: described(
    'Minutes more than the store usually needs, and until when.',
    Nullable(Type.Object({ minutes: Type.Integer(), until: EpochMs })),
  ),
  pausedUntil: described('Pickup times before it cannot be chosen.', Nullable(EpochMs)),
  waiting: described(
    'Orders to be picked up before `pausedUntil`: a pause leaves them as they are.',
    Type.Array(Waiting),
  ),
});
export type StorePickup = Static<typeof StorePickup>;

const pause = { needs: 'desk.pause', params: store } as const;
const soldOut = { needs: 'stock.soldOut', params: store, response: SoldOutToday } as const;

export const openingEndpoints = {
  storePickup: {
    route: 'GET opening/:store/pickup',
    summary: 'How busy a store is, and until when it takes no pickups.',
    ...pause,
    response: StorePickup,
  },
  changePickup: {
    route: 'POST opening/:store/pickup',
    repeat: 'same',
    summary: 'Adds minutes to what a store promises, or pauses its pickups; both end by themselves.',
    ...pause,
    body: Strict({
      busyMinutes: Type.Optional(described('0: as usual.', Type.Integer({ minimum: 0, maximum: 240 }))),
      paused: Type.Optional(Flag),
      until: Type.Optional(
        described(
          'HH:mm, of the clock of the store. Without it: when the store opens on its next day.',
          Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', problem: 'problem.opening' }),
        ),
      ),
    }),
    response: StorePickup,
  },
  soldOut: {
    route: 'GET opening/:store/sold-out',
    summary: 'What a store has none of today, and what else a text names.',
    ...soldOut,
    query: Strict({
      text: Type.Optional(described('A name or a SKU.', Type.String({ maxLength: 200 }))),
      ...LangQuery,
    }),
  },
  markSoldOut: {
    route: 'POST opening/:store/sold-out',
    repeat: 'same',
    summary: 'Marks what a store has none of until it next opens, or takes that back.',
    ...soldOut,
    body: Strict({ item: Item, soldOut: Flag }),
  },
  storeDays: {
    route: 'GET opening/:store/days',
    summary:
      'The days on which a store has hours of its own, and the orders that closing one more would concern.',
    ...pause,
    query: Strict({ date: Type.Optional(Day), ...LangQuery }),
    response: StoreDays,
  },
  closeDay: {
    route: 'POST opening/:store/days',
    repeat: 'same',
    summary:
      'Closes a store on a day and emails who was to pick up then, or opens it again with its usual hours.',
    ...pause,
    body: Strict({ date: Day, closed: Flag }),
    response: described('`waiting`: the orders whose time has gone.', StoreDays),
  },
} as const satisfies Record<string, StaffEndpoint>;
