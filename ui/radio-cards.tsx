import { type ReactNode, useId } from 'react';
import { Choice, ChoiceGroup, type ChoiceGroupProps } from '#ui/choices.tsx';
import { cx } from '#ui/cx.ts';
import { Icon, type IconName } from '#ui/icon.tsx';

export interface RadioCard<V extends string> {
  value: V;
  title: ReactNode;
  /** A second line: the address of a store, a duration. */
  note?: ReactNode;
  icon?: IconName;
  /** At the end of the line, a price for instance. Replaces the icon. */
  end?: ReactNode;
  disabled?: boolean;
}

interface RadioCardsProps<V extends string> extends ChoiceGroupProps {
  options: RadioCard<V>[];
  value: V | null;
  onChange: (value: V) => void;
  /** Two in a row where there is room: for many short ones. */
  inPairs?: boolean;
}

const faceClass =
  'choice-face grid min-h-16 grid-cols-[auto_1fr_auto] items-center gap-x-3.5 gap-y-0.5 rounded-md px-4 py-3.5';
const markClass =
  'row-[1/span_2] size-5.5 self-center rounded-full border border-edge bg-raised group-has-checked/choice:border-[0.4375rem] group-has-checked/choice:border-action';

/** What is seen of an option. Without its radio button it is a placeholder of the same size. */
export function RadioCardFace({ title, note, icon, end }: Omit<RadioCard<string>, 'value'>) {
  return (
    <span className={faceClass}>
      <span className={markClass} aria-hidden />
      <span className={cx('font-semibold leading-[1.35]', !note && 'row-[1/span_2]')}>{title}</span>
      {note && (
        <span className="col-start-2 text-ink-soft text-sm group-has-checked/choice:text-ink">{note}</span>
      )}
      {(end || icon) && (
        <span className="col-start-3 row-[1/span_2] text-ink-soft group-has-checked/choice:text-action">
          {end ?? (icon && <Icon name={icon} />)}
        </span>
      )}
    </span>
  );
}

export function RadioCards<V extends string>({
  options,
  value,
  onChange,
  inPairs = false,
  ...group
}: RadioCardsProps<V>) {
  const name = useId();
  return (
    <ChoiceGroup {...group} listClass={cx('grid gap-3', inPairs && 'form:grid-cols-2')}>
      {options.map((option) => (
        <Choice
          key={option.value}
          name={name}
          value={option.value}
          chosen={value}
          disabled={option.disabled}
          onChange={onChange}
        >
          <RadioCardFace {...option} />
        </Choice>
      ))}
    </ChoiceGroup>
  );
}
