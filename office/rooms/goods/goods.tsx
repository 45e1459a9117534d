/** All products: found, changed together, or edited in the table. Filters and what is searched for lie in the address. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { GoodsFilter } from '#contract/staff/goods.ts';
import { Button } from '#ui/button.tsx';
import { AddButton, useAdding } from '../../lib/adding.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { LoadingRows, SearchForm, useFilters } from '../../lib/lists.tsx';
import { useMe, useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { SaveFound } from '../imports/exports.tsx';
import { AddProduct } from './add-product.tsx';
import { BulkDialog, LatestChanges } from './bulk.tsx';
import { Filters, useGoodsNames } from './filters.tsx';
import { type Chosen, pageQuery, Table, type TableProps } from './table.tsx';

const GoodsGrid = lazy(() => import('./goods-grid.tsx'));

export default function Goods() {
  const { t, locale, call } = useOffice();
  const mayWrite = useMe().may.includes('goods.write');
  const [{ edit = '', ...filters }, change] = useFilters();
  const adding = useAdding();
  const filter = filterIn(filters);
  const names = useGoodsNames();
  const first = useQuery({ ...pageQuery(call, filter, 0), placeholderData: keepPreviousData });
  const count = first.data?.count;
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.goods')}</h1>
        <AddButton adding={adding} />
      </header>
      <search className="flex flex-col gap-4">
        <SearchForm
          label={t('office.goods.search')}
          hint={t('office.goods.searchHint')}
          text={filters.text ?? ''}
          onSearch={(text) => change({ text })}
        />
        {names && <Filters names={names} filters={filters} change={change} />}
      </search>
      <Problem error={first.error} />
      <LoadingRows until={first.data !== undefined || first.error !== null} />
      {count !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" className="text-ink-soft">
            {t('office.goods.count', { count, shown: count.toLocaleString(locale) })}
          </p>
          <div className="flex flex-wrap gap-3">
            {mayWrite && count > 0 && (
              <EditSwitch isOn={edit !== ''} onSwitch={(isOn) => change({ edit: isOn ? 'table' : '' })} />
            )}
            {count > 0 && <SaveFound key={JSON.stringify(filter)} filter={filter} />}
          </div>
        </div>
      )}
      {count === 0 && Object.keys(filter).length === 0 && <p>{t('office.goods.empty')}</p>}
      {mayWrite && <LatestChanges />}
      {names && count !== undefined && count > 0 && edit !== '' && mayWrite && (
        <Suspense>
          <GoodsGrid key={JSON.stringify(filter)} {...{ count, filter, names }} />
        </Suspense>
      )}
      {names && count !== undefined && count > 0 && !(edit !== '' && mayWrite) && (
        // Another filter begins without a selection.
        <Selectable key={JSON.stringify(filter)} {...{ count, filter, names, mayWrite }} />
      )}
      {adding.isOpen && <AddProduct onClose={adding.close} />}
    </div>
  );
}

function EditSwitch({ isOn, onSwitch }: { isOn: boolean; onSwitch: (isOn: boolean) => void }) {
  const { t } = useLanguage();
  return (
    <Button variant="secondary" size="small" onClick={() => onSwitch(!isOn)}>
      {t(isOn ? 'office.goods.showTable' : 'office.goods.editTable')}
    </Button>
  );
}

const numbers = ['fromCents', 'toCents'];
const texts = ['text', 'brand', 'category', 'tag', 'status', 'stock', 'store', 'without'];

function filterIn(filters: Readonly<Record<string, string>>): GoodsFilter {
  const known = Object.entries(filters).flatMap(([name, value]): [string, string | number][] => {
    if (texts.includes(name)) return [[name, value]];
    return numbers.includes(name) && /^\d+$/.test(value) ? [[name, Number(value)]] : [];
  });
  return Object.fromEntries(known) as GoodsFilter;
}

/** As many as a change can name; beyond them, all that a filter finds. */
const mostChosen = 500;

function Selectable({ mayWrite, ...table }: TableProps & { mayWrite: boolean }) {
  const { t, locale } = useLanguage();
  const [chosen, setChosen] = useState<Chosen>([]);
  const [isChanging, setIsChanging] = useState(false);
  const { count, filter } = table;
  const selected = chosen === 'all' ? count : chosen.length;
  if (!mayWrite) return <Table {...table} />;
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        {selected > 0 && (
          <span role="status">{t('office.goods.selected', { shown: selected.toLocaleString(locale) })}</span>
        )}
        {chosen !== 'all' && (
          <Button variant="secondary" size="small" onClick={() => setChosen('all')}>
            {t('office.goods.selectAll', { shown: count.toLocaleString(locale) })}
          </Button>
        )}
        {selected > 0 && (
          <>
            <Button
              label={t('office.goods.unselect')}
              variant="secondary"
              size="small"
              onClick={() => setChosen([])}
            />
            <Button label={t('office.goods.bulk')} size="small" onClick={() => setIsChanging(true)} />
          </>
        )}
      </div>
      <Table
        {...table}
        chosen={chosen}
        onChoose={(id, isChosen) =>
          setChosen((before) => {
            const kept = before === 'all' ? [] : before.filter((each) => each !== id);
            return isChosen && kept.length < mostChosen ? [...kept, id] : kept;
          })
        }
      />
      {isChanging && (
        <BulkDialog
          count={selected}
          filter={filter}
          ids={chosen === 'all' ? null : [...chosen]}
          onClose={() => setIsChanging(false)}
          onBegun={() => {
            setIsChanging(false);
            setChosen([]);
          }}
        />
      )}
    </>
  );
}
