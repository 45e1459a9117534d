/** Shows again who is there: by passkey, or password and code; at a station, a device that is the counter of a store, by a PIN. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me } from '#contract/staff/schemas.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { type Call, useCall } from './api.tsx';
import { useStaffT } from './i18n.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { Problem, SendForm } from './send-form.tsx';

interface ConfirmDialogProps {
  call: Call;
  me: Me | null;
  /** Called with whether passkey, or password and code, were right. */
  onEnd: (confirmed: boolean) => void;
}

/** Asks for a passkey, or for password and code, again. */
export function ConfirmDialog({ call, me, onEnd }: ConfirmDialogProps) {
  const t = useStaffT();
  const form = useForm({
    initial: { password: '', code: '' },
    send: ({ password, code }) => call('confirm', { body: { password, ...(code ? { code } : {}) } }),
    onSent: () => onEnd(true),
  });
  const hasPasskeys = Boolean(me?.passkeys);
  return (
    <Dialog open onClose={() => onEnd(false)} title={t('office.confirm.title')}>
      {hasPasskeys && (
        <PasskeyButton
          label={t('office.confirm.passkey')}
          onPasskey={(passkey) => call('confirmPasskey', { body: passkey }).then(() => onEnd(true))}
        />
      )}
      {(!hasPasskeys || me?.secondFactor) && (
        <>
          <p>{t('office.confirm.text')}</p>
          <SendForm form={form} label={t('office.confirm.send')} variant={hasPasskeys ? 'secondary' : 'primary'}>
            <TextField {...form.field('password')} label={t('office.password')} type="password" autoComplete="current-password" />
            {me?.secondFactor && (
              <TextField {...form.field('code')} label={t('office.code')} inputMode="numeric" autoComplete="one-time-code" />
            )}
          </SendForm>
        </>
      )}
    </Dialog>
  );
}

interface PinDialogProps {
  call: Call;
  /** Called with whether somebody entered their PIN. */
  onEnd: (entered: boolean) => void;
}

/** Asks who is there, and for their PIN. */
export function PinDialog({ call, onEnd }: PinDialogProps) {
  const t = useStaffT();
  const [person, setPerson] = useState<{ id: string; name: string }>();
  const { data, error } = useQuery({ queryKey: ['station-people'], queryFn: () => call('stationPeople') });
  return (
    <Dialog open onClose={() => onEnd(false)} title={person ? t('office.station.pin', person) : t('office.station.who')}>
      <Problem error={error} />
      {data?.people.length === 0 && <p>{t('office.station.nobody')}</p>}
      {person ? (
        <PinForm person={person.id} call={call} onEntered={() => onEnd(true)} />
      ) : (
        <ul className="grid grid-cols-2 gap-3">
          {data?.people.map((each) => (
            <li key={each.id}>
              <Button label={each.name} variant="secondary" wide onClick={() => setPerson(each)} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function PinForm({ person, call, onEntered }: { person: string; call: Call; onEntered: () => void }) {
  const t = useStaffT();
  const queries = useQueryClient();
  const form = useForm({
    initial: { pin: '' },
    send: ({ pin }) => call('enterPin', { body: { person, pin } }),
    onSent: (me) => {
      queries.setQueryData(['me'], me);
      onEntered();
    },
    valuesAfterRejection: () => ({ pin: '' }),
    focusAfterRejection: 'pin',
  });
  return (
    <SendForm form={form} label={t('office.station.enter')}>
      <TextField
        {...form.field('pin')}
        label={t('office.pin')}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        autoFocus
      />
    </SendForm>
  );
}

/** Enters a PIN before anything asks for it, or says that the next person is there. */
export function SwitchButton({ me }: { me: Me }) {
  const t = useStaffT();
  const call = useCall();
  const queries = useQueryClient();
  const [entering, setEntering] = useState(false);
  const leave = useMutation({
    mutationFn: () => call('leaveStation'),
    onSuccess: (nobody) => queries.setQueryData(['me'], nobody),
  });
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => (me.name === '' ? setEntering(true) : leave.mutate())}>
        {t(me.name === '' ? 'office.station.enter' : 'office.station.switch')}
      </Button>
      {entering && <PinDialog call={call} onEnd={() => setEntering(false)} />}
    </>
  );
}
