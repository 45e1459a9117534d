/**
 * What is handed over in cash where a currency has no smaller coin: the bill stays exact, and so does every other way of paying. As of
 * 2026-11; a change of a coin is a change of this table.
 */

/** In the smallest unit of the currency. `countries` narrows a currency to where its coins are not given. */
const steps: readonly { currency: string; step: number; countries?: string; source: string }[] = [
  { currency: 'CAD', step: 5, source: 'Government of Canada, Eliminating the Penny, from 2013-02-04' },
  { currency: 'AUD', step: 5, source: 'Royal Australian Mint, 1 and 2 cents withdrawn from 1992-02' },
  { currency: 'NZD', step: 10, source: 'Reserve Bank of New Zealand, 5 cents demonetised 2006-11-01' },
  { currency: 'HKD', step: 10, source: 'Hong Kong Monetary Authority, no coin below 10 cents' },
  { currency: 'MYR', step: 5, source: 'Bank Negara Malaysia, Rounding Mechanism, from 2008-04-01' },
  { currency: 'CHF', step: 5, source: 'Swissmint, 1 centime demonetised 2007-01-01' },
  { currency: 'SEK', step: 100, source: 'Sveriges Riksbank, 50 öre invalid from 2010-10-01' },
  { currency: 'NOK', step: 100, source: 'Norges Bank, 50 øre withdrawn 2012-05-01' },
  { currency: 'DKK', step: 50, source: 'Danmarks Nationalbank, 25 øre withdrawn 2008-10-01' },
  { currency: 'CZK', step: 100, source: 'Czech National Bank, 50 haléř withdrawn 2008-09-01' },
  { currency: 'HUF', step: 500, source: 'Magyar Nemzeti Bank, 1 and 2 forint withdrawn 2008-03-01' },
  { currency: 'ILS', step: 10, source: 'Bank of Israel, 5 agorot withdrawn 2008-01-01' },
  {
    currency: 'EUR',
    step: 5,
    countries: 'BE EE FI IE IT LT NL SK',
    source:
      'Rounding rules of BE 2019-12-01, EE 2025-01-01, FI 2002, IE 2015-10-28, IT 2018-01-01, LT 2025-05-01, NL 2004-09-01, SK 2022-07-01',
  },
];

/** What cash of a currency is a multiple of, in a country. 1 where every amount can be handed over. */
export function cashStep(currency: string, countryISOCode: string): number {
  const found = steps.find((each) => each.currency === currency);
  if (!found || (found.countries !== undefined && !found.countries.split(' ').includes(countryISOCode)))
    return 1;
  return found.step;
}

/** What is handed over in cash for an amount that is due: to the nearest coin, up from the middle. */
export const cashDueOf = (due: number, step: number): number => Math.round(due / step) * step;
