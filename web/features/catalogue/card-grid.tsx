import type { ReactNode } from 'react';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import { useReturnFocus } from '#web/lib/return-focus.ts';
import { type GridShape, gridSizes, ProductGrid } from '#web/ui/product-grid.tsx';
import { ProductCard } from './product-card.tsx';

/** The part of a card that carries over to the product's page. */
const carried = '.product-card-picture';

interface CardGridProps extends GridShape {
  products: ProductSummary[];
  /** How many pictures belong to the first screen. */
  priority?: number;
}

/** Products beside and under each other. Back from one of them returns to its card. */
export function CardGrid({ products, priority = 0, ...shape }: CardGridProps) {
  return (
    <ReturningGrid {...shape}>
      {products.map((product, index) => (
        <li key={product.id}>
          <ProductCard product={product} sizes={gridSizes(shape)} priority={index < priority} />
        </li>
      ))}
    </ReturningGrid>
  );
}

/** The list itself, for those that fill it page by page. */
export function ReturningGrid({ children, ...shape }: GridShape & { children: ReactNode }) {
  const list = useReturnFocus<HTMLUListElement>(carried);
  return (
    <ProductGrid {...shape} ref={list}>
      {children}
    </ProductGrid>
  );
}
