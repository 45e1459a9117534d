/** Escapes text for HTML and XML, and reads such text back. The one place that knows the entities. */

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const entities: Record<string, string> = {
  ...Object.fromEntries(Object.entries(escapes).map(([character, entity]) => [entity, character])),
  // As React writes an apostrophe.
  '&#x27;': "'",
};

/** The text for an element or a quoted attribute of HTML or XML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** The reverse of `escapeHtml`; reads React's escapes too. Other entities stay as they are. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => entities[entity] ?? entity);
}

/** The text without characters that XML cannot represent, not even escaped: control characters and lone surrogates. */
export function withoutInvalidXml(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
}
