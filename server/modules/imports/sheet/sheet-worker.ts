/** Reads a spreadsheet in a thread of its own, so that shoppers are answered meanwhile and its memory is given back at the end. */
import { parentPort, workerData } from 'node:worker_threads';
import { readSheetFile, SheetError, type SheetJob, type SheetMessage } from './sheet-file.ts';

const send = (message: SheetMessage) => parentPort?.postMessage(message);

readSheetFile(workerData as SheetJob, send).catch((error: unknown) => {
  if (error instanceof SheetError) send({ problem: error.problem, values: error.values });
  else throw error;
});
