import type { ReactNode } from 'react';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import { useReturnFocus } from '#web/lib/return-focus.ts';
import { pageSizes } from '#web/ui/picture.tsx';
import { type GridShape, gridSizes, ProductGrid } from '#web/ui/product-grid.tsx';
import { ProductCard } from './product-card.tsx';

/** The part of a card that becomes part of the product's page in a view transition. */
const carried = '.product-card-picture';

interface CardGridProps extends GridShape {
  products: ProductSummary[];
  /** The first card is on the first screen. Its image then loads before those beside it. */
  priority?: boolean;
  featured?: boolean;
}

/** Of the large card, which is higher than wide, and whose image is square. */
const featuredSizes = pageSizes(0.58, '(min-width: 48rem) 59vw, 82vw');

export function CardGrid({ products, priority = false, featured = false, ...shape }: CardGridProps) {
  const sizes = gridSizes(shape);
  return (
    <ReturningGrid {...shape} className={featured ? 'featured-grid' : undefined}>
      {products.map((product, index) => (
        <li key={product.id}>
          <ProductCard
            product={product}
            sizes={featured && index === 0 ? featuredSizes : sizes}
            priority={priority && index === 0}
          />
        </li>
      ))}
    </ReturningGrid>
  );
}

export function ReturningGrid({ children, ...shape }: GridShape & { className?: string | undefined; children: ReactNode }) {
  const list = useReturnFocus<HTMLUListElement>(carried);
  return (
    <ProductGrid {...shape} ref={list}>
      {children}
    </ProductGrid>
  );
}
