/** Files through the importer, as the office and the command send them. */
import { Readable } from 'node:stream';
import { mintPermit } from '#server/platform/permits.ts';
import type { TestApp } from './test-app.ts';

export const importer = mintPermit('goods.import', { kind: 'terminal' }, null);

/** `file`: its name. */
export function importing(testApp: () => TestApp, file = 'goods.csv') {
  /** Judged. */
  async function send(content: string, permit = importer) {
    const { importRuns } = testApp().container;
    const { id } = await importRuns.upload(permit, file, Readable.from([Buffer.from(content)]), 'en');
    await importRuns.work();
    return importRuns.read(id, 'en');
  }
  async function go(id: string, step: 'apply' | 'takeBack' = 'apply', permit = importer) {
    const { importRuns } = testApp().container;
    await importRuns[step](permit, id, 'en');
    await importRuns.work();
    return importRuns.read(id, 'en');
  }
  return { send, go, apply: async (content: string) => go((await send(content)).id) };
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
