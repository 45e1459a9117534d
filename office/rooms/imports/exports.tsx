/** Takes data out of the shop: tables as CSV, and for owners the whole shop as an archive. */
import { useMutation } from '@tanstack/react-query';
import { staffBase } from '#contract/limits.ts';
import type { GoodsFilter } from '#contract/staff/goods.ts';
import type { ExportForm } from '#contract/staff/imports.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import type { Call } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

const goods = (table: 'products' | 'stock' | 'redirects', form: ExportForm) => (call: Call) =>
  call('exportGoods', { body: { table, form, filter: {} } });
const people = (table: 'customers' | 'orders') => (call: Call) => call('exportPeople', { body: { table } });

const files = [
  { name: 'products', needs: 'goods.read', ask: goods('products', 'own') },
  { name: 'shopify', needs: 'goods.read', ask: goods('products', 'shopify') },
  { name: 'stock', needs: 'goods.read', ask: goods('stock', 'own') },
  { name: 'redirects', needs: 'goods.read', ask: goods('redirects', 'own') },
  { name: 'customers', needs: 'customers.export', ask: people('customers') },
  { name: 'orders', needs: 'customers.export', ask: people('orders') },
  { name: 'shop', needs: 'shop.export', ask: (call: Call) => call('exportShop') },
] as const;

export function ExportPart() {
  const { t, may } = useOffice();
  return (
    <section className="flex flex-col gap-5">
      <header className="flex max-w-[44rem] flex-col gap-2">
        <h2 className="text-xl">{t('office.exports')}</h2>
        <p className="text-ink-soft">{t('office.exports.text')}</p>
      </header>
      <ul className="divide-y divide-line border-line border-y">
        {files
          .filter(({ needs }) => may.includes(needs))
          .map(({ name, ask }) => (
            <li key={name} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
              <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
                <h3 className="text-lg">{t(`office.exports.${name}`)}</h3>
                <p className="text-ink-soft text-sm">{t(`office.exports.${name}Text`)}</p>
              </div>
              <SaveButton ask={ask} label="office.exports.save" of={t(`office.exports.${name}`)} />
            </li>
          ))}
      </ul>
    </section>
  );
}

/** Saves what the table of products shows. */
export function SaveFound({ filter }: { filter: GoodsFilter }) {
  return (
    <SaveButton
      ask={(call) => call('exportGoods', { body: { table: 'products', form: 'own', filter } })}
      label="office.exports.found"
    />
  );
}

interface SaveButtonProps {
  ask: (call: Call) => Promise<{ ticket: string }>;
  label: StaffMessageKey;
  /** What is saved, where several buttons have one label. */
  of?: string;
}

export function SaveButton({ ask, label, of }: SaveButtonProps) {
  const { t, call } = useOffice();
  const save = useMutation({
    mutationFn: () => ask(call),
    // The browser loads it as it is written, whatever its size.
    onSuccess({ ticket }) {
      const link = document.createElement('a');
      link.href = `${staffBase}exports/file?${new URLSearchParams({ ticket })}`;
      link.download = '';
      link.click();
    },
  });
  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        label={t(label)}
        variant="secondary"
        size="small"
        className="min-h-11"
        busy={save.isPending}
        aria-label={of && t('office.exports.saveOf', { file: of })}
        onClick={() => save.mutate()}
      />
      <Problem error={save.error} />
      {save.isSuccess && (
        <p role="status" className="text-ink-soft text-sm">
          {t('office.exports.started')}
        </p>
      )}
    </div>
  );
}
