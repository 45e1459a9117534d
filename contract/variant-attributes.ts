/** What the options of a product mean to search engines and marketplaces, which know four kinds of variants. */

/** Named as in schema.org, and as in feeds for Google. */
const variantAttributes = ['color', 'size', 'material', 'pattern'] as const;
export type VariantAttribute = (typeof variantAttributes)[number];

/** Names of options in the default language. A weight or volume is the size of what is sold by it. */
const optionNames: Record<VariantAttribute, RegExp> = {
  color: /^colou?rs?$/i,
  size: /^(?:sizes?|weight|volume|capacity|length|width)$/i,
  material: /^materials?$/i,
  pattern: /^patterns?$/i,
};

interface NamedOption {
  /** In the default language. */
  name: string;
  values: readonly { color: string | null }[];
}

/**
 * By the option's name. An option whose values have colours to show is the colour, whatever its name. Options that stand for
 * nothing, or for the same as one before them, are missing.
 */
export function attributesOfOptions(options: readonly NamedOption[]): Map<string, VariantAttribute> {
  const found = new Map<string, VariantAttribute>();
  for (const { name, values } of options) {
    const attribute = values.some(({ color }) => color !== null)
      ? 'color'
      : variantAttributes.find((candidate) => optionNames[candidate].test(name));
    if (attribute && ![...found.values()].includes(attribute)) found.set(name, attribute);
  }
  return found;
}

/** Such as 'Mug – Oat / Large'. */
export function variantName(productName: string, values: readonly string[]): string {
  return values.length > 0 ? `${productName} – ${values.join(' / ')}` : productName;
}
