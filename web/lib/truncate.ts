/** Longer texts of the page head are cut: no search engine shows them, and a pasted text must not bloat the page. Characters. */
export const longest = { title: 150, description: 320 };

/** A text as one line, without control characters, cut to `most` characters with an ellipsis. */
export function truncateToLine(text: string, most: number): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  const cut = characters.slice(0, most - 1).join('');
  return `${cut.trimEnd()}…`;
}
