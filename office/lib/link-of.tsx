/** A link of a document: to a page of the shop that is found by its name, or an address. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import { TextField } from '#ui/inputs.tsx';
import type { Path } from './document.tsx';
import { useEdited } from './document-form.tsx';
import { useOffice } from './me.tsx';

const pauseMs = 250;
/** What is no name that could be searched for. */
const isAddress = (text: string) => /^(?:\/|#|https?:|mailto:|tel:)/i.test(text);

export function LinkOf({ path, label, hint }: { path: Path; label: string; hint?: string | undefined }) {
  const form = useEdited();
  const { t, locale, call, may } = useOffice();
  const id = useId();
  const value = String(form.valueAt(path) ?? '');
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(isAddress(value) ? '' : value.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  const { data } = useQuery({
    queryKey: ['content-choices', wanted, locale],
    queryFn: () => call('contentChoices', { query: wanted === '' ? {} : { text: wanted } }),
    enabled: isOpen && may.includes('content.write'),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return (
    <>
      <TextField
        label={label}
        hint={hint ?? t('office.block.linkHint')}
        hintBelow
        name={path.join('.')}
        autoComplete="off"
        list={id}
        value={value}
        error={form.errorAt(path, label)}
        onFocus={() => setIsOpen(true)}
        onChange={({ target }) => form.change(path, target.value)}
      />
      <datalist id={id}>
        {data?.links.map(({ link, nameContent }) => (
          <option key={link} value={link}>
            {inLocale(nameContent, locale)}
          </option>
        ))}
      </datalist>
    </>
  );
}
