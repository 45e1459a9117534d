import { inLocale } from '#contract/locales.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Section } from '#ui/layout.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { HoursTable, storeClock, useNow } from '#web/features/contact/hours-table.tsx';

/** When stores are open, with today in bold. */
export function OpeningHoursBlock({ block: { title, stores } }: BlockProps<'openingHours'>) {
  const t = useT();
  const locale = useLocale();
  const now = useNow();
  if (stores.length === 0) return null;
  return (
    <BlockFrame>
      <Section title={title} unseenTitle={t('contact.hours')}>
        <ul className="grid gap-x-8 gap-y-6 product:grid-cols-2 menu:grid-cols-3">
          {stores.map((store) => {
            const name = inLocale(store.nameContent, locale);
            return (
              <li key={store.localStoreName}>
                {(stores.length > 1 || !title) && <h3 className="mb-2 text-lg">{name}</h3>}
                <HoursTable
                  label={`${t('contact.hours')}: ${name}`}
                  store={store}
                  today={now === null ? undefined : storeClock(now, store.timeZone).date}
                />
              </li>
            );
          })}
        </ul>
      </Section>
    </BlockFrame>
  );
}
