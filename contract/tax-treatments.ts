/** How the law sees a sale. `supply`: whether tax returns count it as a taxable supply, at whatever rate. */
const treatmentTable = {
  /** At the rates of its taxes, which are none where the shop collects none. */
  taxable: { supply: true },
  /** At 0 %, such as groceries. */
  zeroRated: { supply: true },
  /** The buyer does not pay it. */
  exempt: { supply: false },
  /** At 0 %, since it leaves the country. */
  export: { supply: false },
  /** No supply at all, such as a refundable deposit. */
  outOfScope: { supply: false },
} as const satisfies Record<string, { supply: boolean }>;

export type Treatment = keyof typeof treatmentTable;
export const treatments = Object.keys(treatmentTable) as [Treatment, ...Treatment[]];
/** With what does not say how it is taxed, which is '', among those that are no taxable supplies. */
export const treatmentsOf = (supply: boolean): (Treatment | '')[] => [
  ...treatments.filter((treatment) => treatmentTable[treatment].supply === supply),
  ...(supply ? [] : ['' as const]),
];
/** Whether sales that are taxed so stand apart from those that taxes are on. */
export const isApart = (treatment: string): boolean => treatment !== '' && treatment !== 'taxable';
