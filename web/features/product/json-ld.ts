/** Structured data of a product for search engines (schema.org). */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { localizePath } from '#web/lib/locale-path.ts';
import { fittingUrl } from '#web/lib/media.ts';
import { urls } from '#web/lib/urls.ts';
import type { Crumb } from '#web/ui/breadcrumbs.tsx';

interface Place {
  origin: string;
  locale: Locale;
}

/** The product with one offer for every combination, and the way to it. */
export function productJsonLd(product: Product, crumbs: Crumb[], { origin, locale }: Place): object {
  const address = (path: string) => origin + localizePath(path, locale);
  const url = address(urls.product(product.id));
  const name = inLocale(product.nameContent, locale);
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Product',
        name,
        description: product.shortDesciption,
        image: product.mediaInfo.imageInfos.map((image) => origin + fittingUrl(image, 1280)),
        brand: { '@type': 'Brand', name: inLocale(product.brand.nameContent, locale) },
        sku: product.skus[0]?.sku,
        offers: product.skus.map(({ sku, priceInfo, inStock }) => ({
          '@type': 'Offer',
          sku,
          url,
          price: (priceInfo.price / 100).toFixed(2),
          priceCurrency: priceInfo.currency,
          availability: availability(inStock, product.inStoreOnly),
        })),
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [...crumbs, { label: name, href: urls.product(product.id) }].map(({ label, href }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: label,
          item: href && address(href),
        })),
      },
    ],
  };
}

function availability(inStock: boolean, inStoreOnly: boolean): string {
  if (!inStock) return 'https://schema.org/OutOfStock';
  return inStoreOnly ? 'https://schema.org/InStoreOnly' : 'https://schema.org/InStock';
}
