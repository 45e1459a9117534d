/** A whole key in quotes, or the beginning of one before a placeholder; not one by which a record is read, `messages['shell.skip']`. */
const named = /(?<![\w$)\].]\[)(['"`])([a-z]\w*\.[\w.-]*)(\1|\$\{)/gi;

/** The keys of messages that a source names; a beginning stands for all that go on from it. */
export function usedKeys(code: string, keys: readonly string[]): Set<string> {
  const whole = new Set<string>();
  const beginnings = new Set<string>();
  for (const [, , name = '', end] of code.matchAll(named)) (end === '${' ? beginnings : whole).add(name);
  const isUsed = (key: string) =>
    whole.has(key) ||
    whole.has(key.replace(/\.(?:one|other)$/, '')) ||
    [...beginnings].some((start) => key.startsWith(start));
  return new Set(whole.size + beginnings.size === 0 ? [] : keys.filter(isUsed));
}

/** What a source translates although there is no such key, such as a beginning that nothing goes on from. */
export function unknownKeys(code: string, keys: readonly string[]): string[] {
  const groups = new Set(keys.map((key) => key.split('.', 1)[0]));
  const calls = /\b(?:t|shared)\(\s*(['"`])([a-z]\w*\.[\w.-]*)(\1|\$\{)/gi;
  return [...code.matchAll(calls)].flatMap(([, , name = '', end]) => {
    const isKnown = (key: string) =>
      end === '${' ? key.startsWith(name) : key === name || key === `${name}.other`;
    return groups.has(name.split('.', 1)[0]) && !keys.some(isKnown) ? [name] : [];
  });
}
