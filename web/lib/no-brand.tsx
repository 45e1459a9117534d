/** What a brand can give to screens, empty: the build puts `browser/index.ts` of its folder in place of this file (docs/how-to/brand.md). */
import type { ComponentType } from 'react';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import type { IconPath } from '#ui/icon.tsx';

type ProductPart = ComponentType<{ product: Product }>;
const nothing = () => null;

/** Above the button that buys a product. Part of the first view. */
export const ProductLead: ProductPart = nothing;
/** A fold after the product's details. Loads with the page below its first view, as does `ProductPicture`. */
export const ProductFold: ProductPart = nothing;
/** The last picture of the product's gallery, of products that have the icon for its thumbnail. The icon is part of the first view. */
export const ProductPicture: ProductPart = nothing;
export const pictureIcon: (product: Product) => IconPath | null = nothing;
/** At the head of an order's ticket. */
export const TicketMark: ComponentType<{ shop: Pick<AppContent, 'extras'> | undefined }> = nothing;
