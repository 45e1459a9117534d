import type { FormEvent } from 'react';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/inputs.tsx';
import { useStaffT } from './i18n.tsx';

interface SearchFormProps {
  label: string;
  hint: string;
  /** What is searched for. */
  text: string;
  onSearch: (text: string) => void;
}

export function SearchForm({ label, hint, text, onSearch }: SearchFormProps) {
  const t = useStaffT();
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(String(new FormData(event.currentTarget).get('text') ?? ''));
  };
  return (
    // With another text in the address, it is another form.
    <form onSubmit={search} className="flex items-end gap-3" key={text}>
      <TextField className="flex-1" label={label} hint={hint} type="search" name="text" defaultValue={text} maxLength={200} />
      <Button label={t('office.orders.find')} type="submit" variant="secondary" icon="search" />
    </form>
  );
}
