import type {
  MerchantReturnPolicyLeaf,
  MonetaryAmountLeaf,
  OfferLeaf,
  OfferShippingDetailsLeaf,
  ProductGroupLeaf,
  ProductLeaf,
  QuantitativeValueLeaf,
} from 'schema-dts';
import { inLocale } from '#contract/locales.ts';
import { decimalText } from '#contract/money.ts';
import { attributesOfOptions, parseOptionPairs, variantName } from '#contract/option-pairs.ts';
import { missingForFreeShipping } from '#contract/rules/free-shipping.ts';
import { modifierPrice, startingPrice } from '#contract/rules/modifiers.ts';
import type { Product, SkuInfo } from '#contract/schemas/catalogue.ts';
import type { OfferTerms, ReturnTerms, ShippingTerms } from '#contract/schemas/shop.ts';
import type { Crumb } from '#ui/layout.tsx';
import {
  absoluteUrl,
  breadcrumbList,
  graphOf,
  organizationReference,
  type Place,
  pictureUrl,
} from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

interface ProductPlace {
  crumbs: Crumb[];
  /** Left out if they are unknown. */
  terms: OfferTerms | undefined;
  place: Place;
}

/** The product with its offers and their terms, and its breadcrumbs. With options it is a group of variants. */
export function productJsonLd(product: Product, { crumbs, terms, place }: ProductPlace): object {
  const name = inLocale(product.nameContent, place.locale);
  const path = urls.product(product.id);
  const clearance = product.badges.includes('CLEARANCE');
  const offered = offerTermsData(terms, { inStoreOnly: product.inStoreOnly, clearance });
  const [first, ...others] = product.skus;
  const shared = {
    '@id': `${absoluteUrl(path, place)}#product`,
    name,
    description: product.shortDesciption,
    url: absoluteUrl(path, place),
    image: product.mediaInfo.imageInfos.map((image) => pictureUrl(image, place)),
    brand: { '@type': 'Brand' as const, name: inLocale(product.brand.nameContent, place.locale) },
    category: crumbs.map(({ label }) => label).join(' > '),
    ...weightOf(first?.weightGrams && others.length === 0 ? first : product),
  };
  const data: ProductLeaf | ProductGroupLeaf =
    others.length > 0
      ? {
          '@type': 'ProductGroup',
          ...shared,
          productGroupID: product.id,
          ...variantsOf(product, offered, place),
        }
      : {
          '@type': 'Product',
          ...shared,
          productID: product.id,
          // A product without SKUs is not for sale.
          ...(first
            ? { sku: first.sku, ...gtinOf(first), offers: offerOf(product, first, { offered, place }) }
            : {}),
        };
  return graphOf(data, ...offered.things(), breadcrumbList([...crumbs, { label: name, href: path }], place));
}

function variantsOf(
  product: Product,
  offered: OfferTermsData,
  place: Place,
): Pick<ProductGroupLeaf, 'variesBy' | 'hasVariant'> {
  const { options } = product.specification;
  const attributes = attributesOfOptions(options);
  return {
    variesBy: options.map(({ name, nameContent }) => {
      const attribute = attributes.get(name);
      return attribute ? `https://schema.org/${attribute}` : inLocale(nameContent, place.locale);
    }),
    hasVariant: product.skus.map((sku) => variantOf(product, sku, { attributes, offered, place })),
  };
}

interface Context {
  offered: OfferTermsData;
  place: Place;
}

function variantOf(
  product: Product,
  sku: SkuInfo,
  { attributes, offered, place }: Context & { attributes: ReturnType<typeof attributesOfOptions> },
): ProductLeaf {
  const chosen = parseOptionPairs(sku.optionPairs) ?? new Map<string, string>();
  const values = product.specification.options.flatMap(({ name, nameContent, values }) => {
    const value = values.find((candidate) => candidate.value === chosen.get(name));
    if (!value) return [];
    return [
      {
        name,
        label: inLocale(nameContent, place.locale),
        text: inLocale(value.valueContent, place.locale),
        value,
      },
    ];
  });
  const image =
    sku.image ?? values.find(({ value }) => value.image)?.value.image ?? product.mediaInfo.imageInfos[0];
  const others = values.filter(({ name }) => !attributes.has(name));
  return {
    '@type': 'Product',
    sku: sku.sku,
    ...gtinOf(sku),
    ...weightOf(sku),
    name: variantName(
      inLocale(product.nameContent, place.locale),
      values.map(({ text }) => text),
    ),
    ...(image ? { image: pictureUrl(image, place) } : {}),
    ...Object.fromEntries(
      values.flatMap(({ name, text }) => (attributes.has(name) ? [[attributes.get(name), text]] : [])),
    ),
    ...(others.length > 0
      ? {
          additionalProperty: others.map(({ label, text }) => ({
            '@type': 'PropertyValue',
            name: label,
            value: text,
          })),
        }
      : {}),
    offers: offerOf(product, sku, { offered, place }),
  };
}

function weightOf({ weightGrams }: { weightGrams?: number | null | undefined }) {
  return weightGrams
    ? { weight: { '@type': 'QuantitativeValue' as const, value: weightGrams, unitCode: 'GRM' } }
    : {};
}

function gtinOf({ gtin }: SkuInfo): { gtin?: string } {
  return gtin === undefined ? {} : { gtin };
}

function offerOf(
  product: Product,
  { sku, optionPairs, priceInfo, inStock, backorder }: SkuInfo,
  { offered, place }: Context,
): OfferLeaf {
  const options = Object.fromEntries(parseOptionPairs(optionPairs) ?? []);
  const price =
    priceInfo.price +
    startingPrice({ groups: product.modifierGroups ?? [], optionPairs, storeId: null }).price;
  return {
    '@type': 'Offer',
    sku,
    url: absoluteUrl(urls.product(product.id, options), place),
    price: decimalText(price, priceInfo.currency),
    priceCurrency: priceInfo.currency,
    ...addOnsOf(product, { optionPairs, priceInfo }, place),
    availability: backorder ? 'https://schema.org/BackOrder' : availability(inStock, product.inStoreOnly),
    itemCondition: 'https://schema.org/NewCondition',
    seller: organizationReference(place),
    ...offered.refer(price),
  };
}

/** Modifiers that cost something with the SKU's options, each an offer on top. */
function addOnsOf(
  { modifierGroups = [], inStoreOnly }: Product,
  { optionPairs, priceInfo }: Pick<SkuInfo, 'optionPairs' | 'priceInfo'>,
  { locale }: Place,
): { addOn?: OfferLeaf[] } {
  const addOn = modifierGroups.flatMap(({ modifiers }) =>
    modifiers.flatMap((modifier): OfferLeaf[] => {
      const price = modifierPrice(modifier, optionPairs);
      if (price === 0) return [];
      const name = inLocale(modifier.nameContent, locale);
      const offer = {
        name,
        price: decimalText(price, priceInfo.currency),
        priceCurrency: priceInfo.currency,
      };
      return [{ '@type': 'Offer', ...offer, availability: availability(true, inStoreOnly) }];
    }),
  );
  return addOn.length > 0 ? { addOn } : {};
}

function availability(inStock: boolean, inStoreOnly: boolean) {
  if (!inStock) return 'https://schema.org/OutOfStock' as const;
  return inStoreOnly ? ('https://schema.org/InStoreOnly' as const) : ('https://schema.org/InStock' as const);
}

interface Reference {
  '@id': string;
}

interface OfferTermsRefs {
  shippingDetails?: Reference[];
  hasMerchantReturnPolicy?: Reference;
}

interface OfferTermsData {
  refer(price: number): OfferTermsRefs;
  things(): (OfferShippingDetailsLeaf | MerchantReturnPolicyLeaf)[];
}

/** The terms are on the page once, and each offer refers to them by id. Free shipping from a value is free for an offer that reaches it alone. */
function offerTermsData(
  terms: OfferTerms | undefined,
  { inStoreOnly, clearance }: { inStoreOnly: boolean; clearance: boolean },
): OfferTermsData {
  const used = new Map<string, OfferShippingDetailsLeaf | MerchantReturnPolicyLeaf>();
  if (!terms || inStoreOnly) return { refer: () => ({}), things: () => [] };
  const { currency, countries, returns, shippingMethods } = terms;
  return {
    refer(price) {
      const shipping = shippingMethods.map((method) => {
        const isFree =
          method.freeOver !== null &&
          missingForFreeShipping({ subtotal: price, discount: 0 }, method.freeOver) === 0;
        const id = `#shipping-${method.id}${isFree ? '-free' : ''}`;
        used.set(
          id,
          shippingDetails(id, method, { value: decimalText(isFree ? 0 : method.price, currency), currency }),
        );
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
  value: string;
  currency: string;
}

function monetary(money: Money): MonetaryAmountLeaf {
  return { '@type': 'MonetaryAmount', ...money };
}

function shippingDetails(id: string, method: ShippingTerms, rate: Money): OfferShippingDetailsLeaf {
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

function days(minValue: number, maxValue: number): QuantitativeValueLeaf {
  return { '@type': 'QuantitativeValue', minValue, maxValue, unitCode: 'DAY' };
}

interface Offered {
  countries: string[];
  currency: string;
  clearance: boolean;
}

function returnPolicy(
  terms: ReturnTerms,
  { countries, currency, clearance }: Offered,
): MerchantReturnPolicyLeaf {
  const policy = {
    '@type': 'MerchantReturnPolicy' as const,
    '@id': '#returns',
    applicableCountry: countries,
  };
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

function returnFees({ fees, fee }: ReturnTerms, currency: string): Partial<MerchantReturnPolicyLeaf> {
  if (fees === 'customerPays') return { returnFees: 'https://schema.org/ReturnFeesCustomerResponsibility' };
  if (fees === 'free' || fee === 0) return { returnFees: 'https://schema.org/FreeReturn' };
  return {
    returnFees: 'https://schema.org/ReturnShippingFees',
    returnShippingFeesAmount: monetary({ value: decimalText(fee, currency), currency }),
  };
}
