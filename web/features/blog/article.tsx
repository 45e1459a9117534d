import type { ArticlePart } from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { cx } from '#web/ui/cx.ts';
import { Picture } from '#web/ui/picture.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { ProductPart } from './product-part.tsx';

/** The body of a post, from top to bottom. */
export function Article({ parts }: { parts: readonly ArticlePart[] }) {
  return (
    <div className="article">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an article have no identity and never change order
        <Part key={index} part={part} />
      ))}
    </div>
  );
}

const pictureSizes = '(min-width: 60rem) 800px, 92vw';

function Part({ part }: { part: ArticlePart }) {
  switch (part.type) {
    case 'paragraph':
      return <p>{part.text}</p>;
    case 'heading':
      return part.level === 2 ? <h2>{part.text}</h2> : <h3>{part.text}</h3>;
    case 'image':
      return (
        <figure className={cx(isWide(part.image) && 'article-wide')}>
          <Picture image={part.image} alt={part.alt} sizes={pictureSizes} />
          {part.caption && <figcaption>{part.caption}</figcaption>}
        </figure>
      );
    case 'list': {
      const List = part.ordered ? 'ol' : 'ul';
      return (
        <List>
          {part.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>{item}</li>
          ))}
        </List>
      );
    }
    case 'quote':
      return (
        <figure className="article-quote">
          <blockquote>
            <p>{part.text}</p>
          </blockquote>
          {part.source && <figcaption>{part.source}</figcaption>}
        </figure>
      );
    case 'html':
      return <RichText html={part.html} />;
    case 'product':
      return <ProductPart product={part.product} />;
  }
}

/** Landscape images are wider than the text; others would fill the screen. */
function isWide({ width, height }: ImageInfo): boolean {
  return width / height >= 1.3;
}
