/** What is longer is cut: nobody shows it, and what a page carries should not depend on what somebody pasted. */
export const longest = { title: 150, description: 320 };

/** A text as one line, without what no text needs, and not beyond `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  const cut = characters.slice(0, most - 1).join('');
  return `${cut.trimEnd()}…`;
}
