/** Notices of new orders on this device while its tab sleeps. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useOffice } from '../../lib/me.tsx';

/** Null where the browser or the shop has no notices. */
const current = async () => (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null;

export function usePush() {
  const { call } = useOffice();
  const isAble = 'serviceWorker' in navigator && 'PushManager' in window;
  const { data: key } = useQuery({ queryKey: ['push'], queryFn: async () => (await call('push')).key, enabled: isAble });
  const { data: on = false, refetch } = useQuery({
    queryKey: ['push-on'],
    queryFn: async () => (await current()) !== null,
    enabled: isAble,
  });
  const turn = useMutation({
    mutationFn: async (wanted: boolean) => {
      if (!wanted) {
        await (await current())?.unsubscribe();
        return call('stopPush');
      }
      const { pushManager } = await navigator.serviceWorker.ready;
      const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key ?? '' });
      const { endpoint = '', keys = {} } = made.toJSON();
      return call('startPush', { body: { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } });
    },
    onSettled: () => refetch(),
  });
  return { isOffered: typeof key === 'string', on, turn: turn.mutate, failed: turn.isError };
}
