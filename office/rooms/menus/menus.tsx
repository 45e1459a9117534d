import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { weekdayName } from '#contract/formatters.ts';
import { weekdays } from '#contract/limits.ts';
import { inLocale, type LocalText, mainLocale } from '#contract/locales.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { FormSection } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { AddButton, useAdding } from '../../lib/adding.tsx';
import { type Path, Trial, useDocument, useTrial } from '../../lib/document.tsx';
import {
  ChecksOf,
  ClockOf,
  DocumentForm,
  EntrySteps,
  LocalTextOf,
  NumberOf,
  pair,
  useEdited,
} from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { ProductsOf } from '../../lib/products-of.tsx';
import { AddNamed, Problem } from '../../lib/send-form.tsx';
import { modifierGroupsQuery } from '../../lib/whole-lists.ts';

const views = ['groups', 'menus'] as const;

export default function Menus() {
  const { t } = useLanguage();
  const [filters] = useFilters();
  const view = filters.view === 'menus' ? 'menus' : 'groups';
  return (
    <div className="flex max-w-room flex-col gap-6">
      <h1 className="text-2xl">{t('office.menus')}</h1>
      <nav aria-label={t('office.menus')} className="flex flex-wrap gap-2">
        {views.map((each) => (
          <Link
            key={each}
            href={`/office/menus?view=${each}`}
            aria-current={each === view ? 'page' : undefined}
            className={cx(
              'flex min-h-11 items-center rounded-full border border-line px-4 hover:bg-raised',
              each === view && 'border-action font-semibold text-action',
            )}
          >
            {t(`office.menus.${each}`)}
          </Link>
        ))}
      </nav>
      {view === 'groups' ? <Groups /> : <MenuForm />}
    </div>
  );
}

function Groups() {
  const { t, locale, call } = useOffice();
  const shared = useT();
  const adding = useAdding();
  const { data, error } = useQuery(modifierGroupsQuery(call));
  return (
    <>
      <p className="max-w-[44rem] text-ink-soft">{t('office.group.why')}</p>
      <Problem error={error} />
      <ul className="max-w-[60rem] divide-y divide-line border-line border-y empty:hidden">
        {data?.groups.map(({ id, name, modifiers, products, setParts }) => (
          <li key={id}>
            <Link
              href={`/office/menus/${encodeURIComponent(id)}`}
              className="flex min-h-16 flex-wrap items-center gap-x-6 gap-y-1 py-3 hover:bg-raised"
            >
              <span className="min-w-0 flex-1 basis-64">
                <span className="font-semibold">{inLocale(name, locale)}</span>
                {setParts && <span className="text-ink-soft text-sm"> · {t('office.group.set')}</span>}
                <span className="block text-ink-soft text-sm">
                  {modifiers.map((each) => inLocale(each, locale)).join(shared('ui.listSeparator'))}
                </span>
              </span>
              <span className="text-ink-soft text-sm">{t('office.taxon.products', { count: products })}</span>
            </Link>
          </li>
        ))}
      </ul>
      <AddButton adding={adding} />
      {adding.isOpen && <AddGroup onClose={adding.close} />}
    </>
  );
}

function AddGroup({ onClose }: { onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const { history } = useRouter();
  return (
    <AddNamed
      kind="modifierGroup"
      title={t('office.group.add')}
      idLabel={t('office.store.id')}
      idHint={t('office.store.idHint')}
      send={(body, once) => call('addModifierGroup', { body, once })}
      onSent={({ content }) => {
        void queries.invalidateQueries({ queryKey: ['modifier-groups'] });
        history.push(`/office/menus/${content.id}`);
      }}
      onClose={onClose}
    />
  );
}

type Answer = StaffResponse<'menus'>;

function MenuForm() {
  const { t, locale, call } = useOffice();
  const [chosen, setChosen] = useState<string>();
  const document = useDocument({
    name: ['settings', 'menus'],
    place: 'settings',
    load: () => call('menus'),
    save: (body) => call('saveMenus', { body }),
  });
  const { content, form, edits, loaded } = document;
  if (!content || !loaded) return <Problem error={document.error} />;
  const menus = form.valueAt(['menus']) as { id: string; name: LocalText }[];
  const ids = menus.map(({ id }) => id);
  const tried = ids.find((id) => id === chosen) ?? ids[0];
  const add = () => {
    const id = `menu-${crypto.randomUUID().slice(0, 8)}`;
    form.change(['menus', id], {
      id,
      name: { [mainLocale()]: '' },
      stores: [],
      days: [],
      from: '08:00',
      until: '11:00',
      categories: [],
      products: [],
      modifierGroups: [],
      limit: null,
    });
    setChosen(id);
  };
  return (
    <>
      <p className="max-w-[44rem] text-ink-soft">{t('office.menu.why')}</p>
      <DocumentForm
        document={document}
        aside={tried && <Sample menus={menus} id={tried} edits={edits} onChoose={setChosen} />}
      >
        {menus.map(({ id, name }, index) => (
          <FormSection key={id} title={inLocale(name, locale) || t('office.menu.new')}>
            <Menu id={id} answer={loaded} />
            <EntrySteps list="menus" ids={ids} index={index} name={inLocale(name, locale)} />
          </FormSection>
        ))}
        <Button
          label={t('office.menu.add')}
          variant="secondary"
          icon="plus"
          className="self-start"
          onClick={add}
        />
      </DocumentForm>
    </>
  );
}

function Menu({ id, answer: { categories, groups, stores, products } }: { id: string; answer: Answer }) {
  const { t, locale } = useLanguage();
  const at = (...fields: string[]) => ['menus', id, ...fields];
  const options = (all: Answer['stores']) =>
    all.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) }));
  return (
    <>
      <LocalTextOf path={at('name')} label={t('office.store.name')} />
      <div className="grid grid-cols-2 gap-5">
        <ClockOf path={at('from')} label={t('office.menu.from')} placeholder="08:00" />
        <ClockOf path={at('until')} label={t('office.menu.until')} placeholder="11:00" />
      </div>
      <ChecksOf
        path={at('days')}
        label={t('office.menu.days')}
        hint={t('office.menu.allHint')}
        options={weekdays.map((day) => ({ value: day, label: weekdayName(day, locale, 'long') }))}
      />
      <ChecksOf
        path={at('stores')}
        label={t('office.stores')}
        hint={t('office.menu.allHint')}
        options={options(stores)}
      />
      <ChecksOf
        path={at('categories')}
        label={t('office.taxon.category')}
        hint={t('office.menu.categoriesHint')}
        options={options(categories)}
      />
      <ProductsOf path={at('products')} label={t('office.menu.products')} names={products} />
      <ChecksOf path={at('modifierGroups')} label={t('office.menus.groups')} options={options(groups)} />
      <Limit path={at('limit')} />
    </>
  );
}

function Limit({ path }: { path: Path }) {
  const form = useEdited();
  const { t } = useLanguage();
  const limit = form.valueAt(path);
  return (
    <>
      <Select
        label={t('office.menu.limit')}
        value={limit === null ? '' : String(form.valueAt([...path, 'of']))}
        placeholder={t('office.menu.limit.none')}
        options={(['units', 'orders'] as const).map((value) => ({
          value,
          label: t(`office.menu.limit.${value}`),
        }))}
        onChange={({ target: { value: of } }) =>
          form.change(path, of === '' ? null : { most: 10, minutes: 15, ...(limit as object | null), of })
        }
      />
      {limit !== null && (
        <div className={pair}>
          <NumberOf path={[...path, 'most']} label={t('office.menu.most')} />
          <NumberOf
            path={[...path, 'minutes']}
            label={t('office.menu.minutes')}
            hint={t('office.menu.minutesHint')}
          />
        </div>
      )}
    </>
  );
}

interface SampleProps {
  menus: readonly { id: string; name: LocalText }[];
  id: string;
  edits: Patch['edits'];
  onChoose: (id: string) => void;
}

function Sample({ menus, id, edits, onChoose }: SampleProps) {
  const { t, locale, call } = useOffice();
  const trial = useTrial(['try-menu', id, locale, edits], () =>
    call('tryMenus', { params: { menu: id }, body: { edits } }),
  );
  const { data } = trial;
  return (
    <Trial trial={trial}>
      <Select
        label={t('office.menus.menus')}
        value={id}
        options={menus.map((menu) => ({
          value: menu.id,
          label: inLocale(menu.name, locale) || t('office.menu.new'),
        }))}
        onChange={({ target }) => onChoose(target.value)}
      />
      {data && (
        <div role="status" className="flex flex-col gap-3" data-menu-trial>
          <p className="font-semibold">{data.times || t('office.menu.always')}</p>
          <ul>
            {data.stores.map(({ name, now }) => (
              <li key={inLocale(name, 'en')} className="flex justify-between gap-4">
                <span>{inLocale(name, locale)}</span>
                <span className={now ? 'font-medium text-action' : 'text-ink-soft'}>
                  {t(now ? 'office.menu.now' : 'office.menu.notNow')}
                </span>
              </li>
            ))}
          </ul>
          <p className="text-ink-soft text-sm">
            {t('office.menu.inCategories', { count: data.inCategories })}
          </p>
        </div>
      )}
    </Trial>
  );
}
