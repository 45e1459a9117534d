/** A field of formatted text for each language of the shop. The editor's file loads with the first one. */
import { lazy, Suspense } from 'react';
import { locales, offeredLocales } from '#contract/locales.ts';
import type { Path } from './document.tsx';
import { changeText, useEdited } from './document-form.tsx';
import { labelIn } from './i18n.tsx';

const RichText = lazy(() => import('./rich-text/rich-text.tsx'));

interface RichTextsOfProps {
  path: Path;
  label: string;
  /** What stands for no text in any language; by default an empty one. */
  without?: 'null' | 'nothing' | undefined;
  /** Where a picture of the shop is shown from. */
  addressOf?: (file: string) => string | undefined;
  /** The first one has the focus. */
  autoFocus?: boolean;
}

export function RichTextsOf({
  path,
  label,
  without,
  addressOf = () => undefined,
  autoFocus = false,
}: RichTextsOfProps) {
  const form = useEdited();
  return (
    <div className="grid w-full grid-cols-[minmax(0,1fr)] gap-5 product:grid-cols-[repeat(2,minmax(0,1fr))]">
      {offeredLocales().map((code, index) => {
        const at = [...path, code];
        const named = labelIn(code, label);
        return (
          <Suspense key={code} fallback={<div className="min-h-60" aria-busy />}>
            <RichText
              label={named}
              lang={locales[code].tag}
              hint={form.noteAt?.(at)}
              value={String(form.valueAt(at) ?? '')}
              error={form.errorAt(at, named) ?? form.errorAt(path, label)}
              onChange={(html) => changeText(form, { path, without }, code, html)}
              addressOf={addressOf}
              autoFocus={autoFocus && index === 0}
            />
          </Suspense>
        );
      })}
    </div>
  );
}
