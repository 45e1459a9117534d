/** The look of the shop: its colours and shapes, with a page of the shop beside them as it will be. */
import { useQuery } from '@tanstack/react-query';
import { offeredLocales } from '#contract/locales.ts';
import {
  type LookColours,
  nightOf,
  type ReadyLookName,
  readyLookNames,
  readyLooks,
} from '#contract/rules/look.ts';
import { forms } from '#contract/staff/forms.ts';
import { FormSection } from '#ui/form.tsx';
import { useEdited } from '../../lib/document-form.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Preview } from '../../lib/preview.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { ColoursOf, NightColoursOf, Swatches } from './colours.tsx';

export interface Delivered {
  day: LookColours;
  night: LookColours;
}

export default function Look() {
  const { t, call } = useOffice();
  const { data } = useQuery({ queryKey: ['looks'], queryFn: () => call('looks') });
  return (
    <KindPage
      kind="look"
      id="shop"
      name={['look', 'shop']}
      title={t('office.look')}
      list={{ path: 'look', query: 'looks', title: t('office.look') }}
      isOnly
      needs="settings.shop"
      removable={false}
      isWide
      aside={(_, edits) => (
        <Preview
          kind="look"
          id="shop"
          edits={edits}
          languages={offeredLocales()}
          hint={t('office.look.previewHint')}
        />
      )}
    >
      {() => <LookFields delivered={data?.looks[0]?.delivered ?? null} />}
    </KindPage>
  );
}

/** `delivered`: null while it is not known. */
export function LookFields({ delivered }: { delivered: Delivered | null }) {
  const { t } = useOffice();
  const form = useEdited();
  const hasNight = form.valueAt(['night']) === true;
  return (
    <>
      <FormSection title={t('office.look.ready')}>
        <p className="text-ink-soft">{t('office.look.readyWhy')}</p>
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3">
          {readyLookNames.map((name) => (
            <li key={name}>
              <ReadyLookButton name={name} />
            </li>
          ))}
        </ul>
      </FormSection>
      <SchemaForm
        fields={forms.look}
        own={{
          colours: (path, field) => (
            <ColoursOf key="colours" path={path} label={t(field.label)} delivered={delivered?.day} />
          ),
          nightColours: (path, field) =>
            hasNight && (
              <NightColoursOf key="nightColours" path={path} label={t(field.label)} delivered={delivered} />
            ),
        }}
      />
    </>
  );
}

/** Its fields are one step back. */
function ReadyLookButton({ name }: { name: ReadyLookName }) {
  const { t } = useOffice();
  const form = useEdited();
  const look = readyLooks[name];
  const take = () => {
    for (const [field, to] of Object.entries({ ...look, nightColours: null, night: true }))
      form.change([field], to);
  };
  return (
    <button
      type="button"
      className="flex w-full flex-col gap-2 rounded-md border border-edge bg-raised p-3 text-left hover:border-action"
      onClick={take}
    >
      <Swatches colours={look.colours} />
      <Swatches colours={nightOf(look.colours)} />
      <span className="font-semibold text-sm">{t(`office.look.ready.${name}`)}</span>
    </button>
  );
}
