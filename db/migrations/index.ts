/** The migrations in order. Forward only: never edit a published one, add a new one that corrects it. */
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { shop } from './001-shop.ts';
import { catalogue } from './002-catalogue.ts';
import { orders } from './003-orders.ts';
import { accounts } from './004-accounts.ts';
import { payments } from './005-payments.ts';
import { coupons } from './006-coupons.ts';
import { content } from './007-content.ts';
import { blog } from './008-blog.ts';
import { found } from './009-found.ts';
import { paymentDecisions } from './010-payment-decisions.ts';
import { paymentClaims } from './011-payment-claims.ts';
import { confirmedEmails } from './012-confirmed-emails.ts';
import { secrets } from './013-secrets.ts';
import { unpaidHolds } from './014-unpaid-holds.ts';
import { customerAccess } from './015-customer-access.ts';
import { refundAttention } from './016-refund-attention.ts';
import { providerActivity } from './017-provider-activity.ts';
import { cardPrices } from './018-card-prices.ts';
import { searches } from './019-searches.ts';
import { specialHours } from './020-special-hours.ts';
import { tableNames } from './021-table-names.ts';
import { removedStores } from './022-removed-stores.ts';
import { webhooks } from './023-webhooks.ts';
import { orderLinks } from './024-order-links.ts';
import { catalogueChanges } from './025-catalogue-changes.ts';
import { listFilters } from './026-list-filters.ts';
import { gtins } from './027-gtins.ts';
import { lineBrands } from './028-line-brands.ts';
import { quietOrderIndexes } from './029-quiet-order-indexes.ts';
import { listingsByProduct } from './030-listings-by-product.ts';
import { refundNotes } from './031-refund-notes.ts';
import { holdsAndTables } from './032-holds-and-tables.ts';
import { deliveries } from './033-deliveries.ts';
import { journal } from './034-journal.ts';
import { singleServings } from './035-single-servings.ts';
import { soldOut } from './036-sold-out.ts';
import { modifierGroups } from './037-modifier-groups.ts';
import { lineIds } from './038-line-ids.ts';
import { partySize } from './039-party-size.ts';
import { stockMovements } from './040-stock-movements.ts';
import { orderPages } from './041-order-pages.ts';
import { deliveryZones } from './042-delivery-zones.ts';
import { severalPayments } from './043-several-payments.ts';
import { staff } from './044-staff.ts';
import { passkeys } from './045-passkeys.ts';
import { staffRoles } from './046-staff-roles.ts';
import { takings } from './047-takings.ts';
import { officeOrders } from './048-office-orders.ts';
import { feed } from './049-feed.ts';
import { doneMessages } from './050-done-messages.ts';
import { busyStores } from './051-busy-stores.ts';
import { orderViews } from './052-order-views.ts';
import { orderChanges } from './053-order-changes.ts';
import { customerDesk } from './054-customer-desk.ts';
import { skuFacts } from './055-sku-facts.ts';
import { stations } from './056-stations.ts';
import { agents } from './057-agents.ts';
import { shipments } from './058-shipments.ts';
import { journalFilters } from './059-journal-filters.ts';
import { push } from './060-push.ts';
import { goods } from './061-goods.ts';
import { goodsChanges } from './062-goods-changes.ts';
import { productModel } from './063-product-model.ts';
import { bulkChanges } from './064-bulk-changes.ts';
import { revisions } from './067-revisions.ts';
import { stockRoom } from './069-stock-room.ts';
import { inviters } from './070-inviters.ts';
import { agentLinks } from './071-agent-links.ts';
import { requestKeys } from './072-request-keys.ts';
import { undonePayments } from './073-undone-payments.ts';
import { disputesByRule } from './074-disputes-by-rule.ts';
import { productsWithoutPrice } from './075-products-without-price.ts';
import { paymentNumbers } from './076-payment-numbers.ts';
import { staffDevices } from './077-staff-devices.ts';
import { searchWords } from './078-search-words.ts';
import { takersOfPayments } from './079-takers-of-payments.ts';
import { ledger } from './080-ledger.ts';
import { settlements } from './081-settlements.ts';
import { taxExemptions } from './082-tax-exemptions.ts';
import { cashRounding } from './083-cash-rounding.ts';
import { amountsInHundredths } from './085-amounts-in-hundredths.ts';
import { closing } from './086-closing.ts';
import { stockCosts } from './087-stock-costs.ts';
import { connections } from './088-connections.ts';
import { searchForms } from './089-search-forms.ts';
import { drafts } from './090-drafts.ts';
import { draftLinks } from './091-draft-links.ts';
import { draftLinkMakers } from './092-draft-link-makers.ts';
import { couponItems } from './093-coupon-items.ts';
import { indexesOfASale } from './094-indexes-of-a-sale.ts';
import { keys } from './095-keys.ts';
import { trials } from './096-trials.ts';
import { readsOfTheOffice } from './097-reads-of-the-office.ts';

export interface Migration {
  id: number;
  name: string;
  up(trx: Kysely<Tables>, engine: 'sqlite' | 'postgres'): Promise<void>;
}

export const migrations: readonly Migration[] = [
  shop,
  catalogue,
  orders,
  accounts,
  payments,
  coupons,
  content,
  blog,
  found,
  paymentDecisions,
  paymentClaims,
  confirmedEmails,
  secrets,
  unpaidHolds,
  customerAccess,
  refundAttention,
  providerActivity,
  cardPrices,
  searches,
  specialHours,
  tableNames,
  removedStores,
  webhooks,
  orderLinks,
  catalogueChanges,
  listFilters,
  gtins,
  lineBrands,
  quietOrderIndexes,
  listingsByProduct,
  refundNotes,
  holdsAndTables,
  deliveries,
  journal,
  singleServings,
  soldOut,
  modifierGroups,
  lineIds,
  partySize,
  stockMovements,
  orderPages,
  deliveryZones,
  severalPayments,
  staff,
  passkeys,
  staffRoles,
  takings,
  officeOrders,
  feed,
  doneMessages,
  busyStores,
  orderViews,
  orderChanges,
  customerDesk,
  skuFacts,
  stations,
  agents,
  shipments,
  journalFilters,
  push,
  goods,
  goodsChanges,
  productModel,
  bulkChanges,
  revisions,
  stockRoom,
  inviters,
  agentLinks,
  requestKeys,
  undonePayments,
  disputesByRule,
  productsWithoutPrice,
  paymentNumbers,
  staffDevices,
  searchWords,
  takersOfPayments,
  ledger,
  settlements,
  taxExemptions,
  cashRounding,
  amountsInHundredths,
  closing,
  stockCosts,
  connections,
  searchForms,
  drafts,
  draftLinks,
  draftLinkMakers,
  couponItems,
  indexesOfASale,
  keys,
  trials,
  readsOfTheOffice,
];
