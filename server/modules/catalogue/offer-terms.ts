/** The terms of the shop's offers, from its settings. */
import type { OfferTerms, ShippingTerms } from '#contract/schemas/shop.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';

/** Returns the terms as clients and search engines read them. */
export function offerTerms(settings: ShopSettings): OfferTerms {
  const { checkoutConfig, countries, currency, shippingMethods, returnPolicy } = settings;
  const { days, fees, feeCents, ...rest } = returnPolicy;
  return {
    currency,
    countries: countries.map(({ countryISOCode }) => countryISOCode),
    shippingMethods: checkoutConfig.domesticShippingEnabled ? shippingMethods.map(shippingTerms) : [],
    returns: days === null ? null : { days, fees, fee: fees === 'fixed' ? feeCents : 0, ...rest },
  };
}

function shippingTerms(method: ShopSettings['shippingMethods'][number]): ShippingTerms {
  return {
    id: method.id,
    nameContent: method.name,
    countries: method.countries,
    provinceCodes: method.provinceCodes,
    price: method.priceCents,
    freeOver: method.freeOverCents,
    minBusinessDays: method.minBusinessDays,
    maxBusinessDays: method.maxBusinessDays,
  };
}
