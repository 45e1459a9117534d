/** Without schemas, so that the browser can load them. */

/** The gateway's name on the wire (SPEC §3). */
export const gatewayName = '{host}';

/** The code that passes the bank's challenge. The payment page shows it while the shop is a demo. */
export const houseChallengeCode = '123456';

export const houseChallengeTries = 3;

/** A card for each possible outcome (docs/how-to/payments.md). Any other number with a valid check digit is approved. */
export const houseCards = {
  approve: '4242424242424242',
  challenge: '4000000000003220',
  slow: '4000000000000259',
  decline: '4000000000000002',
  expired: '4000000000000069',
  codeInvalid: '4000000000000127',
  notAuthorized: '4000000000000101',
  unavailable: '4000000000000119',
  answerLost: '4000000000000341',
} as const;
