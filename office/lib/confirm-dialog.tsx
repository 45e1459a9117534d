/** Gives the calls, and asks who is there where one needs it: by passkey, or password and code; at a station, by a PIN. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import type { Me } from '#contract/staff/schemas.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ApiError, errorText } from '#ui/errors.ts';
import { useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { type Call, CallContext, callIn, useCall } from './api.ts';
import { useLanguage, useStaffT } from './i18n.tsx';
import { isAway, signInOptionsQuery, takeMe } from './me.tsx';
import { Problem, SendForm } from './send-form.tsx';

type Asked = 'confirm' | 'pin' | 'signIn';
const asks: Readonly<Record<string, Asked>> = {
  'staff.confirmNeeded': 'confirm',
  'staff.pinNeeded': 'pin',
  'staff.signInNeeded': 'signIn',
};

/** Gives its children the calls. One that needs somebody to show who they are opens the dialog for that and is then repeated. */
export function CallProvider({ me, children }: { me: Me | null; children: ReactNode }) {
  const { locale } = useLanguage();
  const [asking, setAsking] = useState<Asked | null>(null);
  const answer = useRef<(confirmed: boolean) => void>(undefined);
  /** Several calls wait for one dialog. */
  const asked = useRef<Promise<boolean>>(undefined);
  const ask = useCallback((what: Asked) => {
    asked.current ??= new Promise<boolean>((resolve) => {
      answer.current = resolve;
      setAsking(what);
    }).finally(() => {
      asked.current = undefined;
      setAsking(null);
    });
    return asked.current;
  }, []);
  const call = useCallback<Call>(
    async (name, ...input) => {
      const request = () => callIn(locale)(name, ...input);
      try {
        return await request();
      } catch (error) {
        const what = error instanceof ApiError && asks[error.body.errorKey ?? ''];
        // Whoever worked here goes on: what they typed stays. Nobody else is asked for.
        if (!what || (what === 'signIn' && !isAway(me)) || !(await ask(what))) throw error;
        return request();
      }
    },
    [ask, locale, me],
  );
  return (
    <CallContext value={call}>
      {children}
      {asking === 'confirm' && (
        <ConfirmDialog call={call} me={me} onEnd={(confirmed) => answer.current?.(confirmed)} />
      )}
      {asking === 'signIn' && me && (
        <SignInDialog call={callIn(locale)} me={me} onEnd={(signedIn) => answer.current?.(signedIn)} />
      )}
      {asking === 'pin' && <PinDialog call={call} onEnd={(entered) => answer.current?.(entered)} />}
    </CallContext>
  );
}

const library = () => import('@simplewebauthn/browser');

/** @throws {Error} if the person or the device refuses */
async function showPasskey(call: Call): Promise<StaffBody<'passkeySignIn'>> {
  const [{ startAuthentication }, { options }] = await Promise.all([library(), call('passkeyOptions')]);
  const { id, response } = await startAuthentication({ optionsJSON: options as never });
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, clientDataJSON, authenticatorData, signature };
}

/** @throws {Error} if the person or the device refuses */
async function makePasskey(call: Call): Promise<StaffBody<'addPasskey'>> {
  const [{ startRegistration }, { options }] = await Promise.all([library(), call('newPasskey')]);
  const { id, response } = await startRegistration({ optionsJSON: options as never });
  return { id, clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject };
}

/** `onPasskey` sends the passkey that the device showed. */
export function PasskeyButton({
  label,
  onPasskey,
}: {
  label: string;
  onPasskey: (passkey: StaffBody<'passkeySignIn'>) => Promise<unknown>;
}) {
  const call = useCall();
  return <DeviceButton label={label} action={async () => onPasskey(await showPasskey(call))} />;
}

export function NewPasskeyButton({ label, onAdded }: { label: string; onAdded: () => Promise<unknown> }) {
  const call = useCall();
  const add = async () => {
    await call('addPasskey', { body: await makePasskey(call) });
    await onAdded();
  };
  return <DeviceButton label={label} action={add} />;
}

function DeviceButton({ label, action }: { label: string; action: () => Promise<unknown> }) {
  const t = useStaffT();
  const shared = useT();
  const { mutate, isPending, error } = useMutation({ mutationFn: action });
  return (
    <>
      {error && (
        <Notice
          tone="bad"
          title={error instanceof ApiError ? errorText(error, shared) : t('office.passkeyRefused')}
        />
      )}
      <Button label={label} busy={isPending} onClick={() => mutate()} />
    </>
  );
}

interface ConfirmDialogProps {
  call: Call;
  me: Me | null;
  /** Called with whether passkey, or password and code, were right. */
  onEnd: (confirmed: boolean) => void;
}

/** Asks for a passkey, or for password and code, again. */
function ConfirmDialog({ call, me, onEnd }: ConfirmDialogProps) {
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
          <SendForm
            form={form}
            label={t('office.confirm.send')}
            variant={hasPasskeys ? 'secondary' : 'primary'}
          >
            <TextField
              {...form.field('password')}
              label={t('office.password')}
              type="password"
              autoComplete="current-password"
            />
            {me?.secondFactor && (
              <TextField
                {...form.field('code')}
                label={t('office.code')}
                inputMode="numeric"
                autoComplete="one-time-code"
              />
            )}
          </SendForm>
        </>
      )}
    </Dialog>
  );
}

interface SignInDialogProps {
  call: Call;
  me: Me;
  /** Called with whether the same person has signed in. */
  onEnd: (signedIn: boolean) => void;
}

/** Over the page of somebody whose session has ended. */
function SignInDialog({ call, me, onEnd }: SignInDialogProps) {
  const t = useStaffT();
  const queries = useQueryClient();
  const enter = async (next: Me) => {
    // Of somebody else, nothing of this page is theirs.
    if (next.email !== me.email) return location.reload();
    await takeMe(queries, next);
    onEnd(true);
  };
  const form = useForm({
    initial: { password: '', code: '' },
    send: ({ password, code }) =>
      call('signIn', { body: { email: me.email, password, ...(code ? { code } : {}) } }),
    onSent: enter,
  });
  const demo = useQuery({ ...signInOptionsQuery(call), enabled: me.demo });
  const id = demo.data?.demo.find(({ name }) => name === me.name)?.id;
  return (
    <Dialog open onClose={() => onEnd(false)} title={t('office.ended.title')}>
      <p>{t('office.ended.text', { name: me.name })}</p>
      {id !== undefined && (
        <DeviceButton
          label={t('office.signIn')}
          action={async () => enter(await call('signInDemo', { params: { id } }))}
        />
      )}
      {me.passkeys > 0 && (
        <DeviceButton
          label={t('office.passkeySignIn')}
          action={async () => enter(await call('passkeySignIn', { body: await showPasskey(call) }))}
        />
      )}
      {!me.demo && (
        <SendForm form={form} label={t('office.signIn')} variant={me.passkeys > 0 ? 'secondary' : 'primary'}>
          <TextField
            {...form.field('password')}
            label={t('office.password')}
            type="password"
            autoComplete="current-password"
          />
          {me.secondFactor && (
            <TextField
              {...form.field('code')}
              label={t('office.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
            />
          )}
        </SendForm>
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
function PinDialog({ call, onEnd }: PinDialogProps) {
  const t = useStaffT();
  const [person, setPerson] = useState<{ id: string; name: string }>();
  const { data, error } = useQuery({ queryKey: ['station-people'], queryFn: () => call('stationPeople') });
  return (
    <Dialog
      open
      onClose={() => onEnd(false)}
      title={person ? t('office.station.pin', person) : t('office.station.who')}
    >
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
    onSent: async (me) => {
      await takeMe(queries, me);
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
    onSuccess: (nobody) => takeMe(queries, nobody),
  });
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        onClick={() => (me.name === '' ? setEntering(true) : leave.mutate())}
      >
        {t(me.name === '' ? 'office.station.enter' : 'office.station.switch')}
      </Button>
      {entering && <PinDialog call={call} onEnd={() => setEntering(false)} />}
    </>
  );
}
