/** Buyers who do not pay a tax, and what the law wants the shop to have seen. Kinds that are not listed are charged in full. */
import { provincialTax, type RegistrableTax } from './tax-rates.ts';

export const exemptionKinds = ['reserve', 'bcPst', 'skPst', 'mbRst'] as const;
export type ExemptionKind = (typeof exemptionKinds)[number];

interface ExemptionRule {
  relieves: readonly RegistrableTax[];
  /** The shop, or its carrier, brings it to the address for which the exemption holds. */
  delivered: boolean;
  source: string;
}

export const exemptionRules: Readonly<Record<ExemptionKind, ExemptionRule>> = {
  reserve: {
    relieves: ['GST/HST', 'QST', 'BC PST', 'SK PST', 'MB RST'],
    delivered: true,
    source:
      'Indian Act, section 87; CRA, Technical Information Bulletin B-039 (November 2020), GI-117 (January 2014) and GI-127 (August 2012): delivered to a reserve by the vendor; the card is presented, and its number is noted on the invoice',
  },
  bcPst: {
    relieves: ['BC PST'],
    delivered: false,
    source:
      'British Columbia, "PST exemptions and documentation requirements" (6 March 2024): a PST number or a certificate, obtained at or before the sale and kept',
  },
  skPst: {
    relieves: ['SK PST'],
    delivered: false,
    source:
      'Saskatchewan, Information Notice IN 2017-08: licence numbers, and their verification, for sales that are free of tax',
  },
  mbRst: {
    relieves: ['MB RST'],
    delivered: false,
    source: 'Manitoba, RST Bulletin 004, Information for Vendors',
  },
};

export interface TaxExemption {
  kind: ExemptionKind;
  /** Of the certificate, card or registration. */
  number: string;
  /** The last day on which it holds; null if it has no end. */
  expires: string | null;
  /** Where it is delivered for the exemption to hold; '' if that does not matter. */
  postCode: string;
  /** Who of the staff has seen it, by name, and when, epoch ms. */
  checkedBy: string;
  checkedAt: number;
}

const plainCode = (postCode: string) => postCode.replace(/[\s-]/g, '').toUpperCase();

interface ExemptSale {
  day: string;
  /** Where it is delivered; null if it is handed over in a store. */
  postCode: string | null;
  /** To which its taxes belong; null abroad, and while it is unknown. */
  provinceCode: string | null;
}

/** The exemptions that hold for a sale, of taxes that are charged where it belongs. */
export function exemptionsFor(
  exemptions: readonly TaxExemption[],
  { day, postCode, provinceCode }: ExemptSale,
): TaxExemption[] {
  const taxes: readonly unknown[] = provinceCode === null ? [] : ['GST/HST', provincialTax[provinceCode]];
  return exemptions.filter(({ kind, expires, postCode: only }) => {
    if (expires !== null && expires < day) return false;
    if (!exemptionRules[kind].relieves.some((tax) => taxes.includes(tax))) return false;
    return (
      !exemptionRules[kind].delivered ||
      (postCode !== null && only !== '' && plainCode(only) === plainCode(postCode))
    );
  });
}

/** The taxes that are not charged. */
export const relievedTaxes = (
  exemptions: readonly Pick<TaxExemption, 'kind'>[],
): ReadonlySet<RegistrableTax> => new Set(exemptions.flatMap(({ kind }) => exemptionRules[kind].relieves));
