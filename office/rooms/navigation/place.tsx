/** The header or the footer: what the shop links to by itself, and the merchant's own links. */
import { useParams } from '@tanstack/react-router';
import { navigationPlaces } from '#contract/limits.ts';
import { offeredLocales } from '#contract/locales.ts';
import { forms } from '#contract/staff/forms.ts';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Preview } from '../../lib/preview.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';

export default function PlacePage() {
  const { place = '' } = useParams({ strict: false }) as { place?: string };
  const { t } = useOffice();
  const known = navigationPlaces.find((each) => each === place);
  return (
    <KindPage
      kind="navigation"
      id={place}
      name={['navigation', place]}
      title={known ? t(`office.navigation.${known}`) : place}
      list={{ path: 'navigation', query: 'navigations', title: t('office.navigation') }}
      needs="content.write"
      removable={false}
      isWide
      aside={(_, edits) => (
        <Preview
          {...{ kind: 'navigation', id: place, edits, languages: offeredLocales() }}
          hint={t('office.navigation.previewHint')}
        />
      )}
    >
      {() => <SchemaForm fields={forms.navigation} />}
    </KindPage>
  );
}
