/** What files say of one person, for as long as they are kept: until they can no longer be taken back. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CustomerImportData } from '#server/modules/customers/index.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import type { ImportKind } from '../kinds/kind.ts';
import { dropRowAbout, rowsAbout, setImport } from './imports.repository.ts';
import type { About, ImportRunsDeps } from './runs-deps.ts';

export const isOfPeople = ({ uses }: ImportKind) => uses.includes('people');

/** They are of somebody. */
export function withoutExamples(about: string): string {
  const told: About = { ...JSON.parse(about), examples: [] };
  return JSON.stringify(told);
}

export function createImportsOfPeople({ db, kinds, folder }: ImportRunsDeps): CustomerImportData {
  const ids = kinds.filter(isOfPeople).map(({ id }) => id);
  return {
    async about(email) {
      const rows = await rowsAbout(db.read, ids, emailKeyOf(email));
      return rows.map(({ plan, uploaded_at }) => ({ at: uploaded_at, content: JSON.parse(plan ?? '{}').content }));
    },
    async forget(trx, email) {
      for (const { change_id: id, no, hash, about } of await rowsAbout(trx, ids, emailKeyOf(email))) {
        await dropRowAbout(trx, id, no);
        await setImport(trx, id, { about: withoutExamples(about) });
        // What was read of it is in the rows: it can still be imported.
        await rm(join(folder, hash), { force: true });
      }
    },
  };
}
