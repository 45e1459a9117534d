import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Skeleton } from '#ui/layout.tsx';
import { Notice } from '#ui/notice.tsx';
import type { LoadPart, PanelState } from './provider-panel.ts';

export interface SlotState {
  state: PanelState;
  onState: (state: PanelState) => void;
  otherWays: boolean;
}

interface PanelSlotProps<Props> extends SlotState {
  load: LoadPart<Props>;
  /** The skeleton shown while loading, of the final height: fields, or one button. */
  shape?: 'fields' | 'button';
  children: (Part: ComponentType<Props>) => ReactNode;
}

/** A skeleton while the code and the provider's script load, and a message with a retry if they fail. */
export function PanelSlot<Props>({ load, state, onState, shape = 'fields', otherWays, children }: PanelSlotProps<Props>) {
  const t = useT();
  const [round, setRound] = useState(0);
  const Part = useLoaded(load, round, onState);
  if (state === 'failed') {
    return (
      <Notice tone="bad" title={t('payment.script.title')}>
        <p>{t(otherWays ? 'payment.script.otherWay' : 'payment.script.only')}</p>
        <Button
          variant="secondary"
          size="small"
          className="mt-3"
          onClick={() => {
            onState('loading');
            setRound((count) => count + 1);
          }}
        >
          {t('payment.script.retry')}
        </Button>
      </Notice>
    );
  }
  const hidden = state === 'loading';
  return (
    <div aria-busy={hidden}>
      {hidden && <PanelSkeleton shape={shape} />}
      {/* Rendered off screen rather than hidden: providers' frames get no height in an element that is not displayed. */}
      <div key={round} inert={hidden} className={cx('flex flex-col gap-5', hidden && 'h-0 overflow-hidden')}>
        {Part && children(Part)}
      </div>
    </div>
  );
}

function useLoaded<Props>(load: LoadPart<Props>, round: number, onState: (state: PanelState) => void) {
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props>; round: number }>();
  const fail = useCallback(() => onState('failed'), [onState]);
  useEffect(() => {
    let wanted = true;
    load().then(
      ({ default: Part }) => wanted && setLoaded({ Part, round }),
      () => wanted && fail(),
    );
    return () => {
      wanted = false;
    };
  }, [load, round, fail]);
  return loaded?.round === round ? loaded.Part : undefined;
}

function PanelSkeleton({ shape }: { shape: 'fields' | 'button' }) {
  return (
    <div role="status" aria-label={useT()('payment.panel.loading')} className="flex flex-col gap-5">
      {shape === 'button' ? (
        <Skeleton className="h-13" />
      ) : (
        <>
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </>
      )}
    </div>
  );
}
