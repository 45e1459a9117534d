/** Reads the commands from a page of the documents. */

/** The pages that `npm run try-install` follows, one after the other: install, set up, operate. */
export const installPages = ['run-a-shop', 'shop-settings', 'operate-a-shop'].map((name) => `docs/how-to/${name}.md`);

export interface ShellBlock {
  /** The line where the block begins, from 1. */
  line: number;
  commands: string;
}

/**
 * Every `sh` block of a page, in order. `<this repository>` becomes the folder of the snapshot. A block after
 * `<!-- try-install: skip, <reason> -->` is not run.
 */
export function shellBlocks(page: string): { run: ShellBlock[]; skipped: { line: number; reason: string }[] } {
  const run: ShellBlock[] = [];
  const skipped: { line: number; reason: string }[] = [];
  for (const { 0: whole, 1: reason, 2: text = '', index } of page.matchAll(
    /(?:^<!-- try-install: skip, (.+) -->\n)?^```sh\n([\s\S]*?)^```$/gm,
  )) {
    const line = page.slice(0, index + whole.indexOf('```sh')).split('\n').length;
    if (reason) skipped.push({ line, reason });
    else run.push({ line, commands: text.replaceAll('<this repository>', '/mnt/repository') });
  }
  return { run, skipped };
}
