/** Chooses the letters of a seal from a shop's name. */

const chinese = /\p{Script=Han}/gu;

/** At most four Chinese characters, or else the initials of the first two words that begin with a letter or digit. */
export function sealLetters(name: string): string[] {
  const characters = name.match(chinese) ?? [];
  if (characters.length > 0) return characters.slice(0, 4);
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, 2).map((word) => [...word][0]?.toUpperCase() ?? '');
}
