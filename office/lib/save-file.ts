/** Saves files that the browser makes of what it has been given. */
import { byteOrderMark, csvText, type Row } from '#contract/csv.ts';

export function saveFile(name: string, type: string, content: BlobPart): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // The browser has taken the address by the end of the task.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

/** Saves a table as CSV. */
export function saveCsv(name: string, rows: readonly Row[]): void {
  saveFile(name, 'text/csv;charset=utf-8', byteOrderMark + csvText(rows));
}
