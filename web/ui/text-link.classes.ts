/** The class of a link inside text. */
export const textLinkClass = 'text-action underline decoration-1 hover:text-action-strong hover:decoration-2';
