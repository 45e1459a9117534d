import type { BlockProps } from '#web/blocks/block-view.ts';
import { cx } from '#web/ui/cx.ts';
import { Frame } from '#web/ui/layout.tsx';
import { RichText } from '#web/ui/rich-text.tsx';

/** It keeps the same distance to what follows as to what precedes it. */
const statementClass = 'text-center font-serif text-xl product:text-2xl';

/** A heading, paragraphs and a list, in a column of readable width. */
export function TextBlock({ block: { title, paragraphs, items, html, style } }: BlockProps<'text'>) {
  const statement = style === 'statement';
  return (
    <Frame className={cx('section', statement ? statementClass : 'text-block')}>
      <div className={cx('prose', statement ? 'mx-auto max-w-[24em]!' : 'text-lg')}>
        {title && <h2>{title}</h2>}
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {items.length > 0 && (
          <ul>
            {items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        )}
        {html && <RichText html={html} />}
      </div>
    </Frame>
  );
}
