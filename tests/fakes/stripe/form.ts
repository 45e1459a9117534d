/** Parses requests of Stripe’s clients: forms whose names nest, `a[b][0]=c`. https://docs.stripe.com/api (form-encoded bodies) */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type Form = Record<string, FormValue>;

export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+|\[\]/g)].map(([part]) => part);
    let at: Record<string, FormValue> = form;
    for (const [depth, part] of path.entries()) {
      const key = part === '[]' ? String(Object.keys(at).length) : part;
      if (depth === path.length - 1) at[key] = value;
      else {
        at[key] ??= {};
        at = at[key] as Record<string, FormValue>;
      }
    }
  }
  return listsOf(form) as Form;
}

/** Names that count from 0 represent a list. */
function listsOf(value: FormValue): FormValue {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, each]) => [name, listsOf(each)] as const);
  if (entries.length > 0 && entries.every(([name], index) => name === String(index)))
    return entries.map(([, each]) => each);
  return Object.fromEntries(entries);
}

export const textOf = (value: FormValue | undefined): string => (typeof value === 'string' ? value : '');
export const recordOf = (value: FormValue | undefined): Record<string, FormValue> =>
  value && typeof value === 'object' && !Array.isArray(value) ? value : {};
export const listOf = (value: FormValue | undefined): string[] =>
  Array.isArray(value) ? value.map(textOf) : [];
