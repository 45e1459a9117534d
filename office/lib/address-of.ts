/** A part of an address from a name: letters and digits with hyphens; empty for a name in Chinese. */
export const addressOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
