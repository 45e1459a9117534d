import type { LineItem } from '#contract/schemas/order.ts';
import { useT } from '#ui/i18n.tsx';

type Chosen = Pick<LineItem, 'optionText' | 'modifierText' | 'note'>;

/** What was chosen for a line: options and modifiers, and the note for the kitchen on a line of its own. */
export function ChosenText({
  line: { optionText, modifierText, note },
  className,
}: {
  line: Chosen;
  className?: string;
}) {
  const t = useT();
  const chosen = [optionText, modifierText].filter(Boolean).join(' · ');
  return (
    <>
      {chosen && <span className={`block text-pretty ${className}`}>{chosen}</span>}
      {note && <span className={`block text-pretty ${className}`}>{t('cart.line.note', { note })}</span>}
    </>
  );
}
