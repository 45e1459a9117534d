/** Looks a shop through for what a merchant would want to mend: pictures that are gone, texts without a translation. */
import { access } from 'node:fs/promises';
import { localeCodes } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import type { Env } from '#server/env.ts';
import { originalPath } from '#server/modules/media/originals.ts';
import { importedPictures, writtenThings } from './doctor.repository.ts';
import { picturesIn, untranslatedIn } from './inspect.ts';

export interface Findings {
  /** Like `product speckled-mug: mug.jpg was never imported`. */
  missingPictures: string[];
  /** Like `page home: blocks.0.title has no zh`. */
  missingTranslations: string[];
  /** How many things were looked at. */
  looked: number;
}

export interface DoctorService {
  /** Reads the whole catalogue; takes seconds in a large shop. Changes nothing. */
  examine(): Promise<Findings>;
}

export function createDoctorService({ db, env }: { db: Database; env: Pick<Env, 'dataDir'> }): DoctorService {
  return {
    async examine() {
      const findings: Findings = { missingPictures: [], missingTranslations: [], looked: 0 };
      const imported = new Set<string>();
      for (const picture of await importedPictures(db.read)) {
        imported.add(picture.file);
        const there = await access(originalPath(picture, env.dataDir)).then(
          () => true,
          () => false,
        );
        if (!there) findings.missingPictures.push(`${picture.file}: the original is not on the disk`);
      }
      for await (const { kind, id, values } of writtenThings(db.read)) {
        findings.looked += 1;
        for (const file of picturesIn(values)) {
          if (!imported.has(file)) findings.missingPictures.push(`${kind} ${id}: ${file} was never imported`);
        }
        for (const { path, locale } of untranslatedIn(values, localeCodes)) {
          findings.missingTranslations.push(`${kind} ${id}: ${path} has no ${locale}`);
        }
      }
      return findings;
    },
  };
}
