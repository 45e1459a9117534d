/** Saves files that the browser makes of what it has been given. */

export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // The browser has taken the address by the end of the task.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

export type CsvCell = string | number;

/** Saves a table as CSV (RFC 4180), with the mark by which spreadsheets know UTF-8. */
export function saveCsv(name: string, rows: readonly (readonly CsvCell[])[]): void {
  saveFile(name, 'text/csv;charset=utf-8', `\ufeff${csvText(rows)}`);
}

function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** Spreadsheets compute what begins like a formula, and somebody else may have written it: an apostrophe makes it text. */
function csvCell(value: CsvCell): string {
  const text = String(value);
  const safe = /^-?\d+(\.\d+)?$/.test(text) ? text : text.replace(/^(?=[=+\-@\t\r])/, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
