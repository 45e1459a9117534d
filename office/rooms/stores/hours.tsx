/** The hours of each weekday with their breaks, and of days that differ. */
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { weekdays } from '#contract/limits.ts';
import type { DayHours } from '#contract/rules/opening-hours.ts';
import type { Store } from '#contract/schemas/store.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Checkbox, TextField } from '#ui/inputs.tsx';
import type { EditedDocument, Path } from '../../lib/document.tsx';
import { TextOf } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';

const usual = { open: '09:00', close: '17:00' };
/** A Monday. */
const firstDay = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

export function Hours({ form }: { form: EditedDocument }) {
  const { t, locale } = useLanguage();
  const name = dateFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const monday = form.valueAt(['openingHours', 'monday']);
  return (
    <>
      <ul className="divide-y divide-line border-line border-y">
        {weekdays.map((day, index) => (
          <li key={day} className="py-3">
            <Day form={form} path={['openingHours', day]} name={name.format(firstDay + index * dayMs)} />
          </li>
        ))}
      </ul>
      <Button
        variant="secondary"
        className="self-start"
        onClick={() => form.change(['openingHours'], Object.fromEntries(weekdays.map((day) => [day, monday])))}
      >
        {t('office.store.likeMonday')}
      </Button>
      <SpecialDays form={form} />
    </>
  );
}

function Day({ form, path, name }: { form: EditedDocument; path: Path; name: string }) {
  const { t } = useLanguage();
  const hours = form.valueAt(path) as DayHours;
  const breaks = hours?.breaks ?? [];
  const error = form.errorAt(path, name) ?? form.errorAt([...path, 'breaks'], name);
  const setBreaks = (next: NonNullable<DayHours>['breaks']) =>
    form.change(path, next?.length ? { ...hours, breaks: next } : { open: hours?.open, close: hours?.close });
  return (
    <div className="grid items-start gap-x-4 gap-y-2 product:grid-cols-[11rem_1fr]">
      <Checkbox
        className="min-h-11 justify-center"
        label={name}
        checked={hours !== null}
        error={error}
        onChange={({ target }) => form.change(path, target.checked ? usual : null)}
      />
      {hours === null ? (
        <p className="flex min-h-11 items-center text-ink-soft">{t('office.opening.closed')}</p>
      ) : (
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap items-end gap-3">
            <TextOf className="w-28" form={form} path={[...path, 'open']} label={t('office.store.opens')} inputMode="numeric" />
            <TextOf className="w-28" form={form} path={[...path, 'close']} label={t('office.store.closes')} inputMode="numeric" />
            <Button variant="quiet" onClick={() => setBreaks([...breaks, { from: '14:00', until: '17:00' }])}>
              {t('office.store.addBreak')}
            </Button>
          </div>
          {breaks.map((each, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: breaks have nothing else that names them
            <div key={index} className="flex flex-wrap items-end gap-3">
              {(['from', 'until'] as const).map((end) => (
                <TextField
                  key={end}
                  className="w-28"
                  label={t(end === 'from' ? 'office.store.breakFrom' : 'office.store.breakUntil')}
                  inputMode="numeric"
                  autoComplete="off"
                  value={each[end]}
                  onChange={({ target }) => setBreaks(breaks.with(index, { ...each, [end]: target.value }))}
                />
              ))}
              <IconButton
                icon="close"
                label={t('office.store.removeBreak')}
                onClick={() => setBreaks(breaks.toSpliced(index, 1))}
              />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function SpecialDays({ form }: { form: EditedDocument }) {
  const { t, locale } = useLanguage();
  const [date, setDate] = useState('');
  const days = form.valueAt(['specialHours']) as Store['specialHours'];
  const day = dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">{t('office.store.special')}</h3>
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {days.map(({ date }) => (
          <li key={date} className="flex items-start gap-3 py-3">
            <div className="min-w-0 flex-1">
              <Day form={form} path={['specialHours', date, 'hours']} name={day.format(Date.parse(date))} />
            </div>
            <IconButton
              icon="close"
              label={`${t('office.store.removeDay')}: ${day.format(Date.parse(date))}`}
              onClick={() => form.change(['specialHours', date], undefined)}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          className="w-64"
          type="date"
          label={t('office.store.newDay')}
          hint={t('office.store.addDayHint')}
          value={date}
          error={form.errorAt(['specialHours'], t('office.store.special'))}
          onChange={({ target }) => setDate(target.value)}
        />
        <Button
          variant="secondary"
          onClick={() => {
            if (date !== '') form.change(['specialHours', date], { date, hours: null });
            setDate('');
          }}
        >
          {t('office.store.addDay')}
        </Button>
      </div>
    </section>
  );
}
