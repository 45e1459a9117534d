/** The view of a room as the router shows it, and what stands in its place if it cannot be loaded. */
import { type ErrorComponentProps, lazyRouteComponent, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import type { View } from '../rooms/index.ts';
import { useStaffT } from './i18n.tsx';

/** The script of a room did not come: there is no network, or the shop was updated and no longer has it. */
class RoomNotLoadedError extends Error {
  override name = 'RoomNotLoadedError';
}

/** What a route of the office shows. */
export function roomView({ load }: View) {
  const component = lazyRouteComponent(() =>
    load().catch(async () => {
      if (await isOutdated()) await reloadOnce();
      throw new RoomNotLoadedError('The script of the room was not loaded');
    }),
  );
  const errorComponent = (props: ErrorComponentProps) => (
    <RoomFailed {...props} load={() => component.preload?.()} />
  );
  return { component, errorComponent };
}

const ownScript = () => document.querySelector('script[type=module]')?.getAttribute('src') ?? '';

/** Whether the shop has another build of the office now than this document is of. */
async function isOutdated(): Promise<boolean> {
  try {
    const answer = await fetch('/office', { cache: 'no-store' });
    return answer.ok && !(await answer.text()).includes(ownScript());
  } catch {
    return false;
  }
}

const reloadedFrom = 'office-reloaded-from';

/** Opens the address anew, in the newer build; never resolves then. Two processes of different builds must not make it a circle. */
async function reloadOnce(): Promise<void> {
  if (sessionStorage.getItem(reloadedFrom) === ownScript()) return;
  sessionStorage.setItem(reloadedFrom, ownScript());
  location.reload();
  await new Promise(() => {});
}

/** In the place of a room; the frame around it stays. */
function RoomFailed({ error, reset, load }: ErrorComponentProps & { load: () => Promise<void> | undefined }) {
  const t = useStaffT();
  const shared = useT();
  const router = useRouter();
  const [isTrying, setTrying] = useState(false);
  const retry = async () => {
    setTrying(true);
    await load();
    setTrying(false);
    reset();
    await router.invalidate();
  };
  return (
    <Notice
      tone="bad"
      title={error instanceof RoomNotLoadedError ? t('office.room.failed') : errorText(error, shared)}
    >
      <Button variant="secondary" className="mt-3" busy={isTrying} onClick={() => void retry()}>
        {t('office.room.retry')}
      </Button>
    </Notice>
  );
}
