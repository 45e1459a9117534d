/** Amounts in hundredths of a currency, as decimal text: 4972 is '49.72', -1250 '-12.50'. */
export const decimalText = (amount: number): string => (amount / 100).toFixed(2);
