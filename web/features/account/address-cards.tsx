import type { Address } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { addressLines } from '#web/lib/address.ts';

export interface AddressCardsProps {
  addresses: Address[];
  /** Each callback receives the address's position in the list. */
  onEdit: (at: number) => void;
  onDefault: (at: number) => void;
  onRemove: (at: number) => void;
}

export function AddressCards({ addresses, onEdit, onDefault, onRemove }: AddressCardsProps) {
  const t = useT();
  if (addresses.length === 0) return <p className="text-ink-soft">{t('account.address.empty')}</p>;
  return (
    <ul className="grid w-full gap-4 product:grid-cols-2">
      {addresses.map((address, at) => {
        const lines = addressLines(address);
        const named = { address: lines[0] ?? '' };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an address has no identity, and the same one may be saved twice
          <li key={`${at} ${lines.join()}`} className="flex flex-col gap-3 rounded-lg bg-surface-inset p-6">
            {at === 0 && <p className="font-semibold text-action text-sm">{t('account.address.default')}</p>}
            <address className="grow break-words not-italic">
              {[...lines, address.contactPhone].filter(Boolean).map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))}
            </address>
            <div className="-mx-2 flex flex-wrap gap-x-2">
              <Button variant="quiet" size="small" aria-label={t('account.address.editNamed', named)} onClick={() => onEdit(at)}>
                {t('account.address.edit')}
              </Button>
              <Button
                variant="quiet"
                size="small"
                aria-label={t('account.address.removeNamed', named)}
                onClick={() => onRemove(at)}
              >
                {t('account.address.remove')}
              </Button>
              {at > 0 && (
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={t('account.address.makeDefaultNamed', named)}
                  onClick={() => onDefault(at)}
                >
                  {t('account.address.makeDefault')}
                </Button>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
