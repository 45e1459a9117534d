/** What the card of a product offers besides its link. */
import { type ComponentType, createContext } from 'react';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';

export interface CardActionProps {
  product: ProductSummary;
  /** The only SKU of the product. */
  sku: string;
}

/** A button for products without options. Null where there is none. */
export const CardAction = createContext<ComponentType<CardActionProps> | null>(null);
