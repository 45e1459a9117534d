/** The email list that the demo shop brought along from its former software. */
const subscribers = `
Leah,Bennett,Toronto,ON,CA,M6K 2B4
Tomas,Novak,Hamilton,ON,CA,L8P 3C1
Priya,Desai,Mississauga,ON,CA,L5B 4M2
Julia,Keller,Kitchener,ON,CA,N2G 1B7
Isaac,Mensah,Toronto,ON,CA,M4L 1P9
Elena,Marchetti,Ottawa,ON,CA,K1N 7Z3
Kenji,Nakamura,Vancouver,BC,CA,V6B 2L5
Rosa,Silva,Montréal,QC,CA,H2X 3P8
Hugo,Gagnon,Québec,QC,CA,G1R 4S9
Amara,Abara,Calgary,AB,CA,T2P 2M5
Fiona,Murphy,Halifax,NS,CA,B3J 1A6
Samir,Kapoor,Markham,ON,CA,L3R 9Z4
`;

const header =
  'First Name,Last Name,Email,Accepts Email Marketing,Address1,City,Province Code,Country Code,Zip,Note';

/** CSV with the columns of another shop's customers. */
export const newsletterFile = [
  header,
  ...subscribers
    .trim()
    .split('\n')
    .map((row, index) => {
      const [first = '', last = '', ...place] = row.split(',');
      const email = `${first}.${last}@post.example`.toLowerCase();
      const note = index % 4 === 0 ? 'Met at the spring market' : '';
      return [first, last, email, 'yes', `${12 + index * 7} Orchard Street`, ...place, note].join(',');
    }),
  '',
].join('\n');
