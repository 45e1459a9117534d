/** Who is at a station: a device that is signed in as the counter of a store. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me } from '#contract/staff/schemas.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { type Call, useCall } from './api.tsx';
import { useStaffT } from './i18n.tsx';
import { Problem } from './problem.tsx';
import { SendForm } from './send-form.tsx';

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
