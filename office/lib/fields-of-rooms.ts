/** The fields of rooms that the palette finds by what they are called. */
import { type FormField, forms } from '#contract/staff/forms.ts';

/** By the addresses of the rooms. What a room draws itself is compared with its code by a test. */
export const fieldsOfRooms: Readonly<Record<string, readonly Pick<FormField, 'path' | 'label'>[]>> = {
  '/settings': forms.settings,
  '/look': forms.look,
  '/shop': [
    { path: ['shopName'], label: 'office.shop.shopName' },
    { path: ['tagline'], label: 'office.shop.tagline' },
    { path: ['currency'], label: 'office.shop.currency' },
    { path: ['orderNumberPrefix'], label: 'office.shop.prefix' },
    { path: ['footer', 'notice'], label: 'office.shop.notice' },
    { path: ['footer', 'shortNotice'], label: 'office.shop.shortNotice' },
    { path: ['footer', 'copyright'], label: 'office.shop.copyright' },
    { path: ['contactEmail'], label: 'office.shop.email' },
    { path: ['securityContact'], label: 'office.shop.security' },
    { path: ['newOrderEmails', 'enabled'], label: 'office.shop.newOrders' },
    { path: ['languages'], label: 'office.shop.offered' },
    { path: ['staffLanguage'], label: 'office.shop.staffLanguage' },
  ],
  '/money': [
    { path: ['taxRates'], label: 'office.money.taxes' },
    { path: ['salesRecording'], label: 'office.money.salesRecording' },
    { path: ['paymentConfig', 'paymentOnline'], label: 'office.money.online' },
    { path: ['paymentConfig', 'payAtStoreEnabled'], label: 'office.money.payInStore' },
    { path: ['payAtStoreLimits', 'customers', 'totalCents'], label: 'office.money.mostCustomer' },
    { path: ['payAtStoreLimits', 'guests', 'totalCents'], label: 'office.money.mostGuest' },
    { path: ['payAtStoreLimits', 'customers', 'units'], label: 'office.money.mostUnitsCustomer' },
    { path: ['payAtStoreLimits', 'guests', 'units'], label: 'office.money.mostUnitsGuest' },
    { path: ['payAtStoreLimits', 'customers', 'lines'], label: 'office.money.mostLinesCustomer' },
    { path: ['payAtStoreLimits', 'guests', 'lines'], label: 'office.money.mostLinesGuest' },
    { path: ['reservationHours'], label: 'office.money.reservation' },
    { path: ['tipPercentages'], label: 'office.money.tipPercentages' },
    { path: ['serviceCharge', 'percent'], label: 'office.money.chargePercent' },
    { path: ['serviceCharge', 'fromPartySize'], label: 'office.money.chargeParty' },
    { path: ['serviceCharge', 'name'], label: 'office.money.chargeName' },
    { path: ['serviceCharge', 'taxClass'], label: 'office.money.chargeClass' },
    { path: ['serviceCharge', 'stores'], label: 'office.money.chargeStores' },
    { path: ['checkoutConfig', 'domesticShippingEnabled'], label: 'office.money.ships' },
    { path: ['packing', 'packingDays'], label: 'office.money.packing' },
    { path: ['packing', 'holidays'], label: 'office.money.holidays' },
  ],
};
