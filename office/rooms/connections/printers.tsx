/** The printers of the kitchens: each with its store, address, width and characters. */
import { printerEncodings } from '#contract/connection-fields.ts';
import { inLocale } from '#contract/locales.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { Select, TextField } from '#ui/inputs.tsx';
import { useOffice } from '../../lib/me.tsx';
import { type Printer, printersIn, textOf } from './printer-list.ts';

const widths = ['42', '48', '32'];

interface PrintersProps {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

export function Printers({ value, error, onChange }: PrintersProps) {
  const { t, shop } = useOffice();
  const printers = printersIn(value);
  const [firstStore] = shop.stores;
  const put = (index: number, change: Partial<Printer>) =>
    onChange(textOf(printers.map((each, at) => (at === index ? { ...each, ...change } : each))));
  if (!firstStore) return <p className="text-ink-soft">{t('office.connections.printers.noStore')}</p>;
  return (
    <>
      <ol className="flex flex-col gap-6 empty:hidden">
        {printers.map((printer, index) => (
          // Printers have no ids, and are added at the end.
          // biome-ignore lint/suspicious/noArrayIndexKey: their place is what they are known by
          <li key={index} className="flex flex-col gap-4 border-line border-l-2 pl-4">
            <PrinterFields printer={printer} no={index + 1} onChange={(change) => put(index, change)} />
            <IconButton
              icon="close"
              label={t('office.connections.printers.remove', { no: index + 1 })}
              onClick={() => onChange(textOf(printers.filter((_, at) => at !== index)))}
            />
          </li>
        ))}
      </ol>
      <FieldError id="printers-error" alone>
        {error}
      </FieldError>
      <div>
        <Button
          variant="secondary"
          onClick={() =>
            onChange(
              textOf([
                ...printers,
                {
                  store: firstStore.id,
                  host: '',
                  port: '9100',
                  columns: widths[0] ?? '',
                  encoding: printerEncodings[0],
                },
              ]),
            )
          }
        >
          {t('office.connections.printers.add')}
        </Button>
      </div>
    </>
  );
}

const typed = [
  { field: 'host', inputMode: 'url' },
  { field: 'port', inputMode: 'numeric' },
] as const;

interface PrinterFieldsProps {
  printer: Printer;
  no: number;
  onChange: (change: Partial<Printer>) => void;
}

function PrinterFields({ printer, no, onChange }: PrinterFieldsProps) {
  const { t, locale, shop } = useOffice();
  const { store, columns, encoding } = printer;
  const stores = shop.stores.map(({ id, nameContent }) => ({
    value: id,
    label: inLocale(nameContent, locale),
  }));
  // A store that is gone stays visible, so that it can be changed.
  const options = stores.some(({ value }) => value === store)
    ? stores
    : [{ value: store, label: store }, ...stores];
  return (
    <fieldset className="grid gap-4 form:grid-cols-2">
      <legend className="mb-2 font-semibold">{t('office.connections.printers.no', { no })}</legend>
      <Select
        className="form:col-span-2"
        label={t('office.connections.printers.store')}
        options={options}
        value={store}
        onChange={({ target }) => onChange({ store: target.value })}
      />
      {typed.map(({ field, inputMode }) => (
        <TextField
          key={field}
          label={t(`office.connections.printers.${field}`)}
          hint={t(`office.connections.printers.${field}.hint`)}
          hintBelow
          value={printer[field]}
          autoComplete="off"
          inputMode={inputMode}
          onChange={({ target }) => onChange({ [field]: target.value })}
        />
      ))}
      <Select
        label={t('office.connections.printers.columns')}
        options={[...new Set([...widths, columns])].map((value) => ({
          value,
          label: t('office.connections.printers.characters', { count: value }),
        }))}
        value={columns}
        onChange={({ target }) => onChange({ columns: target.value })}
      />
      <Select
        label={t('office.connections.printers.encoding')}
        options={printerEncodings.map((value) => ({ value, label: value.toUpperCase() }))}
        value={encoding}
        onChange={({ target }) => onChange({ encoding: target.value })}
      />
    </fieldset>
  );
}
