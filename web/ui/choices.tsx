import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import { FieldError } from './field.tsx';

export const legendClass = 'mb-2.5 block font-semibold leading-[1.35]';

/** How the face of a `Choice` shows what its radio button is: pointed at, chosen, wrong, disabled, focused. */
export const choiceFaceClass = cx(
  'transition-[border-color,box-shadow] group-hover/choice:border-ink group-aria-invalid/choices:border-clay',
  'peer-checked:border-action peer-checked:bg-action-tint peer-checked:inset-ring peer-checked:inset-ring-action',
  'peer-focus-visible:outline-2 peer-focus-visible:outline-focus peer-focus-visible:outline-offset-3 peer-disabled:text-ink-soft',
  // Where the system paints all backgrounds itself, what is chosen has an edge of its own.
  'forced-colors:peer-checked:outline-3 forced-colors:peer-checked:outline-[Highlight] forced-colors:peer-checked:-outline-offset-1',
);
/** Its box, for faces that are seen before they are chosen. */
export const choiceBoxClass = 'border border-edge bg-raised peer-disabled:border-line peer-disabled:bg-surface-inset';

export interface ChoiceGroupProps {
  /** The question: "Colour", "How would you like to get it?". */
  legend: ReactNode;
  /** Keeps the question for screen readers only, where a heading on the screen asks it. */
  hideLegend?: boolean;
  error?: ReactNode;
  className?: string;
}

interface FrameProps extends ChoiceGroupProps {
  listClass: string;
  children: ReactNode;
}

/** The frame of every group of radio buttons: a question, the answers, an error. */
export function ChoiceGroup({ legend, hideLegend, error, className, listClass, children }: FrameProps) {
  const id = useId();
  return (
    <fieldset
      className={cx('group/choices min-w-0', className)}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a group cannot be invalid, a radiogroup can
      role="radiogroup"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className={hideLegend ? 'sr-only' : legendClass}>{legend}</legend>
      <div className={listClass}>{children}</div>
      <FieldError id={`${id}-error`} className="mt-2.5">
        {error}
      </FieldError>
    </fieldset>
  );
}

export interface ChoiceProps<V extends string> {
  name: string;
  value: V;
  chosen: V | null;
  disabled?: boolean | undefined;
  /** Its name where the face alone does not say it. */
  label?: string | undefined;
  onChange: (value: V) => void;
  /** What one sees of it: a card or a chip, one element. */
  children: ReactNode;
}

/** One answer. The radio button lies transparent over the whole face. */
export function Choice<V extends string>({ name, value, chosen, disabled, label, onChange, children }: ChoiceProps<V>) {
  return (
    <label className="group/choice relative cursor-pointer has-disabled:cursor-not-allowed">
      <input
        type="radio"
        className="peer absolute inset-0 z-1 size-full cursor-[inherit] opacity-0"
        name={name}
        value={value}
        checked={chosen === value}
        disabled={disabled}
        aria-label={label}
        onChange={() => onChange(value)}
      />
      {children}
    </label>
  );
}
