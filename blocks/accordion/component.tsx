import { Accordion } from '#ui/accordion.tsx';
import type { BlockProps } from '#web/blocks/block-view.tsx';
import { TitleBeside } from '#web/blocks/title-beside.tsx';
import { RichText } from '#web/ui/rich-text.tsx';

/** Lines that open, such as questions with their answers. They open without scripts, and the browser's search finds what is closed. */
export function AccordionBlock({ block: { title, entries } }: BlockProps<'accordion'>) {
  if (entries.length === 0) return null;
  return (
    <TitleBeside title={title}>
      {entries.map(({ summary, html }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity, and a page shows them as they are
        <Accordion key={index} summary={summary}>
          <RichText html={html} />
        </Accordion>
      ))}
    </TitleBeside>
  );
}
