/**
 * Deliberate faults, each of which a test has to notice: `npm run test:breaks` applies them one by one to a copy of the project.
 * `breaks.test.ts` keeps the list valid while the code changes.
 */
export interface Break {
  /** What the shop does wrong with it. */
  fault: string;
  file: string;
  /** Occurs once in the file. */
  find: string;
  put: string;
  /** The test file that notices it: beside the code, where there is one. */
  noticedBy: string;
  /** The fact has its owner elsewhere, and this place only repeats or shows it. */
  secondPlace?: true;
}

const pricing = 'server/modules/pricing';
const orders = 'server/modules/orders';
const agents = 'server/modules/agents';
const staff = 'server/modules/staff';

export const breaks: readonly Break[] = [
  // Prices and the bill
  {
    fault: 'Half a cent is rounded down instead of up.',
    file: `${pricing}/price-order.ts`,
    find: 'Math.floor((2 * product + divisor) / (2 * divisor))',
    put: 'Math.floor((2 * product) / (2 * divisor))',
    noticedBy: `${pricing}/price-order.test.ts`,
  },
  {
    fault: 'A tip in percent counts what the coupon has taken off.',
    file: `${pricing}/price-order.ts`,
    find: 'const tip = tipOn(goods, order.tip);',
    put: 'const tip = tipOn(subtotal, order.tip);',
    noticedBy: `${pricing}/price-order.test.ts`,
  },
  {
    fault: 'Zero-rated groceries are taxed.',
    file: `${pricing}/price-order.ts`,
    find: 'if (zeroRated.has(taxClass)) return [];',
    put: '',
    noticedBy: `${pricing}/price-order.test.ts`,
  },
  {
    fault: 'A service charge is calculated before the discount.',
    file: `${pricing}/price-order.ts`,
    find: 'mulDivHalfUp(goods, order.serviceCharge.rate, whole)',
    put: 'mulDivHalfUp(subtotal, order.serviceCharge.rate, whole)',
    noticedBy: `${pricing}/price-order.test.ts`,
  },
  {
    fault: 'Shipping costs something at exactly the amount from which it is free.',
    file: `${pricing}/shipping.ts`,
    find: 'method.freeOverCents) === 0',
    put: 'method.freeOverCents + 1) === 0',
    noticedBy: `${pricing}/price-order.test.ts`,
  },
  {
    fault: 'Sundays are business days.',
    file: `${pricing}/shipping.ts`,
    find: 'weekday !== 0 && weekday !== 6',
    put: 'weekday !== 6',
    noticedBy: `${pricing}/delivery-dates.test.ts`,
  },
  {
    fault: 'A coupon still applies in the moment in which it ends.',
    file: `${pricing}/coupon.ts`,
    find: 'now >= coupon.endsAt',
    put: 'now > coupon.endsAt',
    noticedBy: `${orders}/coupons/coupons.test.ts`,
  },
  {
    fault: 'A coupon is used once more than its limit.',
    file: `${pricing}/coupon.ts`,
    find: 'uses.total >= totalLimit',
    put: 'uses.total > totalLimit',
    noticedBy: `${orders}/coupons/coupons.test.ts`,
  },
  {
    fault: 'A coupon does not apply to exactly its minimum.',
    file: `${pricing}/coupon.ts`,
    find: 'subtotal < coupon.minSubtotal)',
    put: 'subtotal <= coupon.minSubtotal)',
    noticedBy: `${orders}/coupons/coupons.test.ts`,
  },
  {
    fault: 'Modifiers that a group has for free cost something.',
    file: 'contract/rules/modifiers.ts',
    find: 'amount: price * (each.quantity - freeUnits)',
    put: 'amount: price * each.quantity',
    noticedBy: 'contract/rules/modifiers.test.ts',
  },

  // Stock, holds and placing an order
  {
    fault: 'The last unit of a SKU cannot be bought.',
    file: 'server/modules/inventory/stock/stock.repository.ts',
    find: ".where('quantity', '>=', quantity)",
    put: ".where('quantity', '>', quantity)",
    noticedBy: 'server/modules/inventory/stock/stock.test.ts',
  },
  {
    fault: 'A reservation that is paid in part lapses, and its units go back on sale.',
    file: `${orders}/order/end-holds.ts`,
    find: 'if ((await balanceOf(trx, orderId)).paid > 0) return false;',
    put: '',
    noticedBy: 'server/modules/checkout/settlement/counter-payments.test.ts',
  },
  {
    fault: 'One buyer holds as many unpaid orders as a whole network.',
    file: 'server/modules/checkout/placement/hold-limits.ts',
    find: 'ofBuyer > mostOfBuyer',
    put: 'ofBuyer > mostOfNetwork',
    noticedBy: 'server/modules/checkout/placement/hold-limits.test.ts',
  },
  {
    fault: 'A second request to pay, with another provider, joins the first attempt.',
    file: 'server/modules/checkout/placement/place-order.ts',
    find: 'payment.provider !== provider || payment.waitsSince !== null',
    put: 'payment.waitsSince !== null',
    noticedBy: 'server/modules/checkout/paying/payments.test.ts',
  },
  {
    fault: 'A pickup time takes one order more than its capacity.',
    file: 'server/modules/stores/pickup.service.ts',
    find: 'taken >= store.pickupSlotCapacity',
    put: 'taken > store.pickupSlotCapacity',
    noticedBy: 'server/modules/stores/pickup.service.test.ts',
  },
  {
    fault: 'Pickup times ignore that a store is busy.',
    file: 'server/modules/stores/pickup.service.ts',
    find: 'store.pickupLeadMinutes + (store.today?.busy?.minutes ?? 0)',
    put: 'store.pickupLeadMinutes',
    noticedBy: `${orders}/office/opening.test.ts`,
    secondPlace: true,
  },
  {
    fault: 'A menu is served in the minute in which it ends.',
    file: 'contract/rules/menus.ts',
    find: 'minutes >= from && minutes < until',
    put: 'minutes >= from && minutes <= until',
    noticedBy: `${orders}/order/menus.test.ts`,
  },
  {
    fault: 'A store that has just closed is said to open at the time at which it opened.',
    file: 'contract/rules/store-status.ts',
    find: 'start > minutes',
    put: 'start >= 0',
    noticedBy: 'server/modules/stores/store-status.test.ts',
  },

  // Money that arrives and goes back
  {
    fault: 'Money that a bank disputes is refunded as well.',
    file: 'server/modules/payments/refunds/write-refund.ts',
    find: 'each.goods + each.tip - each.disputed',
    put: 'each.goods + each.tip',
    noticedBy: 'server/modules/payments/refunds/refunds.test.ts',
  },
  {
    fault: 'A refund may ask for more than is left.',
    file: 'server/modules/payments/refunds/write-refund.ts',
    find: 'wanted <= 0 || planned < wanted',
    put: 'wanted <= 0',
    noticedBy: 'server/modules/payments/refunds/refunds.test.ts',
  },
  {
    fault: 'Refunded units get back more than was paid for them with a coupon.',
    file: `${orders}/order/bill-parts.ts`,
    find: 'const shares = allocate(bill.discount, totals);',
    put: 'const shares = allocate(0, totals);',
    noticedBy: `${orders}/order/bill-parts.test.ts`,
  },
  {
    fault: 'Refunded units go back to stock only if they should not.',
    file: 'server/modules/checkout/settlement/order-refunds.ts',
    find: 'if (restock) await stock.restock',
    put: 'if (!restock) await stock.restock',
    noticedBy: 'server/modules/checkout/settlement/refund-parts.test.ts',
  },
  {
    fault: 'A payment that waits for its customer holds its stock no longer than any other.',
    file: 'server/modules/payments/attempts/attempts.ts',
    find: 'await payables.waits(trx, payment, now() + waitingHoldMs);',
    put: '',
    noticedBy: 'server/modules/checkout/paying/unpaid-attempts.test.ts',
  },
  {
    fault: 'Takings count refunds that the provider refused.',
    file: `${orders}/takings/takings.repository.ts`,
    find: "where refunds.state <> 'refused' and ${within",
    put: 'where ${within',
    noticedBy: `${orders}/takings/takings.test.ts`,
    secondPlace: true,
  },
  {
    fault: 'Takings count orders that lapsed as sold.',
    file: `${orders}/takings/takings.ts`,
    find: "state === 'cancelled' || state === 'lapsed'",
    put: "state === 'cancelled'",
    noticedBy: `${orders}/takings/takings.test.ts`,
    secondPlace: true,
  },
  {
    fault: 'The office shows all that was received as kept, refunds included.',
    file: 'office/rooms/takings/sums.ts',
    find: 'kept: received - refunded',
    put: 'kept: received',
    noticedBy: 'office/rooms/takings/sums.test.ts',
    secondPlace: true,
  },
  {
    fault: 'The bill calls a refunded tip a refund, and every other refund a refunded tip.',
    file: 'contract/bill-rows.ts',
    find: 'tip === amount',
    put: 'tip !== amount',
    noticedBy: 'contract/bill-rows.test.ts',
    secondPlace: true,
  },

  // What other places say of a price or an order
  {
    fault: 'Agents are told a price that is a dollar too high.',
    file: `${agents}/products.ts`,
    find: 'price: { amount: priceInfo.price + modifiers, currency }',
    put: 'price: { amount: priceInfo.price + modifiers + 100, currency }',
    noticedBy: `${agents}/agents.test.ts`,
    secondPlace: true,
  },
  {
    fault: 'Agents are told a former price without the modifiers that the price includes.',
    file: `${agents}/products.ts`,
    find: '{ amount: priceInfo.listPrice + modifiers, currency }',
    put: '{ amount: priceInfo.listPrice, currency }',
    noticedBy: `${agents}/food.test.ts`,
    secondPlace: true,
  },
  {
    fault: 'Totals for agents do not add up if a coupon makes shipping free.',
    file: `${agents}/bodies.ts`,
    find: 'const off = discount + shippingSaved;',
    put: 'const off = discount;',
    noticedBy: `${agents}/agents.test.ts`,
    secondPlace: true,
  },
  {
    fault: 'JSON-LD says that shipping costs something at exactly the amount from which it is free.',
    file: 'web/features/product/json-ld.ts',
    find: 'method.freeOver) === 0',
    put: 'method.freeOver + 1) === 0',
    noticedBy: 'tests/product-json-ld.test.ts',
    secondPlace: true,
  },
  {
    fault: 'JSON-LD says that a product on backorder is in stock.',
    file: 'web/features/product/json-ld.ts',
    find: "backorder ? 'https://schema.org/BackOrder' : availability(inStock, product.inStoreOnly)",
    put: 'availability(inStock || backorder === true, product.inStoreOnly)',
    noticedBy: 'tests/product-json-ld.test.ts',
    secondPlace: true,
  },
  {
    fault: 'The feeds of products swap the price and the price before its reduction.',
    file: 'server/modules/seo/product-feed.routes.ts',
    find: 'money((listPrice ?? priceInfo.price) + chosenPrice)',
    put: 'money(priceInfo.price + chosenPrice)',
    noticedBy: 'server/modules/seo/product-feed.test.ts',
    secondPlace: true,
  },
  {
    fault: 'The feed for ChatGPT offers what is sold in stores only.',
    file: 'server/modules/seo/product-feed.routes.ts',
    find: "function itemsJson(product: Product, place: FeedPlace, seller: Record<string, unknown>): string {\n  if (product.inStoreOnly) return '';",
    put: 'function itemsJson(product: Product, place: FeedPlace, seller: Record<string, unknown>): string {',
    noticedBy: 'server/modules/seo/product-feed.test.ts',
    secondPlace: true,
  },
  {
    fault: 'The header promises free shipping from the highest amount instead of the lowest.',
    file: 'server/modules/content/pages/shell.service.ts',
    find: 'Math.min(...amounts)',
    put: 'Math.max(...amounts)',
    noticedBy: 'server/modules/content/pages/shell.test.ts',
    secondPlace: true,
  },
  {
    fault: 'The cart promises free shipping by the value before the discount.',
    file: 'contract/rules/free-shipping.ts',
    find: 'freeOver - (bill.subtotal - bill.discount)',
    put: 'freeOver - bill.subtotal',
    noticedBy: 'contract/rules/free-shipping.test.ts',
  },
  {
    fault: 'The orders file says that zero-rated lines are taxable, and that taxed ones are not.',
    file: 'server/modules/exports/shopify-files.ts',
    find: "'Lineitem taxable': line.isTaxed",
    put: "'Lineitem taxable': !line.isTaxed",
    noticedBy: 'server/modules/exports/exports.test.ts',
    secondPlace: true,
  },
  {
    fault: 'The products file lists SKUs that are sold beyond their stock as if they were not.',
    file: 'server/modules/exports/shopify-products.ts',
    find: "sku.oversell ? 'continue' : 'deny'",
    put: "sku.oversell ? 'deny' : 'continue'",
    noticedBy: 'server/modules/exports/exports.test.ts',
    secondPlace: true,
  },
  {
    fault: 'A kitchen ticket leaves out the note of a line.',
    file: `${orders}/tickets/kitchen-tickets.ts`,
    find: '...(note ? [',
    put: '...(note === undefined ? [',
    noticedBy: `${orders}/tickets/kitchen-tickets.test.ts`,
    secondPlace: true,
  },
  {
    fault: 'Unpublished products stand in the sitemap.',
    file: 'server/modules/seo/sitemap.repository.ts',
    find: ".where('published', '=', 1)\n    .where('no', '>', after)",
    put: ".where('no', '>', after)",
    noticedBy: 'server/modules/seo/sitemap.test.ts',
    secondPlace: true,
  },
  {
    fault: 'A listing rounds the capacity by which lists filter down.',
    file: 'server/modules/catalogue/products/listing.ts',
    find: 'Math.ceil(capacityMl)',
    put: 'Math.floor(capacityMl)',
    noticedBy: 'server/modules/catalogue/products/listing.test.ts',
    secondPlace: true,
  },

  // Rights and secrets
  {
    fault: 'A blocked customer signs in.',
    file: 'server/modules/customers/accounts.service.ts',
    find: "if (customer.blocked_at !== null) throw new AppError('FORBIDDEN', { errorKey: 'account.blocked' });",
    put: '',
    noticedBy: 'server/modules/customers/accounts.service.test.ts',
  },
  {
    fault: 'Blocked staff sign in.',
    file: `${staff}/sign-in.ts`,
    find: '!staff || !isRight || staff.blocked_at !== null',
    put: '!staff || !isRight',
    noticedBy: `${staff}/staff.test.ts`,
  },
  {
    fault: 'A password alone signs in somebody who has a passkey.',
    file: `${staff}/sign-in.ts`,
    find: "if (staff.totp_confirmed === 0 && staff.passkeys > 0) throw refused('staff.passkeyNeeded');",
    put: '',
    noticedBy: `${staff}/staff.test.ts`,
  },
  {
    fault: 'Calls that ask for the second factor again accept any session.',
    file: 'server/http/staff-endpoint.ts',
    find: "if (fresh && !signedIn.fresh) throw new AppError('FORBIDDEN', { errorKey: 'staff.confirmNeeded' });",
    put: '',
    noticedBy: 'server/http/authorization.test.ts',
  },
  {
    fault: 'What belongs to no store is within reach of people of one store.',
    file: 'server/platform/permits.ts',
    find: '(storeId !== null && stores.has(storeId))',
    put: '(storeId === null || stores.has(storeId))',
    noticedBy: 'server/http/other-store.test.ts',
  },
  {
    fault: 'The list of orders shows those of any store that is asked for.',
    file: `${orders}/office/office-orders.ts`,
    find: 'permit.reaches(store) ? [store] : []',
    put: '[store]',
    noticedBy: `${orders}/office/office-orders.test.ts`,
    secondPlace: true,
  },
  {
    fault: 'The desk moves orders of other stores.',
    file: `${orders}/fulfilment/desk.ts`,
    find: '|| found.placedAt === null || !permit.reaches(found.storeId)',
    put: '|| found.placedAt === null',
    noticedBy: `${orders}/fulfilment/desk.test.ts`,
    secondPlace: true,
  },
  {
    fault: 'A revoked link still opens its order.',
    file: `${orders}/links/order-links.service.ts`,
    find: 'if (revoked_at !== null || !found || hasLinkEnded',
    put: 'if (!found || hasLinkEnded',
    noticedBy: `${orders}/links/order-links.test.ts`,
  },
  {
    fault: 'Guesses of order links are not limited.',
    file: `${orders}/links/order-links.service.ts`,
    find: "[['orderLinkAddress', network], ...guess]",
    put: "[['orderLinkAddress', network]]",
    noticedBy: `${orders}/links/order-links.test.ts`,
  },
  {
    fault: 'An email to an unconfirmed address repeats the recipient that a stranger typed.',
    file: `${orders}/emails/order-parts.ts`,
    find: '    shippingContact: null,\n',
    put: '',
    noticedBy: `${orders}/emails/new-order-emails.test.ts`,
  },
  {
    fault: 'Signing in keeps the session that the browser had as a guest.',
    file: 'server/platform/sessions/sessions.service.ts',
    find: 'if (row) await deleteSession(trx, row.id_hash);\n    const session',
    put: 'const session',
    noticedBy: 'server/platform/sessions/sessions.test.ts',
  },
  {
    fault: 'A customer who comes back often is never signed out.',
    file: 'server/platform/sessions/sessions.service.ts',
    find: 'Math.min(at + customerIdleMs, created_at + customerLongestMs)',
    put: 'at + customerIdleMs',
    noticedBy: 'server/platform/sessions/sessions.test.ts',
  },
  {
    fault: 'A host with a private address beside a public one is asked.',
    file: 'server/platform/safe-fetch/pinned-request.ts',
    find: 'found.every(({ address }) => isPublic(address))',
    put: 'found.some(({ address }) => isPublic(address))',
    noticedBy: 'server/platform/safe-fetch/safe-fetch.test.ts',
  },
  {
    fault: 'A cell that begins with @ is a formula in a spreadsheet.',
    file: 'contract/csv.ts',
    find: "/^'*[=+\\-@\\t",
    put: "/^'*[=+\\-\\t",
    noticedBy: 'contract/csv.test.ts',
  },

  // What is sent, merged and published
  {
    fault: 'Two processes send the same email.',
    file: 'server/platform/deliveries/deliveries.repository.ts',
    find: ".where('id', '=', id)\n    .where('state', 'in', unfinished)\n    .where('due_at', '<=', now)",
    put: ".where('id', '=', id)",
    noticedBy: 'server/modules/notifications/mail-sender.test.ts',
  },
  {
    fault: 'A webhook is signed with its time in milliseconds.',
    file: 'server/modules/webhooks/sender.ts',
    find: 'String(Math.floor(at / 1000))',
    put: 'String(at)',
    noticedBy: 'server/modules/webhooks/sender.test.ts',
  },
  {
    fault: 'Merging two editors’ changes overwrites what the other one saved.',
    file: 'contract/rules/patch.ts',
    find: '.filter(({ path }) => !conflicts.some((each) => overlap(each.path, path)));',
    put: ';',
    noticedBy: 'contract/rules/patch.test.ts',
  },
  {
    fault: 'A product is published before its time.',
    file: 'server/modules/catalogue/products/products.repository.ts',
    find: "status = 'active' and coalesce(publish_at, 0) <=",
    put: "status = 'active' and 0 * coalesce(publish_at, 0) <=",
    noticedBy: 'server/modules/catalogue/office/office-goods.test.ts',
    secondPlace: true,
  },
  {
    fault: 'A WooCommerce file with a sale price imports the regular price as the price.',
    file: 'server/modules/imports/kinds/woocommerce.ts',
    find: 'const price = isOnSale ? sale : (regular ?? sale);',
    put: 'const price = regular ?? sale;',
    noticedBy: 'server/modules/imports/kinds/reading.test.ts',
  },
];
