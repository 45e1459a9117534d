/** Settings that stand in no other room: opening soon, searches and filters, networks, tables, returns, agents. */
import { useQuery } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { forms } from '#contract/staff/forms.ts';
import { taxClasses } from '#contract/taxes.ts';
import { TextField } from '#ui/inputs.tsx';
import type { Path } from '../../lib/document.tsx';
import { useEdited } from '../../lib/document-form.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { useMoney } from '../../lib/money.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';

export default function MoreSettings() {
  const { t, call } = useOffice();
  const { data } = useQuery({ queryKey: ['settings-choices'], queryFn: () => call('settingsChoices') });
  return (
    <KindPage
      kind="settings"
      id="shop"
      name={['more-settings', 'shop']}
      title={t('office.settings')}
      list={{ path: 'settings', query: 'more-settings', title: t('office.settings') }}
      isOnly
      needs="settings.shop"
      removable={false}
    >
      {() => <MoreSettingsFields choices={data ?? { pages: [], categories: [], tags: [] }} />}
    </KindPage>
  );
}

type Choices = Pick<StaffResponse<'settingsChoices'>, 'pages' | 'categories' | 'tags'>;

export function MoreSettingsFields({ choices: { pages, categories, tags } }: { choices: Choices }) {
  const { t, locale } = useOffice();
  const options = (names: Choices['tags']) =>
    names.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) || name }));
  return (
    <SchemaForm
      fields={forms.settings}
      choices={{
        'openingSoon.page': options(pages),
        'listFilters.tags': options(tags),
        'returnsLine.categories': options(categories),
        tipTaxClasses: taxClasses.map((value) => ({ value, label: t(`office.money.class.${value}`) })),
      }}
      own={{
        'listFilters.priceLimitsCents': (path, { label, hint }) => (
          <AmountsOf key="priceLimits" path={path} label={t(label)} hint={hint && t(hint)} />
        ),
      }}
      after={{
        'office.settings.opening': (
          <TextLink key="pages" href="/office/pages">
            {t('office.settings.soonPages')}
          </TextLink>
        ),
      }}
    />
  );
}

/** Amounts in one line: `30, 60`. What is none is kept for the server to refuse. */
function AmountsOf({ path, label, hint }: { path: Path; label: string; hint: string | undefined }) {
  const form = useEdited();
  const { text, parse } = useMoney();
  const value = (form.valueAt(path) ?? []) as readonly unknown[];
  const print = (amounts: readonly unknown[]) =>
    amounts.map((each) => (typeof each === 'number' ? text(each) : String(each))).join(', ');
  const read = (typed: string) =>
    typed
      .split(/[,，;；\s]+/)
      .filter((each) => each !== '')
      .map((each) => parse(each) ?? each);
  return (
    <TextField
      name={path.join('.')}
      label={label}
      hint={hint}
      error={form.errorAt(path, label, (amounts) => print((amounts ?? []) as readonly unknown[]))}
      defaultValue={print(value)}
      onBlur={({ target }) => form.change(path, read(target.value))}
    />
  );
}
