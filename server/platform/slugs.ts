import { slugify } from 'transliteration';

/** The part of an address that a name gives: letters of any script in ASCII, with hyphens; '' for a name without letters and digits. */
export function slugOf(name: string, most = 80): string {
  // What is far behind the end of the address is not read. C# and C++ are told apart.
  const said = name
    .slice(0, most * 10)
    .normalize('NFKC')
    .replaceAll(/(?<=\p{L})#/gu, ' sharp ')
    .replaceAll('+', ' plus ');
  const words = slugify(said, { trim: true }).toLowerCase();
  return words
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replaceAll(/^-+|-+$/g, '');
}

/** An id that is free: `mug`, else `mug-2`, `mug-3` and so on. `fallback` stands for a name that gives nothing. */
export async function freeId(
  name: string,
  fallback: string,
  isTaken: (id: string) => boolean | Promise<boolean>,
): Promise<string> {
  const plain = slugOf(name) || fallback;
  for (let copy = 1; ; copy++) {
    const id = copy === 1 ? plain : `${plain}-${copy}`;
    if (!(await isTaken(id))) return id;
  }
}

/** The same of a name that is an id as it is, where what is taken is known. */
export function freeCopy(plain: string, isTaken: (id: string) => boolean): string {
  for (let copy = 1; ; copy++) {
    const id = copy === 1 ? plain : `${plain}-${copy}`;
    if (!isTaken(id)) return id;
  }
}
