/** A list of products in a document, found by their names. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inLocale, type LocalText } from '#contract/locales.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { legendClass } from '#ui/choices.tsx';
import { FieldError } from '#ui/field.tsx';
import { TextField } from '#ui/inputs.tsx';
import { ChosenOf } from './chosen-of.tsx';
import type { Path } from './document.tsx';
import { useEdited } from './document-form.tsx';
import { useLanguage } from './i18n.tsx';
import { useOffice } from './me.tsx';

interface ProductsOfProps {
  path: Path;
  label: string;
  hint?: string | undefined;
  /** Of the products that are in the list as it is stored. */
  names: readonly { name: string; nameContent: LocalText }[];
}

const shortestText = 2;
const shownFound = 8;

export function ProductsOf({ path, label, hint, names }: ProductsOfProps) {
  const { locale } = useLanguage();
  const [added, setAdded] = useState<Readonly<Record<string, LocalText>>>({});
  const known = (product: string) =>
    added[product] ?? names.find(({ name }) => name === product)?.nameContent;
  const nameOf = (product: string) => inLocale(known(product) ?? { en: product }, locale);
  return (
    <ChosenOf path={path} label={label} hint={hint} nameOf={nameOf}>
      {(chosen, add) => (
        <FindProduct
          chosen={chosen}
          onAdd={(product) => {
            setAdded((before) => ({ ...before, [product.id]: product.name }));
            add(product.id);
          }}
        />
      )}
    </ChosenOf>
  );
}

/** One product of a document, found by its name. */
export function ProductOf({
  path,
  label,
  names,
}: {
  path: Path;
  label: StaffMessageKey;
  names: ProductsOfProps['names'];
}) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const [added, setAdded] = useState<Readonly<Record<string, LocalText>>>({});
  const chosen = String(form.valueAt(path) ?? '');
  const name = added[chosen] ?? names.find((each) => each.name === chosen)?.nameContent;
  const id = path.join('.');
  return (
    <div className="flex flex-col gap-3">
      <p className={legendClass}>{t(label)}</p>
      {chosen !== '' && (
        <p className="break-words font-semibold">{inLocale(name ?? { en: chosen }, locale)}</p>
      )}
      <FieldError id={`${id}-error`}>{form.errorAt(path, t(label))}</FieldError>
      <FindProduct
        chosen={[chosen]}
        onAdd={(product) => {
          setAdded((before) => ({ ...before, [product.id]: product.name }));
          form.change(path, product.id);
        }}
      />
    </div>
  );
}

interface FindProductProps {
  chosen: readonly string[];
  onAdd: (product: { id: string; name: LocalText }) => void;
}

function FindProduct({ chosen, onAdd }: FindProductProps) {
  const { t, locale, call } = useOffice();
  const [text, setText] = useState('');
  const { data } = useQuery({
    queryKey: ['goods', 'pick', text],
    queryFn: () => call('goods', { query: { text } }),
    enabled: text.trim().length >= shortestText,
    placeholderData: keepPreviousData,
  });
  const found =
    text.trim().length < shortestText
      ? []
      : (data?.products.filter((each) => !chosen.includes(each.id)) ?? []);
  return (
    <>
      <TextField
        label={t('office.menu.findProducts')}
        type="search"
        autoComplete="off"
        value={text}
        maxLength={200}
        onChange={({ target }) => setText(target.value)}
      />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {found.slice(0, shownFound).map((product) => (
          <li key={product.id} className="flex items-center justify-between gap-4 py-1">
            <span className="min-w-0">{inLocale(product.name, locale)}</span>
            <Button
              label={t('office.add')}
              variant="secondary"
              size="small"
              icon="plus"
              aria-label={`${t('office.add')}: ${inLocale(product.name, locale)}`}
              onClick={() => onAdd(product)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
