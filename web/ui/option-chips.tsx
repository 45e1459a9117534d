import { useId } from 'react';
import { Choice, ChoiceGroup, type ChoiceGroupProps } from '#ui/choices.tsx';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Swatch } from './swatches.tsx';

interface OptionChip<V extends string> {
  value: V;
  label: string;
  /** `#rrggbb` of a colour, drawn beside its name. */
  color?: string | null;
  note?: string | undefined;
  /** No stock in this combination. It can still be chosen, to see which store has it. */
  soldOut?: boolean;
  disabled?: boolean;
}

interface OptionChipsProps<V extends string> extends Omit<ChoiceGroupProps, 'legend'> {
  /** The option's name; the chosen value is shown beside it. */
  legend: string;
  options: OptionChip<V>[];
  value: V | null;
  onChange: (value: V) => void;
}

export function OptionChips<V extends string>({
  legend,
  options,
  value,
  onChange,
  ...group
}: OptionChipsProps<V>) {
  const name = useId();
  const t = useT();
  return (
    <ChoiceGroup {...group} legend={legend} listClass="flex flex-wrap gap-2">
      {options.map((option) => (
        <Choice
          key={option.value}
          name={name}
          value={option.value}
          chosen={value}
          disabled={option.disabled}
          onChange={onChange}
        >
          <span className={cx('choice-face chip', option.soldOut && 'chip-unavailable')}>
            {option.color && <Swatch color={option.color} size={22} className="-ml-1.5 size-5.5" />}
            {option.soldOut ? (
              <s className="group-has-checked/choice:no-underline">{option.label}</s>
            ) : (
              option.label
            )}
            {option.note && <span className="text-ink-soft text-sm/tight">{option.note}</span>}
            {option.soldOut && <span className="sr-only"> ({t('ui.soldOut')})</span>}
          </span>
        </Choice>
      ))}
    </ChoiceGroup>
  );
}
