import type { FieldErrors } from '../errors.ts';
import { limits } from '../limits.ts';
import { inLocale, type Locale, type LocalText } from '../locales.ts';
import { isEmail, isPhone } from './email-and-phone.ts';
import { isBlank } from './fields.ts';

/** The texts of its choices are in all languages, or in one. */
export interface JudgedField {
  name: string;
  nameContent: LocalText;
  isRequired: boolean;
  fieldType: 'text' | 'email' | 'tel' | 'textarea' | 'select';
  options: readonly (string | LocalText)[];
}

export function formErrors(
  fields: readonly JudgedField[],
  values: Readonly<Record<string, string>>,
  locale: Locale,
): FieldErrors {
  const errors: FieldErrors = {};
  for (const field of fields) {
    const error = fieldError(field, values[field.name] ?? '', inLocale(field.nameContent, locale));
    if (error) errors[field.name] = error;
  }
  return errors;
}

function fieldError(
  { isRequired, fieldType, options }: JudgedField,
  value: string,
  label: string,
): FieldErrors[string] | null {
  const missing = {
    key: fieldType === 'select' ? 'block.fieldUnchosen' : 'block.fieldMissing',
    values: { label },
  } as const;
  if (isBlank(value)) return isRequired ? missing : null;
  const limit = fieldType === 'textarea' ? limits.formLongTextLength : limits.formTextLength;
  if (value.length > limit) return { key: 'block.fieldTooLong', values: { label, limit } };
  if (fieldType === 'email' && !isEmail(value)) return 'rule.emailInvalid';
  if (fieldType === 'tel' && !isPhone(value)) return 'rule.phoneInvalid';
  const chosen = options.some((option) =>
    typeof option === 'string' ? option === value : Object.values(option).includes(value),
  );
  return fieldType === 'select' && !chosen ? missing : null;
}
