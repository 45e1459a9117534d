/** Loads the shop's configuration from `.env` in the program's folder. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './setup.mjs';

/**
 * Adds the variables of `.env` to `process.env`, if the file exists; variables that are already set stay unchanged.
 * Ends the process if the file cannot be read: the shop would otherwise run with defaults.
 *
 * @returns {string[]} flags for the pinned Node. Before Node 20.12 this process cannot read the file, and the
 *   pinned one has to.
 */
export function readEnvFile() {
  const file = join(root, '.env');
  if (!existsSync(file)) return [];
  try {
    closeSync(openSync(file, 'r'));
    if (typeof process.loadEnvFile !== 'function') return [`--env-file=${file}`];
    process.loadEnvFile(file);
  } catch (error) {
    fail(
      `${file} cannot be read (${error.code}). Let the shop's user read it: chgrp shop .env && chmod 640 .env`,
    );
  }
  return [];
}
