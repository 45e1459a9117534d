/** The calls of the rooms Shop and Taxes, shipping and payment. */
import Type, { type Static } from 'typebox';
import {
  Cents,
  Count,
  described,
  EpochMs,
  Flag,
  Id,
  LocalText,
  NamedRef,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { documentOf, Patch, type StaffEndpoint } from './endpoint.ts';

/** As in the shop's file (docs/shop-file.md), which says what each setting means: `{ shopName: …, languages: … }`. */
export const SettingsDocument = documentOf(Type.Record(Type.String(), Type.Unknown()));
export type SettingsDocument = Static<typeof SettingsDocument>;

const Place = Type.Object({ code: Type.String(), name: LocalText });

const Day = described('YYYY-MM-DD.', Type.String());

const MoneyDocument = Type.Object({
  ...SettingsDocument.properties,
  currency: Type.String(),
  provinces: described(
    'For which there can be tax rates, and to which the shop can ship.',
    Type.Array(Place),
  ),
  stores: described('Where a sample order can be picked up.', Type.Array(NamedRef)),
  today: described('The day that it is in the shop.', Day),
});

const Tax = Type.Object({ label: Type.String(), amount: Cents });

export const MoneyTrial = Type.Object({
  shipping: described(
    'The methods that the order could be sent by, the cheapest first.',
    Type.Array(Type.Object({ id: Id, name: LocalText, priceCents: Cents, earliest: Day, latest: Day })),
  ),
  subtotal: Cents,
  shippingCents: described('By the first of them.', Cents),
  serviceCharge: Cents,
  taxes: Type.Array(Tax),
  total: Cents,
  final: described('Whether there are tax rates and, if it is sent, a method for the destination.', Flag),
  payInStore: described(
    'Whether a customer, and a guest, could pay it in the store.',
    Type.Object({ customer: Flag, guest: Flag }),
  ),
});
export type MoneyTrial = Static<typeof MoneyTrial>;

const saved = { body: Patch } as const;

export const settingsEndpoints = {
  shopSettings: {
    route: 'GET settings/shop',
    summary: 'Name, contact, languages and currency of the shop, to be edited.',
    needs: 'settings.shop',
    response: SettingsDocument,
  },
  saveShopSettings: {
    route: 'POST settings/shop',
    repeat: 'seen',
    summary:
      'Changes settings of the shop. A field that somebody else has changed since the revision is a conflict.',
    needs: 'settings.shop',
    ...saved,
    response: SettingsDocument,
  },
  moneySettings: {
    route: 'GET settings/money',
    summary: 'Taxes, shipping and ways of paying, to be edited.',
    needs: 'settings.money',
    response: MoneyDocument,
  },
  saveMoneySettings: {
    route: 'POST settings/money',
    repeat: 'seen',
    summary:
      'Changes taxes, shipping and ways of paying. A field that somebody else has changed since the revision is a conflict.',
    needs: 'settings.money',
    ...saved,
    response: MoneyDocument,
  },
  tryMoney: {
    route: 'POST settings/money/try',
    reads: true,
    summary: 'What a sample order would cost after an edit. Changes nothing.',
    needs: 'settings.money',
    body: Strict({
      edits: Patch.properties.edits,
      itemsCents: Cents,
      taxClass: Type.String({ maxLength: 40 }),
      to: described(
        'Where it is sent: country and province, such as `CA ON`; or the id of the store where it is picked up.',
        Type.Object({
          country: Nullable(Type.String({ maxLength: 2 })),
          province: Nullable(Type.String({ maxLength: 10 })),
          store: Nullable(Id),
        }),
      ),
    }),
    response: MoneyTrial,
  },
} as const satisfies Record<string, StaffEndpoint>;

export const setupSteps = [
  'shop',
  'store',
  'mail',
  'money',
  'taxonomy',
  'product',
  'stock',
  'order',
] as const;

const LackPlace = Type.Object({
  text: Type.String(),
  room: described('The screen of the office that mends it; null: none does.', Nullable(Type.String())),
});

const ShopFindings = Type.Object({
  findings: Type.Array(
    Type.Object({
      subject: Type.String(),
      level: described('`fail`: customers are affected.', Type.Enum(['fail', 'warn'])),
      ...LackPlace.properties,
      places: described('Where, if there are several.', Type.Array(LackPlace)),
      more: described('How many places are left out.', Count),
    }),
  ),
  checked: described('How many products, pages and other records were read.', Count),
  at: EpochMs,
});
export type ShopFindings = Static<typeof ShopFindings>;

export const ShopLacks = Type.Object({
  steps: Type.Array(Type.Object({ step: Type.Enum(setupSteps), done: Flag })),
  found: described(
    'What was found when it was last looked for; null before the first time.',
    Nullable(ShopFindings),
  ),
  looking: described('Whether it is looked for now.', Flag),
});
export type ShopLacks = Static<typeof ShopLacks>;

export const setupEndpoints = {
  shopLacks: {
    route: 'GET setup',
    summary:
      'What the shop still lacks, with the screens that mend it. The findings may be minutes old: they are looked for beside the answer.',
    needs: 'goods.write',
    query: Strict({ lang: Type.Optional(Type.String({ maxLength: 10 })) }),
    response: ShopLacks,
  },
} as const satisfies Record<string, StaffEndpoint>;
