import type { RemovalUse } from '#contract/staff/documents.ts';
import { useLanguage } from './i18n.tsx';

/** Why a document cannot be removed, or what would change with it. */
export function Affected({ use: { refused, affected } }: { use: RemovalUse }) {
  const { t } = useLanguage();
  if (refused !== null) return <p>{refused}</p>;
  return (
    <div data-uses>
      <p>{t(affected.length === 0 ? 'office.document.removeNothing' : 'office.document.removeAlso')}</p>
      <ul className="mt-2 max-h-60 list-disc overflow-y-auto pl-5 text-sm empty:hidden">
        {affected.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  );
}
