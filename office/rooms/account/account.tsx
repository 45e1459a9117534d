import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { Button } from '#ui/button.tsx';
import { FormSection, useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { NewPasskeyButton } from '../../lib/confirm-dialog.tsx';
import { useMe, useOffice, useSignInOptions } from '../../lib/me.tsx';
import { QrCode } from '../../lib/qr-code.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';

export default function Account() {
  const { t, name, email, demo } = useOffice();
  return (
    <div className="flex max-w-room flex-col gap-10">
      <header>
        <h1 className="text-2xl">{t('office.account')}</h1>
        <p className="mt-1 text-ink-soft">
          {name}, {email}
        </p>
      </header>
      {demo ? (
        <Notice title={t('office.demoAccount', { name })} silent />
      ) : (
        <>
          <Passkeys />
          <SecondFactor />
        </>
      )}
      <Pin />
      <Sessions />
    </div>
  );
}

function Passkeys() {
  const { t, locale, shop, call, queries } = useOffice();
  const { data: options } = useSignInOptions();
  const { data } = useQuery({ queryKey: ['passkeys'], queryFn: () => call('myPasskeys') });
  const changed = () =>
    Promise.all(['passkeys', 'sessions', 'me'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
  const remove = useMutation({
    mutationFn: (id: string) => call('removePasskey', { params: { id } }),
    onSuccess: changed,
  });
  const time = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  });
  return (
    <FormSection title={t('office.passkeys')}>
      <p>{t(options?.passkeys === false ? 'office.passkeyNone' : 'office.passkeyWhy')}</p>
      <Problem error={remove.error} />
      {Boolean(data?.passkeys.length) && (
        <ul className="divide-y divide-line border-line border-y">
          {data?.passkeys.map(({ id, device, createdAt, lastUsedAt }) => (
            <li key={id} className="flex min-h-14 items-center gap-4 py-2">
              <p className="min-w-0 flex-1">
                {device || t('office.unknownDevice')}
                <span className="block text-ink-soft text-sm">
                  {lastUsedAt === null
                    ? t('office.passkeyAdded', { time: time.format(createdAt) })
                    : t('office.passkeyUsed', { time: time.format(lastUsedAt) })}
                </span>
              </p>
              <Button
                label={t('office.passkeyRemove')}
                variant="secondary"
                size="small"
                onClick={() => remove.mutate(id)}
              />
            </li>
          ))}
        </ul>
      )}
      {options?.passkeys && (
        <div className="flex flex-col items-start gap-4">
          <NewPasskeyButton label={t('office.passkeyAdd')} onAdded={changed} />
        </div>
      )}
    </FormSection>
  );
}

function SecondFactor() {
  const { t, call } = useOffice();
  const me = useMe();
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = useMutation({ mutationFn: () => call('newSecondFactor') });
  return (
    <FormSection title={t('office.secondFactor')}>
      {codes ? (
        <RecoveryCodes codes={codes} />
      ) : me.secondFactor ? (
        <p>{t('office.secondFactorOn', { count: me.recoveryCodes })}</p>
      ) : (
        <>
          <p>{t(me.waiting.length > 0 ? 'office.secondFactorNeeded' : 'office.secondFactorWhy')}</p>
          <Problem error={begin.error} />
          {begin.data ? (
            <NewFactor {...begin.data} onCodes={setCodes} />
          ) : (
            <Button className="self-start" busy={begin.isPending} onClick={() => begin.mutate()}>
              {t('office.secondFactorSetUp')}
            </Button>
          )}
        </>
      )}
    </FormSection>
  );
}

function NewFactor({
  secret,
  uri,
  onCodes,
}: {
  secret: string;
  uri: string;
  onCodes: (codes: readonly string[]) => void;
}) {
  const { t, call, queries } = useOffice();
  const form = useForm({
    initial: { code: '' },
    send: (body) => call('confirmSecondFactor', { body }),
    onSent: async ({ codes }) => {
      onCodes(codes);
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
  return (
    <>
      <p>{t('office.scan')}</p>
      <QrCode text={uri} label={t('office.qrCode')} />
      <p className="break-all text-sm">
        {t('office.secret')} <code className="font-semibold">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <SendForm form={form} label={t('office.secondFactorConfirm')} className="self-start">
        <TextField
          {...form.field('code')}
          label={t('office.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          className="max-w-[14rem]"
        />
      </SendForm>
    </>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useOffice();
  return (
    <>
      <Notice tone="good" title={t('office.secondFactorDone')}>
        {t('office.recoveryCodes')}
      </Notice>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-base">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </>
  );
}

function Pin() {
  const { t, pin } = useOffice();
  const [saved, setSaved] = useState(0);
  return (
    <FormSection title={t('office.pin')}>
      <p>
        {t('office.pinWhy')} {pin && t('office.pinHave')}
      </p>
      {saved > 0 && pin && <Notice tone="good" title={t('office.pinSaved')} />}
      <PinForm key={saved} onSaved={() => setSaved(saved + 1)} />
    </FormSection>
  );
}

function PinForm({ onSaved }: { onSaved: () => void }) {
  const { t, call, queries } = useOffice();
  const me = useMe();
  const saved = () => queries.invalidateQueries({ queryKey: ['me'] }).then(onSaved);
  const form = useForm({
    initial: { pin: '' },
    send: ({ pin }) => call('setPin', { body: { pin: pin || null } }),
    onSent: saved,
  });
  return (
    <SendForm form={form} label={t('office.pinSave')} className="self-start">
      <TextField
        {...form.field('pin')}
        label={t('office.pinLabel')}
        hint={t(me.pin ? 'office.pinHintRemove' : 'office.pinHint')}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        className="max-w-[14rem]"
      />
    </SendForm>
  );
}

function Sessions() {
  const { t, locale, shop, call, queries } = useOffice();
  const { data } = useQuery({ queryKey: ['sessions'], queryFn: () => call('mySessions') });
  const end = useMutation({
    mutationFn: (id: string) => call('endSession', { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  const time = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  });
  return (
    <FormSection title={t('office.sessions')}>
      <ul className="divide-y divide-line border-line border-y">
        {data?.sessions.map(({ id, device, lastSeenAt, current }) => (
          <li key={id} className="flex min-h-14 items-center gap-4 py-2">
            <p className="min-w-0 flex-1">
              {device || t('office.unknownDevice')}
              <span className="block text-ink-soft text-sm">
                {current ? t('office.thisSession') : t('office.lastSeen', { time: time.format(lastSeenAt) })}
              </span>
            </p>
            {!current && (
              <Button
                label={t('office.endSession')}
                variant="secondary"
                size="small"
                onClick={() => end.mutate(id)}
              />
            )}
          </li>
        ))}
      </ul>
    </FormSection>
  );
}
