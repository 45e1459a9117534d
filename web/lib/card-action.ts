import { createContext } from 'react';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { LazyView } from './lazy-view.tsx';

export interface CardActionProps {
  product: ProductSummary;
  sku: string;
  /** A button with this text, for everyone. Without it the button is an icon over the card's image, for pointers only. */
  text?: string;
}

/** A button for products without options. Null where there is none. */
export const CardAction = createContext<LazyView<CardActionProps> | null>(null);
