/** Four colours, and whether what follows from them can be read. */
import { useState } from 'react';
import {
  areColours,
  contrastsOf,
  isColour,
  isDarkPage,
  type LookColours,
  type LookRole,
  lookRoles,
  mended,
  nightOf,
  type PairContrast,
  schemeOf,
  shownRatio,
  weakestOf,
} from '#contract/rules/look.ts';
import { Accordion } from '#ui/accordion.tsx';
import { Button } from '#ui/button.tsx';
import { legendClass } from '#ui/choices.tsx';
import { TextField } from '#ui/inputs.tsx';
import type { Path } from '../../lib/document.tsx';
import { useEdited } from '../../lib/document-form.tsx';
import { useOffice } from '../../lib/me.tsx';
import type { Delivered } from './look.tsx';

/** How the page, its text, its links and its prices look together. */
export function Swatches({ colours }: { colours: LookColours }) {
  return (
    <span aria-hidden="true" className="flex h-9 overflow-hidden rounded-sm border border-line">
      <span
        className="flex flex-1 items-center justify-center font-semibold"
        style={{ backgroundColor: colours.paper, color: colours.ink }}
      >
        Aa
      </span>
      <span className="w-6" style={{ backgroundColor: colours.action }} />
      <span className="w-3" style={{ backgroundColor: colours.sale }} />
    </span>
  );
}

interface ColoursOfProps {
  path: Path;
  label: string;
}

export function ColoursOf({
  path,
  label,
  delivered,
}: ColoursOfProps & { delivered: LookColours | undefined }) {
  const { t } = useOffice();
  const form = useEdited();
  const own = form.valueAt(path) as LookColours | null;
  const colours = own ?? delivered;
  if (!colours) return null;
  return (
    <FourColours path={path} label={label} colours={colours} isOwn={own !== null}>
      {own && <Quiet label={t('office.look.useDelivered')} onClick={() => form.change(path, null)} />}
    </FourColours>
  );
}

/** They follow from the day, until they are chosen. */
export function NightColoursOf({ path, label, delivered }: ColoursOfProps & { delivered: Delivered | null }) {
  const { t } = useOffice();
  const form = useEdited();
  const day = form.valueAt(['colours']) as LookColours | null;
  const own = form.valueAt(path) as LookColours | null;
  const derived = day === null ? delivered?.night : areColours(day) ? nightOf(day) : undefined;
  if (own)
    return (
      <FourColours path={path} label={label} colours={own} isOwn>
        <Quiet label={t('office.look.deriveNight')} onClick={() => form.change(path, null)} />
      </FourColours>
    );
  return (
    <div className="flex flex-col gap-3">
      <p className={legendClass}>{label}</p>
      <p className="text-ink-soft text-sm">{t('office.look.nightFollows')}</p>
      {derived && (
        <>
          <div className="max-w-60">
            <Swatches colours={derived} />
          </div>
          <Quiet label={t('office.look.chooseNight')} onClick={() => form.change(path, { ...derived })} />
          <Pairs colours={derived} />
        </>
      )}
    </div>
  );
}

const Quiet = (props: { label: string; onClick: () => void }) => (
  <Button {...props} variant="secondary" size="small" className="self-start" />
);

interface FourColoursProps extends ColoursOfProps {
  colours: LookColours;
  /** Else they are those that are delivered, and the first change makes them the shop's. */
  isOwn: boolean;
  children: React.ReactNode;
}

function FourColours({ path, label, colours, isOwn, children }: FourColoursProps) {
  const form = useEdited();
  const change = (role: LookRole, to: string) =>
    isOwn ? form.change([...path, role], to) : form.change(path, { ...colours, [role]: to });
  return (
    <fieldset className="flex min-w-0 flex-col gap-5">
      <legend className={legendClass}>{label}</legend>
      <div className="grid gap-5 product:grid-cols-2">
        {lookRoles.map((role) => (
          <ColourField key={role} path={[...path, role]} role={role} colours={colours} change={change} />
        ))}
      </div>
      {areColours(colours) && <Pairs colours={colours} />}
      {children}
    </fieldset>
  );
}

/** `#abc` and `AABBCC` are meant as `#aabbcc`. */
function writtenColour(text: string): string {
  const [, digits = ''] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim()) ?? [];
  const six = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
  return six ? `#${six.toLowerCase()}` : text.trim();
}

interface ColourFieldProps {
  path: Path;
  role: LookRole;
  colours: LookColours;
  change: (role: LookRole, to: string) => void;
}

/** What is typed stays in the field until it is left. */
function ColourField({ path, role, colours, change }: ColourFieldProps) {
  const { t } = useOffice();
  const form = useEdited();
  const [typed, setTyped] = useState<string>();
  const label = t(`office.look.${role}`);
  const value = colours[role];
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-3">
        <TextField
          label={label}
          name={path.join('.')}
          autoComplete="off"
          spellCheck={false}
          maxLength={9}
          className="flex-1"
          value={typed ?? value}
          error={form.errorAt(path, label)}
          onChange={({ target }) => {
            setTyped(target.value);
            change(role, writtenColour(target.value));
          }}
          onBlur={() => setTyped(undefined)}
        />
        <input
          type="color"
          aria-label={t('office.look.pick', { role: label })}
          className="h-12 w-14 flex-none cursor-pointer rounded-md border border-edge bg-raised p-1"
          value={isColour(value) ? value.toLowerCase() : '#000000'}
          onChange={({ target }) => change(role, target.value)}
        />
      </div>
      {role !== 'paper' && areColours(colours) && <Mend role={role} colours={colours} change={change} />}
    </div>
  );
}

/** What is wrong with a colour, and one press that makes it right. */
function Mend({
  role,
  colours,
  change,
}: { role: Exclude<LookRole, 'paper'> } & Pick<ColourFieldProps, 'colours' | 'change'>) {
  const { t } = useOffice();
  const weak = weakestOf(colours, role);
  if (!weak) return null;
  const better = mended(colours, role);
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium text-clay text-sm">
        <PairWords pair={weak} />: {ratioText(weak.ratio)} (
        {t('office.look.pairNeeds', { least: weak.least })})
      </p>
      {better ? (
        <Quiet
          label={t(isDarkPage(colours) ? 'office.look.lighter' : 'office.look.darker')}
          onClick={() => change(role, better[role])}
        />
      ) : (
        <p className="text-sm">{t('office.look.cannotMend')}</p>
      )}
    </div>
  );
}

const ratioText = (ratio: number) => `${shownRatio(ratio)} : 1`;

function PairWords({ pair: { text, on } }: { pair: PairContrast }) {
  const { t } = useOffice();
  return t('office.look.pair', { text: t(`office.look.token.${text}`), on: t(`office.look.token.${on}`) });
}

function Pairs({ colours }: { colours: LookColours }) {
  const { t } = useOffice();
  const scheme = schemeOf(colours);
  const pairs = contrastsOf(colours);
  const weak = pairs.filter(({ ratio, least }) => ratio < least);
  const least = Math.min(...pairs.filter((each) => each.least >= 4.5).map(({ ratio }) => ratio));
  return (
    <Accordion
      summary={
        <span className={weak.length > 0 ? 'text-clay' : undefined}>
          {weak.length > 0
            ? t('office.look.pairsBad', { count: weak.length })
            : t('office.look.pairsGood', { least: shownRatio(least) })}
        </span>
      }
    >
      <ul className="grid gap-x-6 gap-y-2 product:grid-cols-2" aria-label={t('office.look.pairs')}>
        {pairs.map((pair) => (
          <li key={`${pair.text} ${pair.on}`} className="flex items-center gap-3 text-sm">
            <span
              aria-hidden="true"
              className="flex size-9 flex-none items-center justify-center rounded-sm border border-line font-semibold"
              style={{ backgroundColor: scheme[pair.on], color: scheme[pair.text] }}
            >
              Aa
            </span>
            <span className="min-w-0 flex-1">
              <PairWords pair={pair} />
            </span>
            <span className={pair.ratio < pair.least ? 'font-semibold text-clay' : 'text-ink-soft'}>
              {ratioText(pair.ratio)}
              {pair.ratio < pair.least && ` < ${pair.least}`}
            </span>
          </li>
        ))}
      </ul>
    </Accordion>
  );
}
