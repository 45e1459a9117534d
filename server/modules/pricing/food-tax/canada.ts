/**
 * Tax on food in Canada. GST and HST: Excise Tax Act (R.S.C. 1985, c. E-15), Schedule VI, Part III, section 1, as in force on
 * 18 June 2026; "memorandum" is the CRA's GST/HST Memorandum 4.3, Basic Groceries. What is not named here (alcohol, catering,
 * vending machines) has the class `standard`, or its province's own rate, which this table does not know.
 */
import type { FoodRule, FoodRules } from './food-tax.ts';

const always = Number.POSITIVE_INFINITY;
const taxed = (source: string): FoodRule => ({
  below: always,
  belowAtEstablishment: always,
  counted: 'unit',
  source,
});

export const canada: FoodRules = {
  federal: { label: 'GST 5%', rate: 5000 },
  classes: {
    'basic-grocery': {
      below: 0,
      belowAtEstablishment: 0,
      counted: 'unit',
      source:
        'Section 1; at eating establishments 1(q)(i): not in a form for immediate consumption, and not consumed there',
    },
    'ready-to-eat-grocery': {
      below: 0,
      belowAtEstablishment: always,
      counted: 'unit',
      source: 'Section 1; 1(q)',
    },
    'bread-product': {
      below: 0,
      belowAtEstablishment: 6,
      counted: 'sale',
      source:
        '1(m), closing words: bread without sweetened filling or coating; 1(q); memorandum, paragraph 97: counts towards six',
    },
    'sweetened-baked-goods': {
      below: 6,
      belowAtEstablishment: 6,
      counted: 'sale',
      source: '1(m)(ii); 1(q)(ii)(B); memorandum, paragraph 89: a single serving weighs less than 230 g',
    },
    'prepackaged-baked-goods': {
      below: 6,
      belowAtEstablishment: 6,
      counted: 'unit',
      source: '1(m)(i); 1(q)(ii)(A)',
    },
    'snack-food': taxed(
      '1(e) to (j) and (l): candy, chips, salted nuts, granola, snack mixtures, ice lollies, fruit bars',
    ),
    'ice-cream': taxed('1(k), in single servings'),
    'prepackaged-ice-cream': taxed('1(k), packaged in single servings, in any number'),
    pudding: { below: 2, belowAtEstablishment: 2, counted: 'unit', source: '1(n)(ii) and (iii)' },
    'single-serving-beverage': {
      below: 2,
      belowAtEstablishment: 2,
      counted: 'unit',
      source: '1(n)(ii) and (iii); memorandum, paragraph 28: a single serving is less than 600 mL',
    },
    'juice-or-milk-beverage': {
      below: 2,
      belowAtEstablishment: 2,
      counted: 'unit',
      source: '1(n)(ii) and (iii)',
    },
    'carbonated-beverage': taxed('1(c)'),
    'carbonated-water': taxed('1(c); memorandum, paragraph 17: of any size'),
    'dispensed-beverage': taxed('1(o.4)'),
    'heated-food': taxed('1(o), food and beverages'),
    'cold-prepared-food': taxed('1(o.1) to (o.3): salads, sandwiches, platters'),
    'bottle-deposit': {
      below: 0,
      belowAtEstablishment: null,
      counted: 'unit',
      source: 'Section 226 of the Act, refundable deposits; Technical Information Bulletin B-089',
    },
  },
  provinces: {
    // Food for human consumption is exempt from PST; since 1 April 2021 sweetened carbonated drinks are not.
    BC: {
      federalOnly: [
        'basic-grocery',
        'ready-to-eat-grocery',
        'bread-product',
        'sweetened-baked-goods',
        'prepackaged-baked-goods',
        'snack-food',
        'ice-cream',
        'prepackaged-ice-cream',
        'pudding',
        'single-serving-beverage',
        'juice-or-milk-beverage',
        'carbonated-water',
        'dispensed-beverage',
        'heated-food',
        'cold-prepared-food',
      ],
      atEstablishments: true,
      source: 'PST Bulletins 119 (restaurants) and 206 (grocery stores)',
    },
    MB: { source: 'RST Bulletin 029: as GST' },
    ON: {
      rebate: {
        upTo: 400,
        classes: [
          'prepared-food',
          'heated-food',
          'cold-prepared-food',
          'sweetened-baked-goods',
          'ice-cream',
          // Taxed only by 1(q) of the Act.
          'ready-to-eat-grocery',
          'bread-product',
          'dispensed-beverage',
          'juice-or-milk-beverage',
        ],
        withOthers: ['carbonated-beverage', 'carbonated-water', 'single-serving-beverage'],
      },
      source:
        'SOR/2001-65, section 1, "qualifying food and beverages" (a) to (j), and Schedule 1, item 11; GST/HST Info Sheet GI-064',
    },
    QC: {
      federalOnly: [
        'sweetened-baked-goods',
        'prepackaged-baked-goods',
        'ice-cream',
        'prepackaged-ice-cream',
        'pudding',
      ],
      atEstablishments: false,
      source: 'Revenu Québec, "Zero-Rated Supplies": no QST on these since 15 July 2026; otherwise as GST',
    },
    SK: { source: 'Information Notice IN 2017-03: as GST' },
  },
  sending: {
    source:
      'GST/HST Policy Statement P-077R2 of 26 April 2004, principles 2 and 3: what only serves the supply of goods is part of it; section 138 of the Act, incidental supplies',
    provinces: {
      BC: 'Bulletin PST 302, Delivery Charges (as of April 2018): part of the price of taxable goods',
      MB: 'RST Bulletin 030 of December 2021, section 1: services bought in connection with taxable goods are part of their price',
      QC: 'As GST: Revenu Québec applies the same rules to QST',
      SK: 'As GST. No text of its own was found: the charge is taken for a part of the price of what is sent',
    },
  },
};
