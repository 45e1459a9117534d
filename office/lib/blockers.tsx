/** What is in the way of publishing a document as it is typed. */
import type { ReactNode } from 'react';
import type { Patch } from '#contract/staff/endpoint.ts';
import { Notice } from '#ui/notice.tsx';
import { useTrial } from './document.tsx';
import { useOffice } from './me.tsx';

interface Found {
  /** By their paths in the document. */
  problems: readonly (readonly [path: string, text: string])[];
  /** Those outside of the list of parts, which says its own. */
  notice: ReactNode;
}

export function useBlockers(
  id: string,
  edits: Patch['edits'],
  parts: string,
  ask: () => Promise<{ problems: Record<string, string> }>,
): Found {
  const { t, locale } = useOffice();
  const { data } = useTrial(['try-publish', parts, id, locale, { edits }], ask);
  const problems = Object.entries(data?.problems ?? {});
  const others = problems.filter(([path]) => !path.startsWith(`${parts}.`)).map(([, text]) => text);
  const notice = others.length > 0 && (
    <Notice title={t('office.publish.blocked')}>
      <ul className="list-disc pl-5">
        {others.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Notice>
  );
  return { problems, notice };
}
