/** Amounts that staff type, in the currency of the shop. */
import { decimalText, parseAmount } from '#contract/money.ts';
import { TypedOf, type TypedOfProps } from './document-form.tsx';
import { writtenNumber } from './field-words.ts';
import { useMe } from './me.tsx';

export function useMoney() {
  const { currency } = useMe().shop;
  return {
    currency,
    text: (amount: number) => decimalText(amount, currency),
    /** Null for what is no amount of the currency. */
    parse: (typed: string) => parseAmount(typed, currency),
  };
}

/** An amount of a document. What is none is kept for the server to refuse. */
export function MoneyOf(props: Omit<TypedOfProps, 'parse' | 'print'>) {
  const { currency, parse } = useMoney();
  return (
    <TypedOf
      {...props}
      parse={(typed) => parse(typed) ?? typed}
      print={(value) => writtenNumber(value, currency)}
    />
  );
}
