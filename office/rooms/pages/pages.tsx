/** The pages of the shop that merchants write: home, about, contact and whatever else. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { homePage, pageBeginnings, pagePath } from '#contract/limits.ts';
import { inLocale, isLocale, locales, mainLocale } from '#contract/locales.ts';
import type { PageBeginning } from '#contract/schemas/page.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { Icon } from '#ui/icon.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { AddButton, useAdding } from '../../lib/adding.tsx';
import { useOnce } from '../../lib/api.ts';
import { LoadingRows } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { PublicationState } from '../../lib/publication.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { pagesQuery } from '../../lib/whole-lists.ts';

export default function Pages() {
  const { t, locale, call } = useOffice();
  const adding = useAdding();
  const { data, error } = useQuery(pagesQuery(call, locale));
  // The first page of the shop stands first.
  const pages = (data?.pages ?? []).toSorted((a, b) => Number(b.id === homePage) - Number(a.id === homePage));
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.pages')}</h1>
        <AddButton adding={adding} />
      </header>
      <p className="text-ink-soft">{t('office.pages.why')}</p>
      <Problem error={error} />
      <LoadingRows until={data !== undefined || error !== null} />
      {data?.pages.length === 0 && <p>{t('office.pages.empty')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {pages.map(({ id, title, blocks, missing, publication }) => (
          <li key={id}>
            <Link
              href={`/office/pages/${id}`}
              className="flex min-h-16 items-center gap-4 py-3 hover:bg-raised"
            >
              <span className="min-w-0 flex-1">
                <span className="font-semibold">{inLocale(title, locale) || id}</span>
                {id === homePage && <span className="text-ink-soft text-sm"> · {t('office.page.home')}</span>}
                <span className="block break-words text-ink-soft text-sm">{pagePath(id)}</span>
                <span className="block text-sm">
                  <PublicationState publication={publication} />
                </span>
              </span>
              <span className="text-right text-ink-soft text-sm">
                <span className="block">{t('office.pages.blocks', { count: blocks })}</span>
                {missing.map(({ language, texts }) => (
                  <span key={language} className="block">
                    {t('office.pages.missing', {
                      count: texts,
                      language: isLocale(language) ? locales[language].name : language,
                    })}
                  </span>
                ))}
              </span>
              <Icon name="chevron-right" size={20} />
            </Link>
          </li>
        ))}
      </ul>
      {adding.isOpen && <AddPage onClose={adding.close} />}
    </div>
  );
}

function AddPage({ onClose }: { onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const once = useOnce();
  const navigate = useNavigate();
  const [beginning, setBeginning] = useState<PageBeginning>('blank');
  /** The title that the beginning gave, as long as nobody has written another. */
  const given = useRef('');
  const form = useForm({
    initial: { title: '', id: '' },
    send: ({ title, id }) =>
      call('addPage', { body: { id, title: { [mainLocale()]: title }, beginning }, once }),
    onSent: async ({ content }) => {
      await queries.invalidateQueries({ queryKey: ['pages'] });
      await navigate({ to: `/office/pages/${content.id}` as '/office' });
    },
  });
  const begin = (kind: PageBeginning) => {
    setBeginning(kind);
    if (form.values.title !== given.current) return;
    given.current = kind === 'blank' ? '' : t(`office.page.begin.${kind}`);
    form.change({ title: given.current });
  };
  return (
    <Dialog open onClose={onClose} title={t('office.page.add')} className="form:w-[44rem]">
      <SendForm form={form} label={t('office.page.add')}>
        <p>{t('office.page.addWhy')}</p>
        <RadioCards
          legend={t('office.page.begin')}
          options={pageBeginnings.map((kind) => ({
            value: kind,
            title: t(`office.page.begin.${kind}`),
            note: t(`office.page.begin.${kind}Note`),
          }))}
          value={beginning}
          onChange={begin}
          inPairs
        />
        <TextField {...form.field('title')} label={t('office.page.title')} autoComplete="off" required />
        <TextField
          {...form.field('id')}
          label={t('office.goods.address')}
          hint={t('office.page.addressHint')}
          placeholder={t('office.page.addressEmpty')}
          autoComplete="off"
        />
      </SendForm>
    </Dialog>
  );
}
