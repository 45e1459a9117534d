/** The header or the footer: what the shop links to by itself, and the merchant's own links, beside the shop as it would be. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { navigationPlaces } from '#contract/limits.ts';
import { offeredLocales } from '#contract/locales.ts';
import type { NavigationLink, NavigationPlace } from '#contract/schemas/navigation.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import { forms } from '#contract/staff/forms.ts';
import { Button } from '#ui/button.tsx';
import { useEdited } from '../../lib/document-form.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { NavigationStill, PreviewChoices, usePreviewed, widths } from '../../lib/preview.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { taxonsQuery } from '../../lib/whole-lists.ts';
import { linksOfCategories, withoutCategories } from './categories.ts';
import { Links } from './links.tsx';

/** It stands beside the form; that of a desktop stands above, where it has room. */
const onPhone = { phone: widths.phone };

export default function PlacePage() {
  const { place = '' } = useParams({ strict: false }) as { place?: string };
  const { t } = useOffice();
  const [group, setGroup] = useState<number | null>(null);
  const shown = usePreviewed(offeredLocales(), onPhone, 'phone');
  const stillOf = (edits: Patch['edits'], screen: 'phone' | 'desktop') => (
    <NavigationStill {...{ id: place, edits, screen, shown, group }} />
  );
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
      above={(_, edits) => stillOf(edits, 'desktop')}
      aside={(_, edits) => (
        <section className="flex flex-col gap-4" data-preview>
          <h2 className="text-lg">{t('office.page.preview')}</h2>
          <p className="text-ink-soft text-sm">{t('office.navigation.previewHint')}</p>
          <PreviewChoices of={shown} />
          {stillOf(edits, 'phone')}
        </section>
      )}
    >
      {() => known && <NavigationFields place={known} onGroup={setGroup} />}
    </KindPage>
  );
}

interface NavigationFieldsProps {
  place: NavigationPlace;
  onGroup?: (group: number | null) => void;
}

export function NavigationFields({ place, onGroup = () => undefined }: NavigationFieldsProps) {
  const isHeader = place === 'header';
  return (
    <SchemaForm
      fields={forms.navigation.filter(({ path: [name] }) => isHeader || name !== 'strip')}
      own={{ links: (path, field) => <Links key="links" {...{ path, field, isHeader, onGroup }} /> }}
      after={{ 'office.navigation.parts': <ArrangeCategories /> }}
    />
  );
}

/**
 * Makes links of the categories, to be put in another order, among others, or left out; a new category does not appear then. As long as
 * such links stand there, they can be given back to the shop.
 */
function ArrangeCategories() {
  const form = useEdited();
  const { t, call, may } = useOffice();
  const isOffered = may.includes('goods.read');
  const { data } = useQuery({ ...taxonsQuery(call, 'category'), enabled: isOffered });
  if (!isOffered || !data || data.taxons.length === 0) return null;
  const isByItself = form.valueAt(['categories']) === true;
  const own = (form.valueAt(['links']) ?? []) as NavigationLink[];
  const arrange = () => {
    form.change(['categories'], false);
    form.change(['links'], [...linksOfCategories(data.taxons), ...own]);
  };
  const others = withoutCategories(own, data.taxons);
  const giveBack = () => {
    form.change(['categories'], true);
    form.change(['links'], others);
  };
  // Each that leads to a first category goes, whatever moves up.
  const hasLinks = others.some((link) => !own.includes(link)) || others.length < own.length;
  if (!hasLinks && !isByItself) return null;
  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        label={t(hasLinks ? 'office.navigation.giveBack' : 'office.navigation.arrange')}
        variant="secondary"
        size="small"
        onClick={hasLinks ? giveBack : arrange}
      />
      <p className="text-ink-soft text-sm">
        {t(hasLinks ? 'office.navigation.giveBackHint' : 'office.navigation.arrangeHint')}
      </p>
    </div>
  );
}
