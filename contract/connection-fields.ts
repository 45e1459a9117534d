/** The form of the fields by which the shop is connected with other machines (`contract/staff/connections.ts`). */

export interface ConnectionField {
  /** Of the environment, which wins. Fields may stand in one variable together. */
  variable: string;
  /** Kept encrypted, and never shown again. */
  secret?: true;
  /** Its last four characters are shown, as its provider shows them. */
  tail?: true;
  /** Left out, there is nothing to choose. The first is meant where nothing was chosen. */
  choices?: readonly string[];
}

/** By the names of the fields, in their order. */
export type ConnectionFields = Readonly<Record<string, ConnectionField>>;

/** The character sets that a ticket printer can be set to, the usual one first. */
export const printerEncodings = ['gb18030', 'big5', 'cp858', 'cp1252', 'cp437'] as const;

/** Of the value of a field, in characters. */
export const longestConnectionValue = 4000;
