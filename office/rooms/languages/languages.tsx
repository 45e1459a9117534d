/** The texts of the shop in its languages beside the first: what is missing or out of date, over all kinds of things. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { groupBy } from '#contract/group-by.ts';
import { type Locale, locales, mainLocale, otherLocales } from '#contract/locales.ts';
import { capitalised } from '#contract/problems.ts';
import {
  type ShownState,
  shownStates,
  type TextState,
  type Translation,
  type TranslationCounts,
  textStates,
} from '#contract/staff/languages.ts';
import type { Kind } from '#contract/staff/messages.ts';
import { LinkButton } from '#ui/button.tsx';
import { Select } from '#ui/inputs.tsx';
import { LoadingRows, MoreButton, useFilters, usePages } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';
import { SaveButton } from '../imports/exports.tsx';
import { TranslationForm } from './translation-form.tsx';

/** How often is asked while the texts are still being counted, ms. */
const everyMs = 1000;

interface Chosen {
  language: Locale;
  kind?: Kind;
  state: ShownState;
}

export default function Languages() {
  const { t, call } = useOffice();
  const [filters, change] = useFilters();
  const others = otherLocales();
  const language = others.find((code) => code === filters.language) ?? others[0] ?? mainLocale();
  const state = shownStates.find((each) => each === filters.state) ?? 'open';
  const { data: counts, error } = useQuery({
    queryKey: ['translation-counts', language],
    queryFn: () => call('translationCounts', { query: { language } }),
    refetchInterval: ({ state: { data } }) => (data?.looking ? everyMs : false),
  });
  const kind = counts?.kinds.find((each) => each.kind === filters.kind)?.kind;
  const chosen = { language, state, ...(kind && { kind }) };
  return (
    <div className="flex max-w-room flex-col gap-6">
      <h1 className="text-2xl">{t('office.languages')}</h1>
      <p className="max-w-[44rem] text-ink-soft">{t('office.languages.why')}</p>
      <Problem error={error} />
      <LoadingRows until={counts !== undefined || error !== null} />
      {counts?.looking && (
        <p role="status" className="text-ink-soft">
          {t('office.languages.looking')}
        </p>
      )}
      {counts && !counts.looking && (
        <>
          <Choices counts={counts} chosen={chosen} change={change} />
          <Files chosen={chosen} />
          <Texts chosen={chosen} isAllDone={counts.kinds.every((each) => each.missing + each.stale === 0)} />
        </>
      )}
    </div>
  );
}

const countOf = (kinds: TranslationCounts['kinds'], states: readonly TextState[]) =>
  kinds.reduce((sum, each) => sum + states.reduce((all, state) => all + each[state], 0), 0);

const statesOf = (state: ShownState): readonly TextState[] =>
  state === 'all' ? textStates : state === 'open' ? ['missing', 'stale'] : [state];

interface ChoicesProps {
  counts: TranslationCounts;
  chosen: Chosen;
  change: (changed: Record<string, string>) => void;
}

function Choices({ counts: { kinds }, chosen: { language, kind, state }, change }: ChoicesProps) {
  const { t } = useOffice();
  const others = otherLocales();
  const inKind = kinds.filter((each) => kind === undefined || each.kind === kind);
  return (
    <search className="grid items-end gap-x-3 gap-y-4 form:grid-cols-3">
      {others.length > 1 && (
        <Select
          label={t('office.languages.language')}
          options={others.map((value) => ({ value, label: locales[value].name }))}
          value={language}
          onChange={({ target }) => change({ language: target.value })}
        />
      )}
      <Select
        label={t('office.languages.state')}
        options={shownStates.map((value) => ({
          value,
          label: t('office.languages.stateCount', {
            state: t(`office.languages.state.${value}`),
            count: countOf(inKind, statesOf(value)),
          }),
        }))}
        value={state}
        onChange={({ target }) => change({ state: target.value === 'open' ? '' : target.value })}
      />
      <Select
        label={t('office.languages.kind')}
        placeholder={t('office.languages.allKinds')}
        options={kinds.map((each) => ({
          value: each.kind,
          label: t('office.languages.kindCount', {
            kind: capitalised(t(`kind.${each.kind}`)),
            count: countOf([each], statesOf(state)),
          }),
        }))}
        value={kind ?? ''}
        onChange={({ target }) => change({ kind: target.value })}
      />
    </search>
  );
}

function Files({ chosen }: { chosen: Chosen }) {
  const { t, may } = useOffice();
  return (
    <details className="rounded-md border border-line px-4">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {t('office.languages.files')}
      </summary>
      <div className="flex flex-col gap-4 pb-4">
        <p className="max-w-[44rem] text-ink-soft text-sm">{t('office.languages.filesText')}</p>
        <div className="flex flex-wrap items-start gap-3">
          {(['csv', 'xlsx'] as const).map((format) => (
            <SaveButton
              key={format}
              label={format === 'csv' ? 'office.languages.saveCsv' : 'office.languages.saveXlsx'}
              ask={(call) => call('exportTranslations', { body: { ...chosen, format } })}
            />
          ))}
          {may.includes('goods.import') && (
            <LinkButton href="/office/imports" variant="secondary" size="small" className="min-h-11">
              {t('office.languages.upload')}
            </LinkButton>
          )}
        </div>
      </div>
    </details>
  );
}

function Texts({ chosen, isAllDone }: { chosen: Chosen; isAllDone: boolean }) {
  const { t, call } = useOffice();
  const list = usePages(
    ['translations', chosen],
    (from) => call('translations', { query: { ...chosen, ...from } }),
    ({ next }) => (next === null ? null : { after: next }),
  );
  const texts = list.pages.flatMap((page) => page.texts);
  const documents = [...groupBy(texts, ({ kind, id }) => JSON.stringify([kind, id]))];
  return (
    <>
      <Problem error={list.error} />
      <LoadingRows until={list.isKnown || list.error !== null} />
      {list.isKnown && texts.length === 0 && (
        <p className="text-ink-soft">{t(isAllDone ? 'office.languages.allDone' : 'office.languages.none')}</p>
      )}
      <div className="flex flex-col gap-8 empty:hidden">
        {documents.map(([key, [first, ...rest]]) =>
          first ? (
            <DocumentTexts key={key} of={first}>
              {[first, ...rest].map((text) => (
                <li key={text.path.join('/')} className="py-4">
                  <TranslationForm text={text} language={chosen.language} />
                </li>
              ))}
            </DocumentTexts>
          ) : null,
        )}
      </div>
      <MoreButton list={list} label={t('office.languages.more')} />
    </>
  );
}

function DocumentTexts({ of: { kind, id, title }, children }: { of: Translation; children: ReactNode }) {
  const { t } = useOffice();
  const page = pageOf(kind, id);
  return (
    <section>
      <h2 className="flex flex-wrap items-center gap-x-3 pb-1 text-lg">
        {page ? <TextLink href={page}>{title}</TextLink> : title}
        <span className="font-normal text-ink-soft text-sm">{t(`kind.${kind}`)}</span>
      </h2>
      <ul className="divide-y divide-line border-line border-y">{children}</ul>
    </section>
  );
}

/** Where a thing is edited whole. */
const pages: Partial<Record<Kind, string>> = {
  product: 'goods',
  modifierGroup: 'menus',
  coupon: 'coupons',
  store: 'stores',
  page: 'pages',
  post: 'blog',
  blog: 'blog/settings',
  navigation: 'navigation',
  email: 'words',
  category: 'taxonomy/category',
  brand: 'taxonomy/brand',
  tag: 'taxonomy/tag',
};

function pageOf(kind: Kind, id: string): string | null {
  if (kind === 'look' || kind === 'settings') return `/office/${kind}`;
  return pages[kind] ? `/office/${pages[kind]}/${encodeURIComponent(id)}` : null;
}
