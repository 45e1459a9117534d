/** Emails about an example order, with products and a store that the shop has, drawn by the composers of real ones. */
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { EmailSample, EmailSamples, MailShop } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { type StoresService, shopTimeZone } from '#server/modules/stores/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';
import type { MailStore } from './order-parts.ts';
import { type OrderStatusEmail, orderStatusMail, refundFailedMail, refundMail } from './order-status.ts';
import { mailStoreOf, orderConfirmationMail } from './templates.ts';

interface ExamplesDeps {
  now: () => number;
  catalogue: Pick<CatalogueService, 'page'>;
  settings: Pick<SettingsService, 'all'>;
  stores: Pick<StoresService, 'all'>;
}

interface Example {
  order: Order;
  store: MailStore | null;
}

/** Which no order has, and whose page says so. */
const exampleToken = 'example';

export function createOrderExamples(
  deps: ExamplesDeps,
): Omit<EmailSamples, 'welcome' | 'invitation' | 'temporaryPassword' | 'passwordChanged'> {
  const frameOf = (shop: MailShop, { order }: Example, locale: Locale) => ({
    shop,
    clock: { locale, timeZone: order.timeZone },
  });
  const links = { token: exampleToken, note: '' };

  /** `change`: what makes the example one that such an email is sent about. */
  const status =
    (
      kind: OrderStatusEmail,
      method: 'shipping' | 'pickup',
      more: (order: Order) => { order?: Partial<Order>; mail?: object } = () => ({}),
    ): EmailSample =>
    async (shop, locale) => {
      const { order, store } = await exampleOf(deps, method, locale);
      const { order: change, mail } = more(order);
      const example = { order: { ...order, ...change }, store };
      return orderStatusMail(frameOf(shop, example, locale), kind, example, {
        ...links,
        amount: order.bill.total,
        ...mail,
      });
    };
  const refundOf = ({ bill: { total, currency } }: Order) => ({
    amount: total,
    currency,
    tip: 0,
    cash: null,
    customerNote: '',
  });
  const unitsOf = ({ lineItems }: Order) =>
    lineItems.slice(-1).map(({ id: line, quantity }) => ({ line, quantity }));

  return {
    async orderConfirmation(shop, locale) {
      const { checkoutConfig } = await deps.settings.all();
      const ships = checkoutConfig.domesticShippingEnabled || !checkoutConfig.enablePickup;
      const example = await exampleOf(deps, ships ? 'shipping' : 'pickup', locale);
      const { clock } = frameOf(shop, example, locale);
      return orderConfirmationMail(shop, { ...example, clock }, { token: exampleToken, notes: null });
    },
    orderReady: status('orderReady', 'pickup'),
    orderShipped: status('orderShipped', 'shipping', (order) => {
      const lines = order.lineItems.map(({ id: line, quantity }) => ({ line, quantity }));
      const at = order.placedAt ?? 0;
      const parcel = {
        id: 'example',
        at,
        carrier: '',
        trackingNumber: '1234 5678 9012',
        trackingUrl: null,
        lines,
      };
      return { order: { state: 'shipped', shipments: [parcel] }, mail: { parcel } };
    }),
    orderChanged: status('orderChanged', 'shipping', ({ lineItems }) => {
      const lines = lineItems
        .slice(0, 1)
        .map(({ id: line, sku, nameContent: name, unitPrice, quantity: to }) => ({
          line,
          sku,
          name,
          unitPrice,
          to,
          from: to + 1,
          text: {},
        }));
      return { mail: { change: { lines, back: lines[0]?.unitPrice ?? 0 } } };
    }),
    orderCancelled: status('orderCancelled', 'shipping', (order) => ({
      order: { state: 'cancelled' },
      mail: { back: order.bill.total },
    })),
    restCancelled: status('orderCancelled', 'shipping', (order) => ({
      order: { state: 'shipped' },
      mail: { units: unitsOf(order) },
    })),
    reservationLapsed: status('reservationLapsed', 'pickup', () => ({ order: { state: 'lapsed' } })),
    pickupMoved: status('pickupMoved', 'pickup'),
    pickupClosed: status('pickupClosed', 'pickup'),
    paymentReceived: status('paymentReceived', 'shipping'),
    paymentUncollected: status('paymentUncollected', 'shipping', ({ bill: { total } }) => ({
      order: { due: total, dueVersion: 'example' },
    })),
    async refund(shop, locale) {
      const example = await exampleOf(deps, 'shipping', locale);
      return refundMail(frameOf(shop, example, locale), refundOf(example.order), example.order, exampleToken);
    },
    async refundLate(shop, locale) {
      const example = await exampleOf(deps, 'shipping', locale);
      const order = { ...example.order, orderNumber: null };
      return refundMail(frameOf(shop, example, locale), refundOf(order), order, null);
    },
    async refundFailed(shop, locale) {
      const example = await exampleOf(deps, 'shipping', locale);
      return refundFailedMail(
        frameOf(shop, example, locale),
        refundOf(example.order),
        example.order,
        exampleToken,
      );
    },
  };
}

async function exampleOf(
  { now, catalogue, settings, stores }: ExamplesDeps,
  method: 'shipping' | 'pickup',
  locale: Locale,
): Promise<Example> {
  const t = translate(locale);
  const [{ currency, orderNumberPrefix }, known] = await Promise.all([settings.all(), stores.all()]);
  const main = known.find(({ mainStore }) => mainStore) ?? known[0];
  const lineItems = await linesOf(catalogue, locale);
  const subtotal = lineItems.reduce((sum, { lineTotal }) => sum + lineTotal, 0);
  const firstName = t('mail.example.firstName');
  const contact = {
    firstName,
    lastName: t('mail.example.lastName'),
    phoneNumber: '',
    email: 'sam@example.com',
  };
  const isPickup = method === 'pickup';
  const order: Order = {
    orderID: null,
    orderNumber: `${orderNumberPrefix}-${new Date(now()).getUTCFullYear()}-000204`,
    version: 1,
    state: 'placed',
    lineItems,
    customerComment: '',
    orderReserved: false,
    pickUpAtStore: isPickup,
    inStore: false,
    method,
    localStoreName: isPickup ? (main?.id ?? null) : null,
    tableNumber: null,
    pickupDate: isPickup ? nextHour(now() + dayMs) : null,
    orderContact: contact,
    shippingContact: null,
    shippingAddress: isPickup ? null : addressOf(main, t('mail.example.street')),
    billingAddress: null,
    shippingMethod: null,
    addTips: false,
    tipRate: 0,
    tipAmount: null,
    tips: null,
    bill: {
      subtotal,
      discount: 0,
      couponCode: null,
      coupon: null,
      shipping: 0,
      shippingSaved: 0,
      final: true,
      taxLines: [],
      tax: 0,
      tip: 0,
      total: subtotal,
      currency,
      billVersion: 'example',
    },
    timeZone: shopTimeZone(known),
    placedAt: now(),
    payment: null,
  };
  return { order, store: isPickup && main ? mailStoreOf(main) : null };
}

const nextHour = (at: number) => Math.ceil(at / hourMs) * hourMs;

/** In the town of the store. */
function addressOf(
  main: Awaited<ReturnType<StoresService['all']>>[number] | undefined,
  street: string,
): Order['shippingAddress'] {
  const { city = '', province = '', postCode = '', country = '', countryISOCode = '' } = main?.address ?? {};
  const typed = { streetNumberAndNameDetails: street, addressDescription: '', contactPhone: '' };
  return { ...typed, city, province, postCode, country, countryISOCode };
}

/** The first products of the shop; without any, one that does not exist. */
async function linesOf(catalogue: ExamplesDeps['catalogue'], locale: Locale): Promise<LineItem[]> {
  const { cards } = await catalogue.page({}, { numberToLoad: 2 }, locale);
  const products = cards.map((card) => JSON.parse(card) as ProductSummary);
  const lines = products.map(({ id, nameContent, priceInfo, mediaInfo: { imageInfos } }) =>
    lineOf({ id, nameContent, locale }, priceInfo.price, imageInfos[0] ?? null),
  );
  const none = lineOf(
    { id: 'example', nameContent: { [locale]: translate(locale)('mail.example.product') }, locale },
    2500,
    null,
  );
  return lines.length > 0 ? lines : [none];
}

interface ExampleProduct {
  id: string;
  nameContent: LocalText;
  locale: Locale;
}

function lineOf(
  { id, nameContent, locale }: ExampleProduct,
  price: number,
  image: LineItem['image'],
): LineItem {
  return {
    id,
    itemName: id,
    sku: id,
    product: id,
    productName: inLocale(nameContent, locale),
    nameContent,
    image,
    brandContent: null,
    optionPairs: '',
    optionText: '',
    modifiers: [],
    modifierText: '',
    note: '',
    quantity: 1,
    unitPrice: price,
    listPrice: null,
    lineTotal: price,
    inStoreOnly: false,
    inventoryProcessingStatus: 'processed',
    obtainable: 0,
  };
}
