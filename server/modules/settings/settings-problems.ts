/** Says what is wrong with settings, for the services that change them and for the health check. */
import { taxTableOf } from '#server/modules/pricing/index.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { problemLine, schemaProblems, shown } from '#server/platform/schema-problems.ts';
import { type SettingKey, ShopSettings } from './settings.schema.ts';

/**
 * Lists what is wrong with these settings, each problem with the setting's name, what was found and what is allowed. Settings
 * that are left out are not checked. Unknown fields are no problem: another version of the program may have stored them.
 */
export function settingsProblems(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    const schema = Object.hasOwn(ShopSettings.properties, key) ? ShopSettings.properties[key as SettingKey] : undefined;
    if (!schema) return [`Unknown setting: ${key}`];
    const invalid = schemaProblems(schema, value, { closed: false }).map(problemLine);
    const problems = invalid.length > 0 ? invalid : (rules[key as SettingKey]?.(value as never) ?? []);
    return problems.map((problem) => `Setting ${key}${problem.startsWith('/') ? '' : ' '}${problem}`);
  });
}

/** What a schema cannot state, by setting. */
const rules: { [Key in SettingKey]?: (value: ShopSettings[Key]) => string[] } = {
  languages: (codes) => repeated(codes),
  serviceCharge: ({ percent }) =>
    Math.abs(percent * 1000 - Math.round(percent * 1000)) > 1e-6
      ? [`has ${percent} percent, allowed: at most three decimals`]
      : [],
  taxRates: (rates) => [...repeated(rates.map(({ provinceCode }) => provinceCode)), ...rateProblems(rates)],
  shippingMethods: (methods) => [...repeated(methods.map(({ id }) => id)), ...methods.flatMap(unknownProvinces)],
};

function repeated(names: readonly string[]): string[] {
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => `has two entries for ${name}, allowed: one`);
}

function rateProblems(rates: ShopSettings['taxRates']): string[] {
  try {
    taxTableOf(rates);
    return [];
  } catch (error) {
    return [`has ${error instanceof Error ? error.message : error}, allowed: at most three decimals`];
  }
}

function unknownProvinces({ id, countries, provinceCodes }: ShopSettings['shippingMethods'][number]): string[] {
  const codes = countries.flatMap((country) => offeredProvinces(country).map(({ code }) => code));
  // The provinces of some countries are not known.
  if (countries.some((country) => offeredProvinces(country).length === 0)) return [];
  return provinceCodes
    .filter((code) => !codes.includes(code))
    .map(
      (code) =>
        `method ${id}: provinceCodes has ${shown(code)}, allowed: province codes of ${countries.join(', ')} such as ${codes[0]}`,
    );
}
