import type { ReactNode } from 'react';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import { useReturnFocus } from '#web/lib/return-focus.ts';
import { type GridShape, gridSizes, ProductGrid } from '#web/ui/product-grid.tsx';
import { ProductCard } from './product-card.tsx';

/** The part of a card that becomes part of the product's page in a view transition. */
const carried = '.product-card-picture';

interface CardGridProps extends GridShape {
  products: ProductSummary[];
  /** The number of images on the first screen. */
  priority?: number;
}

/** Products in a grid. Back from one of them returns to its card. */
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

/** The list itself, for screens that fill it page by page. */
export function ReturningGrid({ children, ...shape }: GridShape & { children: ReactNode }) {
  const list = useReturnFocus<HTMLUListElement>(carried);
  return (
    <ProductGrid {...shape} ref={list}>
      {children}
    </ProductGrid>
  );
}
