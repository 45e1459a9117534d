export const foodClasses = [
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
  'carbonated-beverage',
  'carbonated-water',
  'dispensed-beverage',
  'heated-food',
  'cold-prepared-food',
  'bottle-deposit',
] as const;
export type FoodClass = (typeof foodClasses)[number];

/** The general rate, nothing anywhere, what Ontario rebates, and the classes of food. */
export const taxClasses = ['standard', 'zero-rated-grocery', 'prepared-food', ...foodClasses] as const;

/** Of the shop's tax table; other destinations are exports, zero-rated. */
export const homeCountry = 'CA';
