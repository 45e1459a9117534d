/**
 * Countries whose law asks for consent before commercial email, so that a box which is ticked already is none. Elsewhere, as in the United
 * States (CAN-SPAM Act, 15 U.S.C. 7701), news may be sent until somebody objects.
 */
const byLaw: Readonly<Record<string, string>> = {
  // Canada's Anti-Spam Legislation, S.C. 2010, c. 23, s. 6; CRTC 2012-549: a pre-checked box is no express consent.
  CA: 'CA',
  // Directive 2002/58/EC, article 13, with GDPR, article 4 (11) and recital 32; EEA; Court of Justice, C-673/17 (Planet49).
  EEA: 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK',
  // Privacy and Electronic Communications Regulations 2003, regulation 22.
  GB: 'GB',
  // Bundesgesetz gegen den unlauteren Wettbewerb, article 3 (1) o.
  CH: 'CH',
  // Spam Act 2003 · Unsolicited Electronic Messages Act 2007.
  'AU, NZ': 'AU NZ',
  // 中华人民共和国广告法, article 43.
  CN: 'CN',
  // 特定電子メールの送信の適正化等に関する法律, article 3 · 정보통신망법, article 50.
  'JP, KR': 'JP KR',
  // Protection of Personal Information Act 2013, section 69.
  ZA: 'ZA',
};
const countries = new Set(Object.values(byLaw).flatMap((codes) => codes.split(' ')));

/** `country` is ISO 3166-1; of a shop whose country is not known, consent is asked for. */
export const asksConsentToNews = (country: string | undefined): boolean =>
  country === undefined || countries.has(country);
