import type { ComponentProps } from 'react';
import { limits } from '#contract/limits.ts';
import type { BlockOf } from '#contract/schemas/blocks.ts';
import { useT } from '#ui/i18n.tsx';
import { Select, TextArea, TextField } from '#ui/inputs.tsx';

interface FormFieldProps {
  field: BlockOf<'form'>['fields'][number];
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** One field of the form, with the keyboard and the autofill hints for its kind. */
export function FormField({ field, label, value, error, onChange }: FormFieldProps) {
  const t = useT();
  const { name, isRequired, fieldType } = field;
  const common = {
    name,
    value,
    error,
    required: isRequired,
    label: (
      <>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </>
    ),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (fieldType) {
    case 'textarea':
      return <TextArea {...common} rows={5} maxLength={limits.formLongTextLength} />;
    case 'select':
      return (
        <Select
          {...common}
          placeholder={t('block.form.choose')}
          options={field.options.map((option) => ({ value: option, label: option }))}
        />
      );
    default:
      return <TextField {...common} {...keys(fieldType, name)} maxLength={limits.formTextLength} />;
  }
}

function keys(
  fieldType: 'text' | 'email' | 'tel',
  name: string,
): Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellCheck'> {
  if (fieldType === 'email') {
    return { type: 'email', inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none', spellCheck: false };
  }
  if (fieldType === 'tel') return { type: 'tel', inputMode: 'tel', autoComplete: 'tel' };
  return { type: 'text', autoComplete: autoComplete(name) };
}

/** Autofill hints by the names that merchants usually give to fields. */
function autoComplete(name: string): string | undefined {
  if (/^(?:name|your-?name|full-?name|contact-?name)$/i.test(name)) return 'name';
  if (/^(?:business|company|organi[sz]ation|business-?name|company-?name)$/i.test(name)) return 'organization';
  return undefined;
}
