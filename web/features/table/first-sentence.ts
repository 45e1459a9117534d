/** The first sentence of a text; all of it if it has no end. A point within a number ends nothing. */
export function firstSentence(text: string): string {
  return /^.+?(?:[。！？]|[.!?](?=\s|$))/su.exec(text)?.[0] ?? text;
}
