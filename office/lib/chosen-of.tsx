/** A list of names in a document: each can be removed, and `children` adds one. */
import { type ReactNode, useId } from 'react';
import { Button } from '#ui/button.tsx';
import { legendClass } from '#ui/choices.tsx';
import { FieldError } from '#ui/field.tsx';
import type { Path } from './document.tsx';
import { useEdited } from './document-form.tsx';
import { useLanguage } from './i18n.tsx';

interface ChosenOfProps {
  path: Path;
  label: string;
  hint?: string | undefined;
  /** As people call it. */
  nameOf: (entry: string) => string;
  children: (chosen: readonly string[], add: (entry: string) => void) => ReactNode;
}

export function ChosenOf({ path, label, hint, nameOf, children }: ChosenOfProps) {
  const form = useEdited();
  const { t } = useLanguage();
  const id = useId();
  const chosen = (form.valueAt(path) ?? []) as readonly string[];
  const print = (list: unknown) => ((list ?? []) as string[]).map(nameOf).join(t('office.listSeparator'));
  const remove = (entry: string) =>
    form.change(
      path,
      chosen.filter((each) => each !== entry),
    );
  return (
    <div className="flex flex-col gap-3">
      <p id={id} className={legendClass}>
        {label}
      </p>
      {hint && <p className="text-ink-soft text-sm">{hint}</p>}
      <ul aria-labelledby={id} className="flex flex-wrap gap-2 empty:hidden">
        {chosen.map((entry) => (
          <li key={entry}>
            <Button
              variant="secondary"
              size="small"
              icon="close"
              aria-label={`${t('office.remove')}: ${nameOf(entry)}`}
              onClick={() => remove(entry)}
            >
              {nameOf(entry)}
            </Button>
          </li>
        ))}
      </ul>
      <FieldError id={`${id}-error`}>{form.errorAt(path, label, print)}</FieldError>
      {children(chosen, (entry) => form.change(path, [...chosen, entry]))}
    </div>
  );
}
