/** The province of a Canadian postal code, by its first letter; X is shared by Nunavut and the Northwest Territories. */
const provinces: Readonly<Record<string, string>> = {
  A: 'NL',
  B: 'NS',
  C: 'PE',
  E: 'NB',
  G: 'QC',
  H: 'QC',
  J: 'QC',
  K: 'ON',
  L: 'ON',
  M: 'ON',
  N: 'ON',
  P: 'ON',
  R: 'MB',
  S: 'SK',
  T: 'AB',
  V: 'BC',
  Y: 'YT',
};

/** Such as 'ON', from the beginning of a postal code as typed; undefined while it is undecided. */
export function provinceOfPostalCode(text: string): string | undefined {
  const code = text.normalize('NFKC').replaceAll(/\s/g, '').toUpperCase();
  if (!/^[A-Z]\d/.test(code)) return undefined;
  if (code.startsWith('X')) return code.length < 3 ? undefined : /^X0[ABC]/.test(code) ? 'NU' : 'NT';
  return provinces[code.charAt(0)];
}
