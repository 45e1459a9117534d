/** Depends on class, the whole sale, province, place and whether it is eaten there. The rules are data, a file a country. */
import { type FoodClass, foodClasses } from '#contract/taxes.ts';

export interface FoodRule {
  /** Taxed if fewer single servings than this are sold: 0 for never, Infinity for always. */
  below: number;
  /** To take out of an eating establishment; eaten there, it is taxed in any number. null for what is no food and never taxed. */
  belowAtEstablishment: number | null;
  /** In a unit, such as a bottle or a pack, or in all such items of the sale. */
  counted: 'unit' | 'sale';
  /** Where the law says so. */
  source: string;
}

export interface ProvinceRule {
  federalOnly?: readonly FoodClass[];
  /** For what an eating establishment sells, too. */
  atEstablishments?: boolean;
  /** The provincial part is rebated if everything that qualifies costs at most `upTo` cents. */
  rebate?: {
    upTo: number;
    /** The class prepared-food is not among the rules: it pays in full but for this. */
    classes: readonly (FoodClass | 'prepared-food')[];
    /** In single servings; they qualify if something of `classes` is sold with them. */
    withOthers: readonly FoodClass[];
  };
  source: string;
}

export interface FoodRules {
  /** Where the provincial part of a joint tax is not charged. */
  federal: { label: string; rate: number };
  classes: Readonly<Record<FoodClass, FoodRule>>;
  /** By code. Provinces that are not listed follow the federal tax. */
  provinces: Readonly<Record<string, ProvinceRule>>;
  /** Where the law says that a charge for sending follows what is sent, for the federal tax and by province. */
  sending: { source: string; provinces: Readonly<Record<string, string>> };
}

export interface Consumption {
  /** Otherwise it is taken out or delivered. */
  eatenIn: boolean;
  /** At least 90 % of the sales of food there are taxable. */
  eatingEstablishment: boolean;
}

export interface FoodItem {
  taxClass: string;
  /** Cents after discount. */
  amount: number;
  quantity: number;
  /** Single servings in a unit. */
  singleServings: number;
}

/** `federal`: without the part of the province. `rebated`: the same, since the province pays its part. */
export type Charge = 'nothing' | 'federal' | 'rebated' | 'everything';

export function isFoodClass(taxClass: string): taxClass is FoodClass {
  return (foodClasses as readonly string[]).includes(taxClass);
}

/** In order. Items without a class of food are charged everything. */
export function foodCharges(
  items: readonly FoodItem[],
  provinceCode: string | null,
  consumption: Consumption,
  rules: FoodRules,
): Charge[] {
  const province = rules.provinces[provinceCode ?? ''];
  const ruleOf = ({ taxClass }: FoodItem) => (isFoodClass(taxClass) ? rules.classes[taxClass] : null);
  const inSale = items.reduce(
    (sum, item) => (ruleOf(item)?.counted === 'sale' ? sum + item.quantity * item.singleServings : sum),
    0,
  );
  const charges = items.map((item): Charge => {
    const rule = ruleOf(item);
    if (rule && !isTaxed(rule, rule.counted === 'sale' ? inSale : item.singleServings, consumption))
      return 'nothing';
    const relieved =
      province?.atEstablishments || !consumption.eatingEstablishment ? province?.federalOnly : [];
    return relieved?.some((each) => each === item.taxClass) ? 'federal' : 'everything';
  });
  const rebated = rebatedItems(items, charges, province?.rebate);
  return charges.map((charge, index) => (rebated.has(index) ? 'rebated' : charge));
}

function isTaxed(rule: FoodRule, servings: number, { eatenIn, eatingEstablishment }: Consumption): boolean {
  if (servings < rule.below) return true;
  if (!eatingEstablishment || rule.belowAtEstablishment === null) return false;
  return eatenIn || servings < rule.belowAtEstablishment;
}

/** None if together they cost more. */
function rebatedItems(
  items: readonly FoodItem[],
  charges: readonly Charge[],
  rebate: ProvinceRule['rebate'],
): ReadonlySet<number> {
  if (!rebate) return new Set();
  const taxed = items
    .map((item, index) => ({ ...item, index }))
    .filter(({ index }) => charges[index] !== 'nothing');
  const first = taxed.filter(({ taxClass }) => rebate.classes.some((each) => each === taxClass));
  const others = taxed.filter(
    ({ taxClass, singleServings }) =>
      singleServings === 1 && rebate.withOthers.some((each) => each === taxClass),
  );
  const qualifying = first.length > 0 ? [...first, ...others] : [];
  const cost = qualifying.reduce((sum, { amount }) => sum + amount, 0);
  return new Set(cost <= rebate.upTo ? qualifying.map(({ index }) => index) : []);
}
