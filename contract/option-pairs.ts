/** SPEC §3: `#Colour:Oat#Size:Small`, in the default language. Pairs may be in any order; the canonical text is sorted. */
/** Rejects control characters, which a database may not accept. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const pairsPattern = /^(?:#[^#:\0-\x1f]+:[^#\0-\x1f]+)*$/;

/** Option name → value. Null if the text is malformed or names an option twice; '' gives no pairs. */
export function parseOptionPairs(text: string): Map<string, string> | null {
  const trimmed = text.trim();
  if (!pairsPattern.test(trimmed)) return null;
  const pairs = new Map<string, string>();
  for (const pair of trimmed.split('#').slice(1)) {
    const colon = pair.indexOf(':');
    const name = pair.slice(0, colon).trim();
    const value = pair.slice(colon + 1).trim();
    if (!name || !value || pairs.has(name)) return null;
    pairs.set(name, value);
  }
  return pairs;
}

/** Sorted by option name. '' for none. */
export function formatOptionPairs(pairs: Iterable<readonly [name: string, value: string]>): string {
  return [...pairs]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `#${name}:${value}`)
    .join('');
}

/** For comparison; null if it is malformed. */
export function canonicalOptionPairs(text: string): string | null {
  const pairs = parseOptionPairs(text);
  return pairs && formatOptionPairs(pairs);
}

/** Named as in schema.org, and as in feeds for Google. */
const variantAttributes = ['color', 'size', 'material', 'pattern'] as const;
type VariantAttribute = (typeof variantAttributes)[number];

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
