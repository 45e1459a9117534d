import type { BlogPost } from '#contract/schemas/blog.ts';
import { useT } from '#ui/i18n.tsx';
import { Section } from '#ui/layout.tsx';
import { CardGrid } from '#web/features/catalogue/card-grid.tsx';

/** One row on a desktop, two on a phone. */
const most = 4;

/** The products that a post shows, each once, after its text. Nothing if it shows none. */
export function PostProducts({ post: { blogPage } }: { post: BlogPost }) {
  const t = useT();
  const products = new Map(blogPage.parts.flatMap((part) => (part.type === 'product' ? [[part.product.id, part.product]] : [])));
  if (products.size === 0) return null;
  return (
    <Section title={t('blog.products')}>
      <CardGrid products={[...products.values()].slice(0, most)} />
    </Section>
  );
}
