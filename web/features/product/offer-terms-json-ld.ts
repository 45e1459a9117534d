/** Structured data of what applies to every offer: shipping rates and times, and the rule for returns (schema.org). */
import type { MerchantReturnPolicy, MonetaryAmount, OfferShippingDetails, QuantitativeValue } from 'schema-dts';
import type { OfferTerms, ReturnTerms, ShippingTerms } from '#contract/schemas/shop.ts';
import { amount } from '#web/lib/json-ld.ts';

interface Reference {
  '@id': string;
}

/** The terms that an offer refers to. */
export interface OfferTermsRefs {
  shippingDetails?: Reference[];
  hasMerchantReturnPolicy?: Reference;
}

export interface OfferTermsData {
  /** What an offer of this price, in cents, refers to. */
  refer(price: number): OfferTermsRefs;
  /** The terms that offers have referred to so far. */
  things(): (OfferShippingDetails | MerchantReturnPolicy)[];
}

/**
 * The terms of a product's offers. They are on the page once, and each offer refers to them by id. A product that is in store
 * only has none. Shipping that is free from a value of items is free for an offer that reaches it alone.
 */
export function offerTermsData(
  terms: OfferTerms | undefined,
  { inStoreOnly, clearance }: { inStoreOnly: boolean; clearance: boolean },
): OfferTermsData {
  const used = new Map<string, OfferShippingDetails | MerchantReturnPolicy>();
  if (!terms || inStoreOnly) return { refer: () => ({}), things: () => [] };
  const { currency, countries, returns, shippingMethods } = terms;
  return {
    refer(price) {
      const shipping = shippingMethods.map((method) => {
        const isFree = method.freeOver !== null && price >= method.freeOver;
        const id = `#shipping-${method.id}${isFree ? '-free' : ''}`;
        used.set(id, shippingDetails(id, method, { value: amount(isFree ? 0 : method.price), currency }));
        return { '@id': id };
      });
      if (returns) used.set('#returns', returnPolicy(returns, { countries, currency, clearance }));
      return {
        ...(shipping.length > 0 ? { shippingDetails: shipping } : {}),
        ...(returns ? { hasMerchantReturnPolicy: { '@id': '#returns' } } : {}),
      };
    },
    things: () => [...used.values()],
  };
}

interface Money {
  /** A decimal amount such as '12.00'. */
  value: string;
  currency: string;
}

function monetary(money: Money): MonetaryAmount {
  return { '@type': 'MonetaryAmount', ...money };
}

function shippingDetails(id: string, method: ShippingTerms, rate: Money): OfferShippingDetails {
  const { countries, provinceCodes, minBusinessDays, maxBusinessDays } = method;
  return {
    '@type': 'OfferShippingDetails',
    '@id': id,
    shippingRate: monetary(rate),
    shippingDestination: countries.map((country) => ({
      '@type': 'DefinedRegion' as const,
      addressCountry: country,
      ...(provinceCodes.length > 0 ? { addressRegion: provinceCodes } : {}),
    })),
    deliveryTime: {
      '@type': 'ShippingDeliveryTime',
      // The days of a method run from the order, so packing is part of them.
      handlingTime: days(0, 0),
      transitTime: days(minBusinessDays, maxBusinessDays),
    },
  };
}

function days(minValue: number, maxValue: number): QuantitativeValue {
  return { '@type': 'QuantitativeValue', minValue, maxValue, unitCode: 'DAY' };
}

interface Offered {
  countries: string[];
  currency: string;
  clearance: boolean;
}

function returnPolicy(terms: ReturnTerms, { countries, currency, clearance }: Offered): MerchantReturnPolicy {
  const policy = { '@type': 'MerchantReturnPolicy' as const, '@id': '#returns', applicableCountry: countries };
  if (terms.days === 0 || (clearance && !terms.clearance))
    return { ...policy, returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted' };
  return {
    ...policy,
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: terms.days,
    returnMethod: [
      ...(terms.byMail ? ['https://schema.org/ReturnByMail' as const] : []),
      ...(terms.inStore ? ['https://schema.org/ReturnInStore' as const] : []),
    ],
    ...returnFees(terms, currency),
  };
}

function returnFees({ fees, fee }: ReturnTerms, currency: string): Partial<MerchantReturnPolicy> & object {
  if (fees === 'customerPays') return { returnFees: 'https://schema.org/ReturnFeesCustomerResponsibility' };
  if (fees === 'free' || fee === 0) return { returnFees: 'https://schema.org/FreeReturn' };
  return {
    returnFees: 'https://schema.org/ReturnShippingFees',
    returnShippingFeesAmount: monetary({ value: amount(fee), currency }),
  };
}
