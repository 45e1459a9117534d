/** Asks the device for a passkey. The library is loaded with the first one. */
import { useMutation } from '@tanstack/react-query';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import { Button } from '#ui/button.tsx';
import { ApiError, errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { type Call, useCall } from './api.tsx';
import { useStaffT } from './i18n.tsx';

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
      {error && <Notice tone="bad" title={error instanceof ApiError ? errorText(error, shared) : t('office.passkeyRefused')} />}
      <Button label={label} busy={isPending} onClick={() => mutate()} />
    </>
  );
}
