import { chooseModifiers } from '#contract/rules/modifiers.ts';
import type { LastChoice } from '#contract/schemas/modifiers.ts';
import { announce } from '#ui/announce.tsx';
import { Button } from '#ui/button.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { type Modifiers, namesOf, offeredOf } from './use-modifiers.ts';

interface SameAsLastTimeProps {
  modifiers: Modifiers;
  last: LastChoice;
  /** Chooses the options of the product as well. */
  onTake: (last: LastChoice) => void;
  className?: string;
}

/** Chooses what the customer chose when they last ordered the product; nothing if that is no longer offered. */
export function SameAsLastTime({ modifiers, last, onTake, className }: SameAsLastTimeProps) {
  const t = useT();
  const locale = useLocale();
  const { product, take } = modifiers;
  const { chosen, errors } = chooseModifiers(product, offeredOf(product, last.modifiers), locale);
  const choices = [...namesOf(chosen, locale), ...(last.note ? [last.note] : [])].join(t('ui.listSeparator'));
  if (choices === '' || Object.keys(errors).length > 0) return null;
  return (
    <Button
      variant="secondary"
      size="small"
      className={className}
      onClick={() => {
        take(last);
        onTake(last);
        announce(t('modifiers.lastTime.now', { choices }));
      }}
    >
      {t('modifiers.lastTime')}
      <span className="sr-only">
        {t('ui.listSeparator')}
        {choices}
      </span>
    </Button>
  );
}
