/** Structured data of a product for search engines (schema.org). */
import type { AggregateOffer, Offer } from 'schema-dts';
import { inLocale } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { absoluteUrl, breadcrumbList, graphOf, organizationId, type Place, pictureUrl } from '#web/lib/json-ld.ts';
import { urls } from '#web/lib/urls.ts';
import type { Crumb } from '#web/ui/breadcrumbs.tsx';

/** The product with its price and availability, and its breadcrumbs. */
export function productJsonLd(product: Product, crumbs: Crumb[], place: Place): object {
  const name = inLocale(product.nameContent, place.locale);
  const path = urls.product(product.id);
  return graphOf(
    {
      '@type': 'Product',
      '@id': `${absoluteUrl(path, place)}#product`,
      name,
      description: product.shortDesciption,
      url: absoluteUrl(path, place),
      productID: product.id,
      ...(product.skus[0] ? { sku: product.skus[0].sku } : {}),
      image: product.mediaInfo.imageInfos.map((image) => pictureUrl(image, place)),
      brand: { '@type': 'Brand', name: inLocale(product.brand.nameContent, place.locale) },
      category: crumbs.map(({ label }) => label).join(' > '),
      ...(product.weightGrams ? { weight: { '@type': 'QuantitativeValue', value: product.weightGrams, unitCode: 'GRM' } } : {}),
      ...offersOf(product, place),
    },
    breadcrumbList([...crumbs, { label: name, href: path }], place),
  );
}

/** One offer, or the price range of all combinations of options. None if the product is not for sale. */
function offersOf(product: Product, place: Place): { offers?: AggregateOffer | Offer } {
  const [first, ...others] = product.skus;
  if (!first) return {};
  if (others.length === 0) return { offers: offerOf(product, first, place) };
  const prices = product.skus.map(({ priceInfo }) => priceInfo.price);
  return {
    offers: {
      '@type': 'AggregateOffer',
      lowPrice: amount(Math.min(...prices)),
      highPrice: amount(Math.max(...prices)),
      priceCurrency: first.priceInfo.currency,
      offerCount: product.skus.length,
      availability: availability(
        product.skus.some(({ inStock }) => inStock),
        product.inStoreOnly,
      ),
      offers: product.skus.map((sku) => offerOf(product, sku, place)),
    },
  };
}

function offerOf(product: Product, { sku, optionPairs, priceInfo, inStock }: Product['skus'][number], place: Place): Offer {
  const options = Object.fromEntries(parseOptionPairs(optionPairs) ?? []);
  return {
    '@type': 'Offer',
    sku,
    url: absoluteUrl(urls.product(product.id, options), place),
    price: amount(priceInfo.price),
    priceCurrency: priceInfo.currency,
    availability: availability(inStock, product.inStoreOnly),
    itemCondition: 'https://schema.org/NewCondition',
    seller: { '@id': organizationId(place) },
  };
}

/** Formats cents as schema.org writes an amount: a decimal point, no separators, no currency sign. */
function amount(cents: number): string {
  return (cents / 100).toFixed(2);
}

function availability(inStock: boolean, inStoreOnly: boolean) {
  if (!inStock) return 'https://schema.org/OutOfStock' as const;
  return inStoreOnly ? ('https://schema.org/InStoreOnly' as const) : ('https://schema.org/InStock' as const);
}
