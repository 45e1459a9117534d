/** Stock, customers and orders in the form of Shopify's own exports. */
import type { Cell, Row } from '#contract/csv.ts';
import { inLocale, type LocalText, mainLocale } from '#contract/locales.ts';
import { decimalText } from '#contract/money.ts';
import { staffTranslate, wayText } from '#contract/staff/messages.ts';
import type { WholeProduct } from '#server/modules/catalogue/index.ts';
import type { ListedCustomer } from '#server/modules/customers/index.ts';
import { modifierTextOf, type WholeOrder } from '#server/modules/orders/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { optionsOf } from './shopify-products.ts';

const shown = (text: LocalText): string => inLocale(text, mainLocale());
const code = (text: string): Cell => (text === '' ? null : { code: text });
const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
type Cells = Record<string, Cell>;
const inOrder = (header: readonly string[], cells: Cells): Row =>
  header.map((column) => cells[column] ?? null);

const optionHeader = [1, 2, 3].flatMap((number) => [`Option${number} Name`, `Option${number} Value`]);
const onHand = 'On hand (new)';
export const stockHeader = [
  'Handle',
  'Title',
  ...optionHeader,
  'SKU',
  'HS Code',
  'COO',
  'Location',
  'Bin name',
  'Incoming (not editable)',
  'Unavailable (not editable)',
  'Committed (not editable)',
  'Available (not editable)',
  'On hand (current)',
  onHand,
];

/** A row for each SKU and place. Units that are held for orders are not among them. */
export function stockRows(product: WholeProduct, places: readonly { id: string; name: string }[]): Row[] {
  const options = optionsOf(product);
  return product.input.skus.flatMap((sku, index) =>
    places.map(({ id, name }) => {
      const units = sku.stock[id];
      const has: Cells = Object.fromEntries(
        options.flatMap((option, position) => [
          [`Option${position + 1} Name`, option.name],
          [`Option${position + 1} Value`, option.values[index] ?? null],
        ]),
      );
      return inOrder(stockHeader, {
        ...has,
        Handle: product.input.id,
        Title: shown(product.input.name),
        SKU: code(sku.sku),
        Location: name,
        'Available (not editable)': units ?? 'not stocked',
        'On hand (current)': units ?? 'not stocked',
        [onHand]: units ?? null,
      });
    }),
  );
}

const address = ['Company', 'Address1', 'Address2', 'City', 'Province Code', 'Country Code', 'Zip', 'Phone'];
export const customerHeader = [
  'Customer ID',
  'First Name',
  'Last Name',
  'Email',
  'Accepts Email Marketing',
  ...address.map((column) => `Default Address ${column}`),
  'Phone',
  'Accepts SMS Marketing',
  'Total Spent',
  'Total Orders',
  'Note',
  'Tax Exempt',
  'Tags',
  'Language',
];

export function customerRow(customer: ListedCustomer): Row {
  const [first] = customer.shippingAddresses;
  return inOrder(customerHeader, {
    'Customer ID': code(customer.id),
    'First Name': customer.firstName,
    'Last Name': customer.lastName,
    Email: customer.email,
    'Accepts Email Marketing': yesNo(customer.acceptNewsletter),
    ...(first && {
      'Default Address Address1': first.streetNumberAndNameDetails,
      'Default Address Address2': first.addressDescription,
      'Default Address City': first.city,
      'Default Address Province Code': provinceOf(first),
      'Default Address Country Code': first.countryISOCode,
      'Default Address Zip': code(first.postCode),
      'Default Address Phone': code(first.contactPhone),
    }),
    Phone: code(customer.mobilePhone),
    'Accepts SMS Marketing': 'no',
    'Total Orders': customer.orders,
    'Tax Exempt': 'no',
    Language: customer.language,
  });
}

/** Its code, where the country's provinces have codes. */
const provinceOf = (place: { province: string; provinceCode?: string | null }): string =>
  place.provinceCode ?? place.province;

const person = [
  'Name',
  'Street',
  'Address1',
  'Address2',
  'Company',
  'City',
  'Zip',
  'Province',
  'Country',
  'Phone',
];
export const orderHeader = [
  'Name',
  'Email',
  'Financial Status',
  'Paid at',
  'Fulfillment Status',
  'Fulfilled at',
  'Accepts Marketing',
  'Currency',
  'Subtotal',
  'Shipping',
  'Taxes',
  'Total',
  'Discount Code',
  'Discount Amount',
  'Shipping Method',
  'Created at',
  ...[
    'quantity',
    'name',
    'price',
    'compare at price',
    'sku',
    'requires shipping',
    'taxable',
    'fulfillment status',
  ].map((column) => `Lineitem ${column}`),
  ...person.map((column) => `Billing ${column}`),
  ...person.map((column) => `Shipping ${column}`),
  'Notes',
  'Note Attributes',
  'Cancelled at',
  'Payment Method',
  'Payment Reference',
  'Refunded Amount',
  'Vendor',
  'Outstanding Balance',
  'Employee',
  'Location',
  'Device ID',
  'Id',
  'Tags',
  'Risk Level',
  'Source',
  'Lineitem discount',
  ...[1, 2, 3, 4, 5].flatMap((number) => [`Tax ${number} Name`, `Tax ${number} Value`]),
  'Phone',
  'Receipt Number',
  'Tip',
  // Shopify's own files have none; with it a row adds up.
  'Service charge',
  'Cash rounding',
  'Shipping discount',
];

/**
 * `time` writes epoch ms. Its first row has the order; the others have its further lines. Each order adds up: its lines less their
 * discounts are the subtotal, which with shipping, service charge, taxes and tip is the total. What a code took off shipping is not
 * in them.
 */
export function orderRows(
  order: WholeOrder,
  time: (at: number) => string,
  places: ReadonlyMap<string, string>,
): Row[] {
  const money = moneyIn(order.currency);
  const lines = order.lines.map((line) => ({
    'Lineitem quantity': line.quantity,
    'Lineitem name': [shown(line.name), shown(line.optionText), modifierTextOf(line.modifiers, mainLocale())]
      .filter(Boolean)
      .join(' - '),
    'Lineitem price': money(line.unitPrice),
    'Lineitem sku': code(line.sku),
    'Lineitem requires shipping': order.method === 'shipping',
    'Lineitem taxable': line.isTaxed,
    'Lineitem fulfillment status': lineStatusOf(line, order),
    'Lineitem discount': money(line.discount),
  }));
  const named = { Name: order.number ?? order.id, Email: order.contact?.email ?? null };
  const head = { ...named, ...headCells(order, time), Location: places.get(order.storeId ?? '') ?? null };
  return (lines.length === 0 ? [{}] : lines).map((line, index) =>
    inOrder(orderHeader, { ...(index === 0 ? head : named), ...line }),
  );
}

const moneyIn =
  (currency: string) =>
  (amount: number): Cell => ({ decimal: decimalText(amount, currency) });

/** `refunded`: instead of being sent. */
function lineStatusOf({ gone, left }: WholeOrder['lines'][number], { cancelledAt }: WholeOrder): string {
  if (left > 0) return gone > 0 ? 'partial' : 'pending';
  if (gone > 0) return 'fulfilled';
  return cancelledAt === null ? 'refunded' : 'pending';
}

function fulfilmentOf({ lines, fulfilledAt }: WholeOrder): string {
  if (fulfilledAt !== null) return 'fulfilled';
  return lines.some(({ gone }) => gone > 0) ? 'partial' : 'unfulfilled';
}

function headCells(order: WholeOrder, time: (at: number) => string): Cells {
  const { bill, contact, ways, fulfilledAt, cancelledAt } = order;
  const money = moneyIn(order.currency);
  const taxes = (bill?.taxLines ?? []).slice(0, 5);
  const t = staffTranslate(mainLocale());
  return {
    'Financial Status': statusOf(order),
    'Paid at': order.paidAt === null ? null : time(order.paidAt),
    'Fulfillment Status': fulfilmentOf(order),
    'Fulfilled at': fulfilledAt === null ? null : time(fulfilledAt),
    Currency: order.currency,
    ...(bill && {
      Subtotal: money(bill.subtotal - bill.discount),
      Shipping: money(bill.shipping),
      Taxes: money(bill.tax),
      Total: money(bill.total),
      'Discount Code': bill.couponCode,
      'Discount Amount': money(bill.discount),
      Tip: money(bill.tip),
      'Service charge': money(bill.serviceCharge?.amount ?? 0),
      'Shipping discount': money(bill.shippingSaved ?? 0),
    }),
    'Shipping Method': deliveryText(order),
    'Created at': order.placedAt === null ? null : time(order.placedAt),
    ...personCells('Billing', contact, order.billingAddress),
    ...personCells('Shipping', order.shippingContact ?? contact, order.shippingAddress),
    Notes: order.comment,
    'Note Attributes': attributesOf(order, time),
    'Cancelled at': cancelledAt === null ? null : time(cancelledAt),
    'Payment Method': ways.map((way) => wayText(t, way)).join(' + ') || null,
    'Payment Reference': order.references.join(' + ') || null,
    'Cash rounding': money(order.rounding),
    'Refunded Amount': money(order.refunded),
    'Outstanding Balance': money(order.due),
    Id: code(order.id),
    Source: 'web',
    ...Object.fromEntries(
      taxes.flatMap((tax, index) => [
        [`Tax ${index + 1} Name`, tax.label],
        [`Tax ${index + 1} Value`, money(tax.amount)],
      ]),
    ),
    Phone: code(contact?.phoneNumber ?? ''),
  };
}

/** Without what corrected a payment, which neither paid nor lowers the bill. */
function statusOf({ state, due, refunded, received, corrected }: WholeOrder): string {
  const [came, back] = [received - corrected, refunded - corrected];
  if (back > 0) return back >= came ? 'refunded' : 'partially_refunded';
  if (state === 'cancelled' || state === 'lapsed') return came === 0 ? 'voided' : 'paid';
  if (due > 0) return came === 0 ? 'pending' : 'partially_paid';
  return 'paid';
}

/** How an order reaches its buyer: the shipping method by name, or that it is picked up or served. */
function deliveryText({ shippingName, method }: WholeOrder): string | null {
  if (shippingName) return shown(shippingName);
  return method === null ? null : translate(mainLocale())(`checkout.method.${method}`);
}

/** A line each, as Shopify writes them. */
function attributesOf({ tableNumber, pickupAt }: WholeOrder, time: (at: number) => string): string | null {
  const t = translate(mainLocale());
  const lines = [
    ...(tableNumber ? [t('account.order.table', { table: tableNumber })] : []),
    ...(pickupAt === null ? [] : [`${t('checkout.method.pickup')}: ${time(pickupAt)}`]),
  ];
  return lines.join('\n') || null;
}

function personCells(
  kind: string,
  contact: WholeOrder['contact'],
  place: WholeOrder['shippingAddress'],
): Cells {
  const street = place?.streetNumberAndNameDetails ?? '';
  const cells: Cells = {
    Name: contact ? `${contact.firstName} ${contact.lastName}`.trim() : null,
    Phone: code(place?.contactPhone || (contact?.phoneNumber ?? '')),
    ...(place && {
      Street: [street, place.addressDescription].filter(Boolean).join(', '),
      Address1: street,
      Address2: place.addressDescription,
      City: place.city,
      Zip: code(place.postCode),
      Province: provinceOf(place),
      Country: place.countryISOCode,
    }),
  };
  return Object.fromEntries(Object.entries(cells).map(([column, cell]) => [`${kind} ${column}`, cell]));
}
