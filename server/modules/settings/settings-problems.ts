/** For the services that change settings and for the health check. */
import { type Problem, problem, shown } from '#contract/problems.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { type SettingKey, ShopSettings } from './settings.schema.ts';

/**
 * Settings that are left out are not checked. Unknown fields are no problem: another version of the program may have stored them.
 */
export function settingsProblems(settings: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    const schema = Object.hasOwn(ShopSettings.properties, key) ? ShopSettings.properties[key as SettingKey] : undefined;
    if (!schema) return [problem(['settings', key], 'problem.unknownSetting')];
    const invalid = schemaProblems(schema, value, { closed: false });
    const problems = invalid.length > 0 ? invalid : (rules[key as SettingKey]?.(value as never) ?? []);
    return problems.map((each) => ({ ...each, path: ['settings', key, ...each.path] }));
  });
}

/** What a schema cannot state, by setting. */
const rules: { [Key in SettingKey]?: (value: ShopSettings[Key]) => Problem[] } = {
  languages: (codes) => repeated(codes),
  serviceCharge: ({ percent }) => decimals(['percent'], percent),
  taxRates: (rates) => [...repeated(rates.map(({ provinceCode }) => provinceCode)), ...rateProblems(rates)],
  menus: (menus) => repeated(menus.map(({ id }) => id)),
  shippingMethods: (methods) => [...repeated(methods.map(({ id }) => id)), ...methods.flatMap(unknownProvinces)],
};

function repeated(names: readonly string[]): Problem[] {
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => problem([], 'problem.repeatedEntry', { name }));
}

function rateProblems(rates: ShopSettings['taxRates']): Problem[] {
  return rates.flatMap((rate, index) =>
    (['gstPercent', 'pstPercent', 'hstPercent'] as const).flatMap((name) => decimals([String(index), name], rate[name])),
  );
}

/** A rate is whole thousandths of a percent. */
function decimals(path: readonly string[], percent: number): Problem[] {
  const isWhole = Math.abs(percent * 1000 - Math.round(percent * 1000)) <= 1e-6;
  return isWhole ? [] : [problem(path, 'problem.percent.decimals', { found: shown(percent) })];
}

function unknownProvinces({ id, countries, provinceCodes }: ShopSettings['shippingMethods'][number]): Problem[] {
  const codes = countries.flatMap((country) => offeredProvinces(country).map(({ code }) => code));
  // The provinces of some countries are not known.
  if (countries.some((country) => offeredProvinces(country).length === 0)) return [];
  return provinceCodes
    .filter((code) => !codes.includes(code))
    .map((code) =>
      problem([id, 'provinceCodes'], 'problem.province', {
        country: countries.join(', '),
        found: shown(code),
        allowed: codes.join(', '),
      }),
    );
}
