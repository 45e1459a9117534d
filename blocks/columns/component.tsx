import { cx } from '#ui/cx.ts';
import { Section } from '#ui/layout.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { RichText } from '#web/ui/rich-text.tsx';

/** By how many there are: four stand two by two on a tablet. */
const widths = ['', '', 'product:grid-cols-2', 'product:grid-cols-3', 'product:grid-cols-2 menu:grid-cols-4'];

/** Texts side by side. */
export function ColumnsBlock({ block: { title, columns } }: BlockProps<'columns'>) {
  if (columns.length === 0) return null;
  return (
    <BlockFrame>
      <Section title={title}>
        <div className={cx('grid gap-x-8 gap-y-8', widths[columns.length])}>
          {columns.map(({ title: heading, html }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity, and a page shows them as they are
            <div key={index} className="min-w-0">
              {heading &&
                (title ? (
                  <h3 className="mb-2 text-lg">{heading}</h3>
                ) : (
                  <h2 className="mb-2 text-lg">{heading}</h2>
                ))}
              <RichText html={html} />
            </div>
          ))}
        </div>
      </Section>
    </BlockFrame>
  );
}
