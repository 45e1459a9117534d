import { Worker } from 'node:worker_threads';
import { type Problem, problem } from '#contract/problems.ts';
import type { SheetEncoding } from '#contract/staff/imports.ts';
import { InputError } from '#server/platform/errors.ts';
import { createTurns } from '#server/platform/turns.ts';
import type { SheetAbout, SheetJob, SheetMessage, SheetRow } from './sheet-file.ts';

export type { SheetAbout, SheetRow } from './sheet-file.ts';

export interface Sheet {
  about: SheetAbout;
  /** In the file's own words. */
  columns: string[];
  rows: SheetRow[];
}

const withinMs = 60_000;
const mostMegabytes = 1024;

/** One at a time: each may take a gigabyte. */
const turns = createTurns();

/** `encoding`: null as it is found. @throws {InputError} for what is no spreadsheet, is too large or cannot be read */
export const readSheet = (path: string, encoding: SheetEncoding | null = null): Promise<Sheet> =>
  turns(() => readInWorker({ path, encoding }));

function readInWorker(job: SheetJob): Promise<Sheet> {
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  const found: Sheet = { about: { format: 'csv', encoding: 'utf-8', delimiter: ',' }, columns: [], rows: [] };
  const reading = new Promise<Sheet>((resolve, reject) => {
    const refuse = (...[key, values]: Parameters<typeof refusal>) =>
      reject(new InputError([refusal(key, values)]));
    const late = setTimeout(() => refuse('problem.sheet.large'), withinMs);
    worker.on('message', (message: SheetMessage) => {
      if ('columns' in message) Object.assign(found, message);
      else if ('rows' in message) for (const row of message.rows) found.rows.push(row);
      else if ('problem' in message) refuse(message.problem, message.values);
      else resolve(found);
    });
    worker.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse('problem.sheet.large') : reject(error),
    );
    worker.once('exit', () => {
      clearTimeout(late);
      refuse('problem.sheet.large');
    });
  });
  return reading.finally(() => worker.terminate());
}

const refusal = (...[key, values]: [Problem['key'], Problem['values']?]) => problem([], key, values);

/** Where a cell is, for people: `row 12, Variant Price`. */
export const placeOf = (line: number, column: string): readonly string[] => ['rows', String(line), column];
