import { Accordion } from '#ui/accordion.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { RichText } from '#web/ui/rich-text.tsx';

/** Lines that open, such as questions with their answers. They open without scripts, and the browser's search finds what is closed. */
export function AccordionBlock({ block: { title, entries } }: BlockProps<'accordion'>) {
  if (entries.length === 0) return null;
  return (
    <BlockFrame className="section text-block menu:grid menu:grid-cols-12 menu:gap-x-6">
      {title && <h2 className="mb-4 menu:sticky menu:top-36 menu:col-span-4 menu:self-start">{title}</h2>}
      <div className="menu:col-span-7 menu:col-start-5">
        {entries.map(({ summary, html }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity, and a page shows them as they are
          <Accordion key={index} summary={summary}>
            <RichText html={html} />
          </Accordion>
        ))}
      </div>
    </BlockFrame>
  );
}
