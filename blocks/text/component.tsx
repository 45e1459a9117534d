import type { BlockProps } from '#web/blocks/block-view.ts';
import { Frame } from '#web/ui/layout.tsx';
import { RichText } from '#web/ui/rich-text.tsx';

/** A heading, paragraphs and a list, in a column of readable width. */
export function TextBlock({ block: { title, paragraphs, items, html } }: BlockProps<'text'>) {
  return (
    <Frame className="section text-block">
      <div className="prose text-lg">
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
