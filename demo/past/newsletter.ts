/** A list that the demo shop has brought along: whoever wanted its letter before there was a shop. */
const people = [
  ['Leah', 'Bennett', 'Toronto', 'ON', 'M6K 2B4'],
  ['Tomas', 'Novak', 'Hamilton', 'ON', 'L8P 3C1'],
  ['Priya', 'Desai', 'Mississauga', 'ON', 'L5B 4M2'],
  ['Julia', 'Keller', 'Kitchener', 'ON', 'N2G 1B7'],
  ['Isaac', 'Mensah', 'Toronto', 'ON', 'M4L 1P9'],
  ['Elena', 'Marchetti', 'Ottawa', 'ON', 'K1N 7Z3'],
  ['Kenji', 'Nakamura', 'Vancouver', 'BC', 'V6B 2L5'],
  ['Rosa', 'Silva', 'Montréal', 'QC', 'H2X 3P8'],
  ['Hugo', 'Gagnon', 'Québec', 'QC', 'G1R 4S9'],
  ['Amara', 'Abara', 'Calgary', 'AB', 'T2P 2M5'],
  ['Fiona', 'Murphy', 'Halifax', 'NS', 'B3J 1A6'],
  ['Samir', 'Kapoor', 'Markham', 'ON', 'L3R 9Z4'],
] as const;

const header = 'First Name,Last Name,Email,Accepts Email Marketing,Address1,City,Province Code,Country Code,Zip,Note';

/** CSV with the columns of another shop's customers. */
export const newsletterFile = [
  header,
  ...people.map(
    ([first, last, city, province, zip], index) =>
      `${first},${last},${first.toLowerCase()}.${last.toLowerCase()}@post.example,yes,${12 + index * 7} Orchard Street,${city},${province},CA,${zip},${
        index % 4 === 0 ? 'Met at the spring market' : ''
      }`,
  ),
  '',
].join('\n');
