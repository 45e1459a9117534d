/** Latencies, verdicts and memory as the benchmarks print them, and a plot of rows as SVG. */
import { readFileSync } from 'node:fs';

export interface Latencies {
  count: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export function latenciesOf(times: readonly number[]): Latencies {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

/** A measured row with the most that its 99th percentile may be, ms. */
export interface LatencyRow {
  what: string;
  latencies: Latencies;
  barMs: number;
}

export function isMet({ latencies, barMs }: LatencyRow): boolean {
  return latencies.p99 <= barMs;
}

/** A table in Markdown; rows that are short come first. */
export function latencyTable(rows: readonly LatencyRow[]): string {
  const lines = rows
    .toSorted((a, b) => Number(isMet(a)) - Number(isMet(b)))
    .map((row) => {
      const { p50, p99 } = row.latencies;
      return `| ${row.what} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ≤ ${row.barMs} | ${isMet(row) ? 'met' : '**not met**'} |`;
    });
  return ['| What | p50 ms | p99 ms | bar, p99 ms | |', '|---|---:|---:|---:|---|', ...lines].join('\n');
}

/** The anonymous memory of a process, MB: without the mapped file of the database. */
export function residentAnonymousMb(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/RssAnon:\s+(\d+)/);
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

const rowHeight = 28;
const labelWidth = 210;
const barWidth = 380;

/** Draws the 99th percentile of each row as a share of its bar; the line is the bar. */
export function latencyPlot(title: string, rows: readonly LatencyRow[]): string {
  const height = 44 + rows.length * rowHeight;
  const line = labelWidth + barWidth / 2;
  const drawn = rows.map((row, index) => {
    const y = 36 + index * rowHeight;
    const width = Math.max(2, Math.min(1, row.latencies.p99 / row.barMs / 2) * barWidth);
    const value = `${row.latencies.p99.toFixed(1)} of ${row.barMs} ms`;
    return [
      `<text x="${labelWidth - 8}" y="${y + 14}" text-anchor="end">${escaped(row.what)}</text>`,
      `<rect x="${labelWidth}" y="${y}" width="${width.toFixed(1)}" height="18" fill="${isMet(row) ? '#4d7c5f' : '#b4533c'}"/>`,
      `<text x="${labelWidth + barWidth + 8}" y="${y + 14}">${value}</text>`,
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#333" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="720" height="${height}" fill="#fff"/><text x="8" y="20" font-weight="600">${escaped(title)}</text>`,
    ...drawn,
    `<line x1="${line}" x2="${line}" y1="28" y2="${height - 8}" stroke="#333" stroke-dasharray="3 3"/></svg>`,
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
