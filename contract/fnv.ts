/** FNV-1a, 32 bits: tells texts apart where nothing secret depends on it. `start`: of another hash of the same text. */
export function fnv1a(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
