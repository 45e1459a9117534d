/** Passkeys: signing in by a device, and those of the own account. */
import Type, { type Static } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { EpochMs, Id, Nullable, Strict } from '../schemas/common.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';
import { Me } from './schemas.ts';

const Base64Url = (maxLength: number) => Type.String({ pattern: '^[\\w-]+$', minLength: 1, maxLength });
/** What a browser passes to the device, as the standard WebAuthn has it. */
const Options = Type.Object({ options: Type.Record(Type.String(), Type.Unknown()) });

const shown = { id: Base64Url(1400), clientDataJSON: Base64Url(4000) };

export const PasskeyAssertion = Strict({ ...shown, authenticatorData: Base64Url(4000), signature: Base64Url(4000) });
export const PasskeyRegistration = Strict({ ...shown, attestationObject: Base64Url(20_000) });

const Passkey = Type.Object({
  id: Id,
  device: described("The browser's name and system when it was made.", Type.String()),
  createdAt: EpochMs,
  lastUsedAt: Nullable(EpochMs),
});
export type Passkey = Static<typeof Passkey>;
const Passkeys = Type.Object({ passkeys: Type.Array(Passkey) });

export const passkeyEndpoints = {
  passkeyOptions: {
    route: 'POST passkeys/options',
    summary: 'What a browser needs to show a passkey.',
    needs: 'nobody',
    response: Options,
  },
  passkeySignIn: {
    route: 'POST passkeys/sign-in',
    summary: 'Signs in by a passkey, which is both factors in one.',
    needs: 'nobody',
    body: PasskeyAssertion,
    response: Me,
  },
  confirmPasskey: {
    route: 'POST passkeys/confirm',
    summary: 'Shows a passkey again, for calls that ask for it.',
    needs: 'anybody',
    body: PasskeyAssertion,
    response: Done,
  },
  myPasskeys: { route: 'GET passkeys', summary: 'The own passkeys.', needs: 'anybody', response: Passkeys },
  newPasskey: {
    route: 'POST passkeys/new',
    summary: 'What a browser needs to make a passkey.',
    needs: 'anybody',
    fresh: true,
    response: Options,
  },
  addPasskey: {
    route: 'POST passkeys',
    summary: 'Adds a passkey, and ends the other sessions of the account.',
    needs: 'anybody',
    fresh: true,
    body: PasskeyRegistration,
    response: Passkeys,
  },
  removePasskey: {
    route: 'POST passkeys/:id/remove',
    summary: 'Removes one of the own passkeys.',
    needs: 'anybody',
    fresh: true,
    params: Strict({ id: Id }),
    response: Passkeys,
  },
} as const satisfies Record<string, StaffEndpoint>;
