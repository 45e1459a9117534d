/** Who has bought in the demo's past: made-up people with made-up addresses, some of them often. */
import type { Locale } from '#contract/locales.ts';
import stores from '../data/stores.json' with { type: 'json' };
import { type Chance, chanceOf } from './chance.ts';

export interface Buyer {
  /** Also the id of their account. */
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  locale: Locale;
  address: BuyerAddress;
  hasAccount: boolean;
  /** Their own network, as an IP address. */
  network: string;
}

export interface BuyerAddress {
  streetNumberAndNameDetails: string;
  city: string;
  province: string;
  postCode: string;
  countryISOCode: string;
}

const firstNames =
  'Ada Amara Ben Camille Chloe Daniel Deepa Elena Emeka Farah Fiona Grace Hannah Hugo Ines Isaac Jamal Julia Kenji Laura Leah Liam Lucia Maya Miguel Nadia Naomi Oliver Omar Paula Priya Rachel Rosa Samir Simone Sofia Tariq Theo Tomas Yasmin'.split(
    ' ',
  );
const lastNames =
  'Abara Bauer Bennett Costa Desai Dubois Eriksen Farouk Fontaine Gagnon Haddad Hayes Ibarra Jensen Kapoor Keller Lavoie MacLeod Marchetti Mensah Moreau Murphy Nakamura Novak Okoro Oliveira Park Pelletier Quinn Ramos Roy Sato Silva Singh Tremblay Torres Vasquez Walsh Weiss Young'.split(
    ' ',
  );
/** With the name in an email address. */
const chineseNames = [
  ['雨桐', '陈', 'yutong.chen'],
  ['子涵', '林', 'zihan.lin'],
  ['嘉怡', '黄', 'kayi.wong'],
  ['浩然', '王', 'haoran.wang'],
  ['思琪', '李', 'siqi.li'],
  ['俊杰', '张', 'junjie.zhang'],
  ['静怡', '刘', 'jingyi.liu'],
  ['明轩', '吴', 'mingxuan.wu'],
  ['晓雯', '周', 'xiaowen.zhou'],
  ['志远', '郑', 'zhiyuan.zheng'],
  ['佩珊', '梁', 'puishan.leung'],
  ['文博', '徐', 'wenbo.xu'],
  ['若曦', '何', 'ruoxi.he'],
  ['家豪', '罗', 'kaho.law'],
  ['美玲', '蔡', 'meiling.tsai'],
  ['一诺', '宋', 'yinuo.song'],
] as const;

const streets =
  'Alder Birch Cedar Dundas Elm Ferry Garden Hawthorn Juniper King Lakeshore Maple Mill Orchard Pine Poplar Queen River Spruce Station Union Victoria Willow Wellington'.split(
    ' ',
  );

/** City, province, the beginning of its postal codes, and the weight of how many parcels go there. */
const places = [
  ['Toronto', 'Ontario', 'M6K', 24],
  ['Toronto', 'Ontario', 'M4L', 10],
  ['Markham', 'Ontario', 'L3R', 8],
  ['Mississauga', 'Ontario', 'L5B', 6],
  ['Ottawa', 'Ontario', 'K1N', 10],
  ['Waterloo', 'Ontario', 'N2L', 6],
  ['Hamilton', 'Ontario', 'L8P', 4],
  ['Montréal', 'Quebec', 'H2X', 9],
  ['Québec', 'Quebec', 'G1R', 2],
  ['Vancouver', 'British Columbia', 'V6B', 7],
  ['Victoria', 'British Columbia', 'V8W', 2],
  ['Calgary', 'Alberta', 'T2P', 4],
  ['Edmonton', 'Alberta', 'T5J', 2],
  ['Winnipeg', 'Manitoba', 'R3C', 2],
  ['Saskatoon', 'Saskatchewan', 'S7K', 1],
  ['Halifax', 'Nova Scotia', 'B3J', 2],
  ['Fredericton', 'New Brunswick', 'E3B', 1],
  ['Brooklyn', 'New York', '11215', 2],
] as const;
/** Where the shop's own bike goes. */
const nearby = stores.flatMap(({ deliveryZones }) => deliveryZones.flatMap(({ postalCodes }) => postalCodes));

const letters = 'ABCEGHJKLMNPRSTVWXYZ';
const codeOf = (start: string, chance: Chance) =>
  /^\d/.test(start)
    ? start
    : `${start} ${chance.whole(0, 9)}${chance.one([...letters])}${chance.whole(0, 9)}`;

const street = (chance: Chance) =>
  `${chance.whole(2, 480)} ${chance.one(streets)} ${chance.one(['Street', 'Avenue', 'Road'])}`;

const buyerCount = 300;
/** The first so many buy often. */
export const regularCount = 70;
const accountCount = 44;

export function makeBuyers(): Buyer[] {
  const chance = chanceOf('buyers');
  const used = new Set<string>();
  return Array.from({ length: buyerCount }, (_, index): Buyer => {
    const [firstName, lastName, name] = nameOf(index, chance);
    const isTaken = used.has(name);
    used.add(name);
    const [city, province, start] = chance.weighted(places.map((place) => [place, place[3]] as const));
    return {
      id: `demo-buyer-${index}`,
      firstName,
      lastName,
      email: `${name}${isTaken ? index : ''}@mail.example`,
      phone: `+1 416-555-01${String(index % 100).padStart(2, '0')}`,
      locale: firstName.charCodeAt(0) > 0x2fff ? 'zh' : 'en',
      address: {
        streetNumberAndNameDetails: street(chance),
        city,
        province,
        postCode: codeOf(start, chance),
        countryISOCode: province === 'New York' ? 'US' : 'CA',
      },
      hasAccount: index < accountCount,
      network: `198.18.${index >> 8}.${index & 255}`,
    };
  });
}

function nameOf(index: number, chance: Chance): readonly [first: string, last: string, email: string] {
  const chinese = chineseNames[index % 5 === 2 ? Math.floor(index / 5) : chineseNames.length];
  if (chinese) return chinese;
  const [first, last] = [chance.one(firstNames), chance.one(lastNames)];
  return [first, last, `${first}.${last}`.toLowerCase()];
}

/** Around the store in Toronto. */
export function addressNearby(chance: Chance): BuyerAddress {
  return {
    streetNumberAndNameDetails: street(chance),
    city: 'Toronto',
    province: 'Ontario',
    postCode: codeOf(chance.one(nearby), chance),
    countryISOCode: 'CA',
  };
}
