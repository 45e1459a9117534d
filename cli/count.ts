/** Formats a count with its noun: "1 order", "2 orders". `many` is for irregular plurals. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
