/** The cards of a store's tables, to print: each with the code that opens the menu there. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { inLocale, type Locale, locales, offeredLocales } from '#contract/locales.ts';
import type { TableCards } from '#contract/staff/stores.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Select } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from '../../lib/me.tsx';
import { QrCode } from '../../lib/qr-code.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';
import './table-cards.css';

export default function TableCardsPage() {
  const { store = '' } = useParams({ strict: false }) as { store?: string };
  const { t, locale, call, queries } = useOffice();
  const categories = useQuery({ queryKey: ['categories'], queryFn: () => call('categories') });
  const menus = categories.data?.taxons ?? [];
  const [chosen, setMenu] = useState('');
  const menu = chosen || menus[0]?.id || '';
  const [lang, setLang] = useState<Locale>(locale);
  const [isRenewing, setRenewing] = useState(false);
  const ask = (replaces: string | null) =>
    call('tableCards', { params: { id: store }, body: { menu, locale: lang, replaces } });
  const queryKey = ['tableCards', store, menu, lang];
  const cards = useQuery({ queryKey, queryFn: () => ask(null), enabled: menu !== '' });
  const [first] = cards.data?.cards ?? [];
  const renewal = useMutation({
    mutationFn: ask,
    onSuccess: (renewed) => {
      // Those of other menus and languages have the former codes.
      queries.removeQueries({ queryKey: ['tableCards', store], type: 'inactive' });
      queries.setQueryData(queryKey, renewed);
      setRenewing(false);
    },
  });
  return (
    <div className="flex flex-col gap-6 print:block">
      <div className="flex flex-col gap-6 print:hidden">
        <TextLink href={`/office/stores/${store}`} className="text-sm">
          {cards.data?.storeName ?? t('office.stores')}
        </TextLink>
        <h1 className="text-2xl">{t('office.tableCards')}</h1>
        <p className="max-w-room text-ink-soft">{t('office.tableCards.about')}</p>
        <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
          <Select
            className="w-64"
            label={t('office.tableCards.menu')}
            options={menus.map(({ id, name }) => ({ value: id, label: inLocale(name, locale) }))}
            value={menu}
            onChange={({ target }) => setMenu(target.value)}
          />
          {offeredLocales().length > 1 && (
            <Select
              className="w-48"
              label={t('office.tableCards.language')}
              options={offeredLocales().map((value) => ({ value, label: locales[value].name }))}
              value={lang}
              onChange={({ target }) => setLang(target.value as Locale)}
            />
          )}
          <Button label={t('office.papers.print')} onClick={() => print()} />
          {first && (
            <Button
              label={t('office.tableCards.renew')}
              variant="secondary"
              onClick={() => setRenewing(true)}
            />
          )}
        </div>
        <Problem error={categories.error ?? cards.error ?? renewal.error} />
        {cards.data?.cards.length === 0 && <Notice title={t('office.tableCards.none')} />}
        {cards.data?.publicUrl === null && (
          <Notice title={t('office.tableCards.address', { address: location.origin })} />
        )}
      </div>
      {cards.data && <Cards cards={cards.data} />}
      {isRenewing && first && (
        <Dialog open onClose={() => setRenewing(false)} title={t('office.tableCards.renew')}>
          <p>{t('office.tableCards.renewed')}</p>
          <Button
            label={t('office.tableCards.renew')}
            busy={renewal.isPending}
            onClick={() => renewal.mutate(first.token)}
          />
        </Dialog>
      )}
    </div>
  );
}

function Cards({ cards: { publicUrl, shopName, storeName, scan, cards } }: { cards: TableCards }) {
  const address = publicUrl ?? location.origin;
  return (
    <div className="flex flex-wrap gap-6 print:block">
      {cards.map(({ table, path }) => (
        <section key={path} className="table-card" aria-label={table}>
          <div>
            <p className="table-card-shop">{shopName}</p>
            <p className="table-card-store">{storeName}</p>
          </div>
          <QrCode text={address + path} label={table} />
          <div>
            <p className="table-card-table">{table}</p>
            {scan.map(({ lang, text }) => (
              <p key={lang} lang={lang}>
                {text}
              </p>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
