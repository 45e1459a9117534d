/** Stock-takes: a document of its own, since only here a page may use the camera and run the decoder of barcodes (docs/security.md). */
import '../styles.css';
import { QueryClient } from '@tanstack/react-query';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { CallProvider } from '../lib/confirm-dialog.tsx';
import { useLanguage } from '../lib/i18n.tsx';
import { MeContext, useMeQuery } from '../lib/me.tsx';
import { openDocument } from '../lib/open.tsx';
import { usePlaces } from '../rooms/stock/places.tsx';
import { TakeOf } from './take.tsx';

function Entrance() {
  const { data: me, error } = useMeQuery();
  const t = useT();
  if (error) return <Notice tone="bad" title={errorText(error, t)} className="m-6" />;
  if (me === undefined) return null;
  if (me === null) {
    location.replace('/office');
    return null;
  }
  return (
    <CallProvider me={me}>
      <MeContext value={me}>
        <main className="mx-auto flex max-w-[44rem] flex-col gap-6 px-4 py-6 pb-[max(1.5rem,env(safe-area-inset-bottom))]">
          <Place />
        </main>
      </MeContext>
    </CallProvider>
  );
}

function Place() {
  const { t } = useLanguage();
  const places = usePlaces();
  const wanted = new URLSearchParams(location.search).get('place');
  const place = places.find(({ value }) => value === wanted) ?? places[0];
  if (!place) return <Notice title={t('office.noRoom')} silent />;
  return <TakeOf place={place.value} name={place.label} />;
}

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true, networkMode: 'always' } } });
void openDocument(
  queries,
  <CallProvider me={null}>
    <Entrance />
  </CallProvider>,
);
