/** The columns of what entries say, and how queries read them. */
import { type EntryField, type EntryFields, entryFields } from '#contract/staff/accounts-of-books.ts';

/** `tax_class` of `taxClass`. */
export const columnOf = (field: EntryField): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** To group by. */
export const fieldColumns = entryFields.map(columnOf).join(', ');
/** To select as `EntryFields`. */
export const selectedFields = entryFields.map((field) => `${columnOf(field)} as "${field}"`).join(', ');
/** The same where rows say nothing of them. */
export const noFields = entryFields
  .map((field) => `${field === 'rate' ? '0' : "''"} as "${field}"`)
  .join(', ');

/** What a row says of itself, without the rest of it. */
export const fieldsOf = (row: EntryFields): EntryFields =>
  // Each field of the list is copied.
  Object.fromEntries(
    entryFields.map((field) => [field, field === 'rate' ? Number(row[field]) : row[field]]),
  ) as EntryFields;
