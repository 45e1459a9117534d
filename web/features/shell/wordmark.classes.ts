/** The shop's name as it is set in the header and the footer. */
export const wordmarkClass = 'whitespace-nowrap font-serif text-[1.5rem]/[1.2] tracking-[-0.015em] zh:tracking-normal';
