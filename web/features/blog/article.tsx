import type { ArticlePart } from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { cx } from '#ui/cx.ts';
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
/** Wide images extend beyond the text if there is room. */
const wideClass = 'menu:-mx-24';
const captionClass = 'mt-3 text-[length:var(--text-sm)] text-ink-soft';
const quoteClass = 'text-pretty font-serif text-xl/[1.4] zh:break-keep zh:leading-[1.6]';

function Part({ part }: { part: ArticlePart }) {
  switch (part.type) {
    case 'paragraph':
      return <p>{part.text}</p>;
    case 'heading':
      return part.level === 2 ? <h2>{part.text}</h2> : <h3>{part.text}</h3>;
    case 'image':
      return (
        <figure className={cx('my-12', isWide(part.image) && wideClass)}>
          <Picture image={part.image} alt={part.alt} sizes={pictureSizes} className="max-h-192" />
          {part.caption && <figcaption className={captionClass}>{part.caption}</figcaption>}
        </figure>
      );
    case 'list': {
      const List = part.ordered ? 'ol' : 'ul';
      return (
        <List className={cx('pl-[1.5em]', part.ordered ? 'list-decimal' : 'list-disc')}>
          {part.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>{item}</li>
          ))}
        </List>
      );
    }
    case 'quote':
      return (
        <figure className="my-12 border-action border-l-2 pl-6">
          <blockquote className={quoteClass}>
            <p>{part.text}</p>
          </blockquote>
          {part.source && <figcaption className={captionClass}>{part.source}</figcaption>}
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
