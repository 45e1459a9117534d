import { type ReactNode, useId } from 'react';
import { Choice, ChoiceGroup, type ChoiceGroupProps } from './choices.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface RadioCard<V extends string> {
  value: V;
  title: ReactNode;
  /** A second line: the address of a store, how long it takes. */
  note?: ReactNode;
  icon?: IconName;
  /** At the end of the line, a price for instance. Takes the icon's place. */
  end?: ReactNode;
  disabled?: boolean;
}

export interface RadioCardsProps<V extends string> extends ChoiceGroupProps {
  options: RadioCard<V>[];
  value: V | null;
  onChange: (value: V) => void;
}

/** One of a few ways, each with a word or two of explanation: delivery, payment, stores. */
export function RadioCards<V extends string>({ options, value, onChange, ...group }: RadioCardsProps<V>) {
  const name = useId();
  return (
    <ChoiceGroup {...group} listClass="radio-cards">
      {options.map((option) => (
        <Choice key={option.value} name={name} value={option.value} chosen={value} disabled={option.disabled} onChange={onChange}>
          <span className="radio-card">
            <span className="radio-card-mark" aria-hidden />
            <span className="radio-card-title">{option.title}</span>
            {option.note && <span className="radio-card-note">{option.note}</span>}
            {(option.end || option.icon) && (
              <span className="radio-card-end">{option.end ?? (option.icon && <Icon name={option.icon} />)}</span>
            )}
          </span>
        </Choice>
      ))}
    </ChoiceGroup>
  );
}
