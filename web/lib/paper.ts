/** As `--color-paper` in `styles/tokens.css`: a meta element cannot reference a token. The build puts the brand's colours here. */
export const paper = { light: '#f8f4ed', dark: '#1a1815' };
