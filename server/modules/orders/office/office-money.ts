/** The room Taxes, shipping and payment: its settings, and what a sample order would cost with them. */
import type { FastifyInstance } from 'fastify';
import type { Locale } from '#contract/locales.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import { homeCountry, taxClasses } from '#contract/taxes.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import { type Destination, deliveryDates } from '#server/modules/pricing/index.ts';
import {
  createSettingsEditor,
  type SettingsService,
  settingsOfRooms,
} from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { validationError } from '#server/platform/errors.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { billOf, type HeadToBill, type LineToBill, shippingTo } from '../order/billing.ts';
import { type OrderSettings, toOrderSettings } from '../order/order-settings.ts';

interface OfficeMoneyDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  settings: SettingsService;
  stores: StoresService;
  orders: { settings: () => Promise<OrderSettings> };
}

function createOfficeMoney({ db, now, settings, stores, orders }: OfficeMoneyDeps) {
  const editor = createSettingsEditor({ db, settings }, settingsOfRooms.money);
  return {
    ...editor,

    async document(): Promise<StaffResponse<'moneySettings'>> {
      const [document, { currency }, all] = [await editor.read(), await settings.all(), await stores.all()];
      const today = (await orders.settings()).today(null);
      return {
        ...document,
        currency,
        provinces: offeredProvinces(homeCountry),
        stores: all.map(({ id, name }) => ({ name: id, nameContent: name })),
        today,
      };
    },

    /** What the next shopper would pay if the edits were saved. @throws {InputError} for what could not be */
    async try(
      { edits, itemsCents, taxClass, to }: StaffBody<'tryMoney'>,
      locale: Locale,
    ): Promise<StaffResponse<'tryMoney'>> {
      const edited = toOrderSettings(await editor.with(edits), await stores.all());
      const current: OrderSettings = { ...(await orders.settings()), ...edited };
      const lines = [sampleLine(itemsCents, taxClass)];
      const { head, destination } = sampleHead(to, current);
      const { bill } = billOf(head, lines, current, null, locale, destination);
      const today = wallClock(now(), current.timeZone).date;
      return {
        shipping: (head.method === 'shipping' ? shippingTo(destination, lines, current, null) : []).map(
          ({ method, price }) => ({
            id: method.id,
            name: method.name,
            priceCents: price,
            ...deliveryDates(method, today, current.packing),
          }),
        ),
        subtotal: bill.subtotal,
        shippingCents: bill.shipping,
        serviceCharge: bill.serviceCharge?.amount ?? 0,
        taxes: bill.taxLines,
        total: bill.total,
        final: bill.final,
        payInStore: payInStore(bill.total, head, current),
      };
    },
  };
}

function payInStore(
  total: number,
  { method }: HeadToBill,
  { payment, payAtStoreLimits: { customers, guests } }: OrderSettings,
) {
  const can = (most: number | null) =>
    payment.payAtStoreEnabled && method !== 'shipping' && total <= (most ?? total);
  return { customer: can(customers.totalCents), guest: can(guests.totalCents) };
}

const sampleLine = (unitPrice: number, taxClass: string): LineToBill => ({
  id: 'sample',
  identity: 'sample',
  sku: 'sample',
  productId: 'sample',
  category: null,
  quantity: 1,
  unitPrice,
  singleServings: 1,
  parts: [],
  taxClass: taxClasses.find((each) => each === taxClass) ?? 'standard',
});

/** @throws {AppError} for a store that is not there */
function sampleHead(
  to: StaffBody<'tryMoney'>['to'],
  { stores }: OrderSettings,
): { head: HeadToBill; destination: Destination } {
  const store = stores.find(({ id }) => id === to.store);
  if (to.store !== null && !store) throw validationError({ store: 'problem.invalid' });
  const address = { countryISOCode: to.country ?? homeCountry, provinceCode: to.province };
  return {
    head: {
      id: 'sample',
      method: store ? 'pickup' : 'shipping',
      storeId: store?.id ?? null,
      shippingAddress: null,
      shippingMethod: null,
      couponCode: null,
      bill: null,
      tipBasisPoints: 0,
      tipCents: null,
      partySize: null,
    },
    destination: store ? store.address : address,
  };
}

export function registerOfficeMoney(app: FastifyInstance, deps: OfficeMoneyDeps): void {
  const office = createOfficeMoney(deps);
  serveStaff(app, 'moneySettings', () => office.document());
  serveStaff(app, 'saveMoneySettings', async ({ permit, body }) => {
    await office.save(deps.changes.by(permit.actor, 'settings change'), body);
    return office.document();
  });
  serveStaff(app, 'tryMoney', ({ body, lang }) => office.try(body, lang));
}
