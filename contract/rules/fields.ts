/**
 * The rules of SPEC §5 as pure functions, shared by browser and server. Each takes the entered values and returns `FieldErrors`,
 * empty if there are none. A field is named by its path in the call's body or query, which is also its name in the browser's
 * form. Nothing here may import a schema library: the browser loads these files.
 */

export function isBlank(value: string | number | null | undefined): boolean {
  return value === undefined || value === null || String(value).trim() === '';
}

export function isClean(errors: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(errors).length === 0;
}
