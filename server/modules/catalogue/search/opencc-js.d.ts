/** The table of traditional characters of opencc-js, whose types do not name its single tables. */
declare module 'opencc-js/dict/TSCharacters' {
  /** Entries between bars: a traditional character, a space, and its simplified one. */
  const table: string;
  export default table;
}
