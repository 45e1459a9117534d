import { useHydrated } from '@tanstack/react-router';
import { useState } from 'react';
import { numberFormat } from '#contract/formatters.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { Accordion } from '#ui/accordion.tsx';
import { Button } from '#ui/button.tsx';
import { useLocale } from '#ui/i18n.tsx';
import { Icon, type IconPath } from '#ui/icon.tsx';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { brandTranslate, brewWays, infusionTime, isOvernight } from '../shared/messages.ts';
import type { Brew, BrewGuide, ProductExtras } from '../shared/schemas.ts';

const BrewTimer = lazyWithPreload(async () => (await import('./brew-timer.tsx')).BrewTimer);

const leafIcon: IconPath = 'M5 19C4 9 10 4 20 4c0 10-5 16-15 15zM5 19C8 13 11 10 15 8';
const waterIcon: IconPath = 'M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z';
const heatIcon: IconPath = 'M14 14V5a2 2 0 0 0-4 0v9a4.5 4.5 0 1 0 4 0zM12 9v8';
const clockIcon: IconPath = 'M12 4a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17zM12 8v5l3 2';

const wayClass =
  'cursor-pointer rounded-md border border-edge px-4 py-2 has-checked:border-action has-checked:bg-action-tint has-focus-visible:outline-2 has-focus-visible:outline-focus';

/** On paper all ways are shown. */
const hiddenUnlessChosen = {
  pot: 'not-print:group-has-[[value=pot]:not(:checked)]/brew:hidden',
  gaiwan: 'not-print:group-has-[[value=gaiwan]:not(:checked)]/brew:hidden',
  cold: 'not-print:group-has-[[value=cold]:not(:checked)]/brew:hidden',
};

export function ProductFold({ product: { extras } }: { product: Product }) {
  const t = brandTranslate(useLocale());
  const { brew } = (extras ?? {}) as ProductExtras;
  return (
    brew && (
      <Accordion summary={t('brew.title')}>
        <BrewCard brew={brew} />
      </Accordion>
    )
  );
}

/** How to brew a tea, one way at a time. The ways are radio buttons, so that they can be chosen without scripts. */
function BrewCard({ brew }: { brew: BrewGuide }) {
  const t = brandTranslate(useLocale());
  const hydrated = useHydrated();
  const ways = brewWays.flatMap((way) => {
    const given = brew[way];
    return given ? [{ way, given }] : [];
  });
  return (
    <div className="group/brew">
      {ways.length > 1 && (
        <div role="radiogroup" aria-label={t('brew.ways')} className="mb-4 flex flex-wrap gap-2 print:hidden">
          {ways.map(({ way }, index) => (
            <label key={way} className={wayClass}>
              <input type="radio" name="brew" value={way} defaultChecked={index === 0} className="sr-only" />
              {t(`brew.way.${way}`)}
            </label>
          ))}
        </div>
      )}
      {ways.map(({ way, given }) => (
        <div key={way} className={hiddenUnlessChosen[way]}>
          <p className="hidden font-semibold print:block">{t(`brew.way.${way}`)}</p>
          <Facts brew={given} />
          {hydrated && <Timer seconds={given.infusionSeconds} />}
        </div>
      ))}
    </div>
  );
}

function Facts({ brew: { grams, waterMl, celsius, infusionSeconds } }: { brew: Brew }) {
  const locale = useLocale();
  const t = brandTranslate(locale);
  const number = (value: number) => numberFormat(locale, { maximumFractionDigits: 1 }).format(value);
  const facts = [
    [leafIcon, t('brew.leaf'), t('brew.grams', { value: number(grams) })],
    [waterIcon, t('brew.water'), t('brew.ml', { value: number(waterMl) })],
    [heatIcon, t('brew.temperature'), t('brew.celsius', { value: celsius })],
    [
      clockIcon,
      t('brew.infusions'),
      infusionSeconds.map((seconds) => unbroken(infusionTime(seconds, locale, t))).join(' · '),
    ],
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_auto_1fr] items-center gap-x-3 gap-y-3">
      {facts.map(([icon, label, value]) => (
        <div key={label} className="contents">
          <Icon name={icon} className="text-action" />
          <dt className="pr-5 text-ink-soft">{label}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

function Timer({ seconds }: { seconds: readonly number[] }) {
  const t = brandTranslate(useLocale());
  const [open, setOpen] = useState(false);
  if (seconds.some(isOvernight)) return null;
  return (
    <div className="mt-5 min-h-13 print:hidden">
      {open ? (
        <BrewTimer seconds={seconds} onClose={() => setOpen(false)} />
      ) : (
        <Button label={t('brew.start')} variant="secondary" size="small" onClick={() => setOpen(true)} />
      )}
    </div>
  );
}
