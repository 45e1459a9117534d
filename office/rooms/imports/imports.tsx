/** Files come into the shop here, and leave it: choosing one, and what became of earlier ones. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ImportState } from '#contract/staff/imports.ts';
import { formatDate } from '#ui/format.ts';
import { Link } from '#ui/link.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { ExportPart } from './exports.tsx';

export default function Imports() {
  const { t, may } = useOffice();
  return (
    <div className="flex max-w-room flex-col gap-8">
      <h1 className="text-2xl">{t('office.imports')}</h1>
      {may.includes('goods.import') && <ImportPart />}
      <ExportPart />
    </div>
  );
}

function ImportPart() {
  const { t } = useLanguage();
  return (
    <section className="flex flex-col gap-5">
      <p className="max-w-[44rem] text-ink-soft">{t('office.imports.intro')}</p>
      <Upload />
      <History />
    </section>
  );
}

function Upload() {
  const { t, call, queries } = useOffice();
  const navigate = useNavigate();
  const upload = useMutation({
    // Whatever type the system gives it, the body is only bytes.
    mutationFn: (file: File) =>
      call('upload', {
        query: { name: file.name },
        file: new File([file], file.name, { type: 'application/octet-stream' }),
      }),
    onSuccess: (answer) => {
      queries.setQueryData(['import', answer.id], answer);
      return navigate({ to: `/office/imports/${answer.id}` });
    },
  });
  const send = (file: File | undefined) => {
    if (file && !upload.isPending) upload.mutate(file);
  };
  return (
    <>
      <Problem error={upload.error} />
      <label
        className="flex min-h-36 cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-line-strong border-dashed p-6 text-center focus-within:outline-2"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          send(event.dataTransfer.files[0]);
        }}
      >
        <span className="font-semibold" role="status">
          {t(upload.isPending ? 'office.imports.sending' : 'office.imports.choose')}
        </span>
        <span className="text-ink-soft text-sm">{t('office.imports.chooseHint')}</span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,.xml,text/csv"
          className="sr-only"
          aria-label={t('office.imports.choose')}
          onChange={({ target }) => {
            send(target.files?.[0]);
            target.value = '';
          }}
        />
      </label>
    </>
  );
}

function History() {
  const { t, call } = useOffice();
  const { data, error } = useQuery({
    queryKey: ['imports'],
    queryFn: () => call('imports'),
    refetchInterval: ({ state }) => (state.data?.imports.some(isUnderWay) ? everyMs : false),
  });
  return (
    <>
      <h2 className="text-xl">{t('office.imports.history')}</h2>
      <Problem error={error} />
      {data?.imports.length === 0 && <p className="text-ink-soft">{t('office.imports.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.imports.map((each) => (
          <li key={each.id}>
            <Earlier state={each} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Earlier({ state: each }: { state: ImportState }) {
  const { t, locale, shop } = useOffice();
  return (
    <Link
      href={`/office/imports/${each.id}`}
      className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3 hover:bg-surface"
    >
      <span className="min-w-0 flex-1 basis-60">
        <span className="block break-words font-semibold">{each.file}</span>
        <span className="text-ink-soft text-sm">{formatDate(each.uploadedAt, locale, shop.timeZone)}</span>
      </span>
      <span className="text-sm">{t(`office.imports.state.${each.state}`)}</span>
    </Link>
  );
}

/** How often what is under way is asked for, ms. */
export const everyMs = 1000;
const underWay: readonly ImportState['state'][] = [
  'judging',
  'preparing',
  'running',
  'pictures',
  'takingBack',
  'clearing',
];
export const isUnderWay = ({ state }: ImportState) => underWay.includes(state);
