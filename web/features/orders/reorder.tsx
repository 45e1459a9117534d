import { type ReactNode, useState } from 'react';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { urls } from '#web/lib/urls.ts';

interface ReorderProps {
  lines: LineItem[];
  /** Adds one line's product to the cart; rejects with the shop's error. */
  add: (line: LineItem) => Promise<Order>;
  onDone: () => void;
  children?: ReactNode;
}

/** Adds all items of an order to the cart again; items that are not available are listed. */
export function Reorder({ lines, add, onDone, children }: ReorderProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState<{ id: string; text: string }[]>([]);
  const reorder = async () => {
    setBusy(true);
    const failed: { id: string; text: string }[] = [];
    for (const line of lines) {
      try {
        await add(line);
      } catch (error) {
        const text = t('account.order.reorderLine', { product: line.productName, reason: errorText(error, t) });
        failed.push({ id: line.id, text });
      }
    }
    setMissing(failed);
    setBusy(false);
    if (failed.length === 0) onDone();
  };
  return (
    <div className="flex flex-col gap-4">
      {missing.length > 0 && (
        <Notice tone="bad" title={t('account.order.reorderPart')}>
          <ul>
            {missing.map(({ id, text }) => (
              <li key={id}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        {missing.length > 0 ? (
          <LinkButton href={urls.cart()}>{t('account.order.toCart')}</LinkButton>
        ) : (
          <Button busy={busy} onClick={() => void reorder()}>
            {t('account.order.reorder')}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}
