import { Button } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import type { StoreMapControl } from './use-store-map.ts';

export interface StoreMapProps {
  map: StoreMapControl;
  stores: { id: string; name: string }[];
  /** The host of the tile provider; '' if the shop serves the tiles itself. */
  host: string;
}

/** The placeholder of the map in its final size, with a button that loads the map. */
export function StoreMapPanel({ map: { state, selected, container, button, select, show }, stores, host }: StoreMapProps) {
  const t = useT();
  const failed = state === 'failed';
  return (
    <section aria-label={t('contact.map')} className="flex flex-col gap-4">
      <div className="relative h-96 overflow-hidden rounded-lg bg-surface-inset">
        <div ref={container} hidden={failed} className="absolute inset-0 z-0" />
        {state !== 'open' && (
          <div className="absolute inset-0 flex flex-col items-center justify-center gap-3 p-6 text-center">
            {failed && (
              <Notice tone="bad" className="text-left">
                {t('contact.map.failed')}
              </Notice>
            )}
            <Button
              ref={button}
              variant={failed ? 'secondary' : 'primary'}
              busy={state === 'asked for'}
              onClick={() => show(selected)}
            >
              {t(failed ? 'list.retry' : 'contact.map.show')}
            </Button>
            {host && !failed && <p className="max-w-sm text-balance text-ink-soft text-sm">{t('contact.map.note', { host })}</p>}
          </div>
        )}
      </div>
      {stores.length > 1 && !failed && (
        <Select
          label={t('contact.map.stores')}
          options={stores.map(({ id, name }) => ({ value: id, label: name }))}
          value={selected}
          onChange={(event) => select(event.target.value)}
        />
      )}
    </section>
  );
}
