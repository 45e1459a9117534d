/** Reads a provider's keys from the environment: all of them or none. */

export type EnvSource = Readonly<Record<string, string | undefined>>;

/** `config` is null if nothing is set, or if `problems` (by key: 'must be …') lists errors. */
export interface KeysRead<Config> {
  config: Config | null;
  problems: Record<string, string>;
}

/** Returns the parsed value, undefined if it is invalid. `expected` completes 'must be …'. */
export interface KeyRule {
  expected: string;
  parse(text: string): string | undefined;
  /** The default; a key without one is required as soon as any other is set. */
  fallback?: string | null;
}

/** Reads the keys of one provider by their rules. An empty value counts as not set. Problems never repeat values. */
export function readKeys<K extends string>(
  source: EnvSource,
  rules: Readonly<Record<K, KeyRule>>,
): KeysRead<Record<K, string | null>> {
  const problems: Record<string, string> = {};
  const values = {} as Record<K, string | null>;
  const names = Object.keys(rules) as K[];
  const isSet = (name: K) => Boolean(source[name]?.trim());
  if (!names.some(isSet)) return { config: null, problems };
  for (const name of names) {
    const { expected, parse, fallback } = rules[name];
    const text = source[name]?.trim();
    const value = text ? parse(text) : fallback;
    if (value === undefined) problems[name] = text ? `must be ${expected}` : `is missing: it must be ${expected}`;
    else values[name] = value;
  }
  return { config: Object.keys(problems).length > 0 ? null : values, problems };
}

export function matching(pattern: RegExp, expected: string): KeyRule {
  return { expected, parse: (text) => (pattern.test(text) ? text : undefined) };
}

export function oneOf(choices: readonly string[], fallback: string): KeyRule {
  return { expected: `one of ${choices.join(', ')}`, parse: (text) => choices.find((each) => each === text), fallback };
}

/** The URL of a fake of the provider's API; never another machine, which would receive the secrets. Null: the provider's own. */
export const testApiUrl: KeyRule = {
  expected: 'an http:// address of this machine (127.0.0.1, localhost); it is for tests',
  parse(text) {
    if (!URL.canParse(text)) return undefined;
    const { protocol, hostname, origin } = new URL(text);
    return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ? origin : undefined;
  },
  fallback: null,
};
