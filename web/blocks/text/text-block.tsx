import { Frame } from '#web/ui/layout.tsx';
import type { BlockProps } from '../registry.ts';

/** A heading, paragraphs and a list, in a column that reads well. */
export function TextBlock({ block: { title, paragraphs, items } }: BlockProps<'text'>) {
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
      </div>
    </Frame>
  );
}
