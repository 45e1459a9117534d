import type { Locale, LocalText } from '#contract/locales.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { Services } from '#server/container.ts';
import type { ImportedCustomer, ResolvedAddress } from '#server/modules/customers/index.ts';
import type { ImportedOrder } from '#server/modules/orders/index.ts';
import { importedReference } from '#server/modules/payments/index.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import { demoCoupons } from './coupons.ts';
import { demoCustomerId } from './customer-id.ts';
import brands from './data/brands.json' with { type: 'json' };
import modifierGroups from './data/modifier-groups.json' with { type: 'json' };
import products from './data/products.json' with { type: 'json' };
import settings from './data/settings.json' with { type: 'json' };

const { demoCustomer, currency } = settings;
/** A test card of the demo's gateway (docs/how-to/payments.md). */
export const approvedCard = '4242424242424242';

type DemoOrder = (typeof demoCustomer.orders)[number];
type DemoValue = { name: LocalText; photo: string | null };
type DemoAddress = (typeof demoCustomer.shippingAddresses)[number];

/** Public: the README names it, and it gives access only to this shop's demo. */
export const demoPassword = 'demo-maple-2026';

export async function loadDemoCustomer({ accounts, orders, payments }: Services): Promise<void> {
  await accounts.import(customer());
  const placed = demoCustomer.orders.map(orderOf);
  await orders.import(placed);
  // The gateway has charged what these orders paid: else it would refuse to give any of it back.
  const house = payments.providers.get('house');
  for (const { id, number, paidBy, bill, language } of placed) {
    const charge = {
      reference: `${importedReference}${id}`,
      orderId: id,
      orderNumber: number,
      amount: bill.total,
      locale: language,
    };
    if (paidBy)
      await house?.start({ ...charge, currency }, { creditCardNumber: approvedCard }, async () => {});
  }
}

function customer(): ImportedCustomer {
  const { firstName, lastName, email, mobilePhone, acceptNewsletter, language, createdAt } = demoCustomer;
  return {
    id: demoCustomerId,
    firstName,
    lastName,
    email,
    mobilePhone,
    acceptNewsletter,
    password: demoPassword,
    language: language as Locale,
    shippingAddresses: demoCustomer.shippingAddresses.map(addressOf),
    billingAddresses: demoCustomer.billingAddresses.map(addressOf),
    createdAt: Date.parse(createdAt),
  };
}

function addressOf(address: DemoAddress): ResolvedAddress {
  const {
    street,
    city,
    province,
    provinceCode,
    postCode,
    country,
    countryISOCode,
    addressDescription,
    contactPhone,
  } = address;
  return {
    streetNumberAndNameDetails: street,
    city,
    province,
    provinceCode,
    postCode,
    country,
    countryISOCode,
    addressDescription: addressDescription.en,
    contactPhone,
  };
}

function orderOf(order: DemoOrder): ImportedOrder {
  const { totals } = order;
  const placedAt = Date.parse(order.createdAt);
  return {
    id: `demo-order-${order.orderID.slice(-6)}`,
    number: order.orderID,
    customerId: demoCustomerId,
    language: demoCustomer.language as Locale,
    method: order.method as ImportedOrder['method'],
    storeId: order.store,
    tableNumber: order.tableNumber,
    pickupAt: order.pickupDate === null ? null : Date.parse(order.pickupDate),
    comment: order.customerComment,
    contact: order.orderContact,
    shippingAddress: order.shippingAddress && addressOf(order.shippingAddress),
    billingAddress: order.billingAddress && addressOf(order.billingAddress),
    shippingMethod: order.shippingMethod,
    paidBy: order.payment === 'online' ? 'house' : null,
    tipBasisPoints: Math.round(order.tipRate * 10_000),
    bill: {
      subtotal: totals.subtotalCents,
      discount: totals.discountCents,
      couponCode: order.couponCode,
      coupon: couponOf(order.couponCode),
      shipping: totals.shippingCents,
      shippingSaved: 0,
      final: true,
      taxLines: [{ label: totals.taxLabel, amount: totals.taxCents }],
      tax: totals.taxCents,
      tip: totals.tipCents,
      total: totals.totalCents,
      currency,
      billVersion: order.orderID,
    },
    lines: order.lineItems.map(lineOf),
    placedAt,
    states: statesOf(order, placedAt),
  };
}

function couponOf(code: string | null): ImportedOrder['bill']['coupon'] {
  const coupon = demoCoupons.find((each) => each.code === code);
  return coupon
    ? { code: coupon.code, nameContent: coupon.name, kind: coupon.kind, state: 'applied', message: '' }
    : null;
}

function lineOf(line: DemoOrder['lineItems'][number]): ImportedOrder['lines'][number] {
  const product = products.find(({ slug }) => slug === line.product);
  const [, chosen] = /^#[^:]+:(.+)$/.exec(line.optionPairs) ?? [];
  const values = (product?.options ?? []).flatMap((option): readonly DemoValue[] => option.values);
  const value = values.find(({ name }) => name.en === chosen);
  const text: LocalText = value?.name ?? { en: chosen ?? '' };
  return {
    sku: line.sku,
    productId: line.product,
    quantity: line.quantity,
    name: line.productName,
    brand: brands.find(({ slug }) => slug === product?.brand)?.name ?? null,
    optionPairs: line.optionPairs,
    optionText: text,
    unitPrice: line.unitPriceCents,
    modifiers: ('modifiers' in line ? line.modifiers : []).map(freeModifier),
    taxClass: line.taxClass,
    image: value?.photo ?? product?.images[0] ?? null,
  };
}

type ImportedModifier = NonNullable<ImportedOrder['lines'][number]['modifiers']>[number];

function freeModifier({ group, modifier }: Pick<ImportedModifier, 'group' | 'modifier'>): ImportedModifier {
  const choices = modifierGroups
    .find(({ id }) => id === group)
    ?.modifiers.map(({ id, name }) => ({ id, name }));
  const nameContent = choices?.find(({ id }) => id === modifier)?.name ?? { en: modifier };
  const plain = {
    quantity: 1,
    amount: 0,
    taxClass: null,
    singleServings: 1,
    sku: null,
    ownPrice: null,
    modifiers: [],
  };
  return { group, modifier, nameContent, ...plain };
}

/** Pickup and dine-in orders were completed at times of their own. */
function statesOf({ method, pickupDate }: DemoOrder, placedAt: number): { state: OrderState; at: number }[] {
  if (method === 'pickup') {
    const collected = Date.parse(pickupDate ?? '');
    return [
      { state: 'reserved', at: placedAt },
      { state: 'ready', at: collected - hourMs },
      { state: 'completed', at: collected },
    ];
  }
  if (method === 'instore') {
    return [
      { state: 'placed', at: placedAt },
      { state: 'completed', at: placedAt + hourMs / 4 },
    ];
  }
  return [
    { state: 'placed', at: placedAt },
    { state: 'shipped', at: placedAt + 20 * hourMs },
    { state: 'completed', at: placedAt + 70 * hourMs },
  ];
}
