/** Formats products for the feeds of ChatGPT (https://developers.openai.com/commerce/specs/file-upload/products): a line for each SKU. */
import { inLocale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { categoryPath, cut, type FeedPlace, longest, mostImages, offerOf } from './product-feed-xml.ts';

/** Who sells: the same in every line. */
export function sellerOf(
  { shopName, footer, countries }: Pick<ShopSettings, 'shopName' | 'footer' | 'countries'>,
  storeCountry: string | undefined,
  { origin, locale }: FeedPlace,
): Record<string, unknown> {
  const page = (pattern: RegExp) => {
    const link = footer.links.find((each) => pattern.test(each.link))?.link;
    return link?.startsWith('/') ? origin + link : link;
  };
  return {
    seller_name: cut(inLocale(shopName, locale), 70),
    seller_url: origin,
    seller_privacy_policy: page(/privacy/),
    seller_tos: page(/terms/),
    return_policy: page(/refund|return/),
    target_countries: countries.map(({ countryISOCode }) => countryISOCode),
    store_country: storeCountry,
  };
}

/** None for a product in store only. Nothing is bought within ChatGPT: its customers come to the shop. */
export function itemsJson(product: Product, place: FeedPlace, seller: Record<string, unknown>): string {
  if (product.inStoreOnly) return '';
  const { locale } = place;
  const { brand, category, description, shortDesciption, skus, id, productName } = product;
  return skus
    .map((info) => {
      const { values, images, title, link, price, salePrice, availability } = offerOf(product, info, place);
      const { gtin, sku, weightGrams } = info;
      const grams = weightGrams ?? product.weightGrams;
      const line = {
        is_eligible_search: true,
        is_eligible_checkout: false,
        item_id: sku,
        gtin,
        title,
        description: cut([shortDesciption, ...description].join('\n') || productName, longest.description),
        url: link,
        brand: cut(inLocale(brand.nameContent, locale), longest.brand),
        condition: 'new',
        product_category: cut(categoryPath(category, locale).join(' > '), longest.productType),
        image_url: images[0],
        additional_image_urls: images.length > 1 ? images.slice(1, mostImages + 1) : undefined,
        price,
        sale_price: salePrice ?? undefined,
        availability,
        group_id: id,
        listing_has_variations: skus.length > 1,
        variant_dict: values.length > 0 ? Object.fromEntries(values.map(({ label, text }) => [label, text])) : undefined,
        ...(grams ? { weight: String(grams), item_weight_unit: 'g' } : {}),
        ...seller,
      };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}
