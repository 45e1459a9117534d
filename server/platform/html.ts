/** Escapes text for HTML and XML and reverses it; the only file that knows the entities. */

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const entities: Record<string, string> = {
  ...Object.fromEntries(Object.entries(escapes).map(([character, entity]) => [entity, character])),
  // React's form of the apostrophe.
  '&#x27;': "'",
};

/** Escapes text for an element or a quoted attribute of HTML or XML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** Reverses `escapeHtml`, including React's escapes. Leaves other entities unchanged. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => entities[entity] ?? entity);
}

/** Removes characters that XML cannot represent even escaped: control characters and lone surrogates. */
export function withoutInvalidXml(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
}
