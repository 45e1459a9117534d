/** The provinces and states of countries: what they are called, and by which texts they are found. */
import { countryCodes, countryName } from '#contract/countries.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { addressFormats } from './address-formats.ts';

export interface ProvinceRow {
  code: string;
  name: LocalText;
}

const rows = (table: Record<string, [en: string, zh: string]>): ProvinceRow[] =>
  Object.entries(table).map(([code, [en, zh]]) => ({ code, name: { en, zh } }));

/** Those that the shop names itself, with the codes of tax and shipping. */
const named: Readonly<Record<string, readonly ProvinceRow[]>> = {
  CA: rows({
    AB: ['Alberta', '艾伯塔省'],
    BC: ['British Columbia', '不列颠哥伦比亚省'],
    MB: ['Manitoba', '曼尼托巴省'],
    NB: ['New Brunswick', '新不伦瑞克省'],
    NL: ['Newfoundland and Labrador', '纽芬兰与拉布拉多省'],
    NS: ['Nova Scotia', '新斯科舍省'],
    NT: ['Northwest Territories', '西北地区'],
    NU: ['Nunavut', '努纳武特地区'],
    ON: ['Ontario', '安大略省'],
    PE: ['Prince Edward Island', '爱德华王子岛省'],
    QC: ['Quebec', '魁北克省'],
    SK: ['Saskatchewan', '萨斯喀彻温省'],
    YT: ['Yukon', '育空地区'],
  }),
  US: rows({
    AL: ['Alabama', '亚拉巴马州'],
    AK: ['Alaska', '阿拉斯加州'],
    AS: ['American Samoa', '美属萨摩亚'],
    AZ: ['Arizona', '亚利桑那州'],
    AR: ['Arkansas', '阿肯色州'],
    CA: ['California', '加利福尼亚州'],
    CO: ['Colorado', '科罗拉多州'],
    CT: ['Connecticut', '康涅狄格州'],
    DE: ['Delaware', '特拉华州'],
    DC: ['District of Columbia', '哥伦比亚特区'],
    FL: ['Florida', '佛罗里达州'],
    GA: ['Georgia', '佐治亚州'],
    GU: ['Guam', '关岛'],
    HI: ['Hawaii', '夏威夷州'],
    ID: ['Idaho', '爱达荷州'],
    IL: ['Illinois', '伊利诺伊州'],
    IN: ['Indiana', '印第安纳州'],
    IA: ['Iowa', '艾奥瓦州'],
    KS: ['Kansas', '堪萨斯州'],
    KY: ['Kentucky', '肯塔基州'],
    LA: ['Louisiana', '路易斯安那州'],
    ME: ['Maine', '缅因州'],
    MD: ['Maryland', '马里兰州'],
    MA: ['Massachusetts', '马萨诸塞州'],
    MI: ['Michigan', '密歇根州'],
    MN: ['Minnesota', '明尼苏达州'],
    MS: ['Mississippi', '密西西比州'],
    MO: ['Missouri', '密苏里州'],
    MT: ['Montana', '蒙大拿州'],
    NE: ['Nebraska', '内布拉斯加州'],
    NV: ['Nevada', '内华达州'],
    NH: ['New Hampshire', '新罕布什尔州'],
    NJ: ['New Jersey', '新泽西州'],
    NM: ['New Mexico', '新墨西哥州'],
    NY: ['New York', '纽约州'],
    NC: ['North Carolina', '北卡罗来纳州'],
    ND: ['North Dakota', '北达科他州'],
    MP: ['Northern Mariana Islands', '北马里亚纳群岛'],
    OH: ['Ohio', '俄亥俄州'],
    OK: ['Oklahoma', '俄克拉何马州'],
    OR: ['Oregon', '俄勒冈州'],
    PA: ['Pennsylvania', '宾夕法尼亚州'],
    PR: ['Puerto Rico', '波多黎各'],
    VI: ['US Virgin Islands', '美属维尔京群岛'],
    FM: ['Micronesia', '密克罗尼西亚'],
    MH: ['Marshall Islands', '马绍尔群岛'],
    PW: ['Palau', '帕劳'],
    AA: ['Armed Forces Americas', '美军驻美洲'],
    AE: ['Armed Forces Europe', '美军驻欧洲'],
    AP: ['Armed Forces Pacific', '美军驻太平洋'],
    RI: ['Rhode Island', '罗得岛州'],
    SC: ['South Carolina', '南卡罗来纳州'],
    SD: ['South Dakota', '南达科他州'],
    TN: ['Tennessee', '田纳西州'],
    TX: ['Texas', '得克萨斯州'],
    UM: ['US Minor Outlying Islands', '美国本土外小岛屿'],
    UT: ['Utah', '犹他州'],
    VT: ['Vermont', '佛蒙特州'],
    VA: ['Virginia', '弗吉尼亚州'],
    WA: ['Washington', '华盛顿州'],
    WV: ['West Virginia', '西弗吉尼亚州'],
    WI: ['Wisconsin', '威斯康星州'],
    WY: ['Wyoming', '怀俄明州'],
  }),
  CN: rows({
    AH: ['Anhui', '安徽省'],
    BJ: ['Beijing', '北京市'],
    CQ: ['Chongqing', '重庆市'],
    FJ: ['Fujian', '福建省'],
    GS: ['Gansu', '甘肃省'],
    GD: ['Guangdong', '广东省'],
    GX: ['Guangxi', '广西壮族自治区'],
    GZ: ['Guizhou', '贵州省'],
    HI: ['Hainan', '海南省'],
    HE: ['Hebei', '河北省'],
    HL: ['Heilongjiang', '黑龙江省'],
    HA: ['Henan', '河南省'],
    HK: ['Hong Kong', '香港特别行政区'],
    HB: ['Hubei', '湖北省'],
    HN: ['Hunan', '湖南省'],
    NM: ['Inner Mongolia', '内蒙古自治区'],
    JS: ['Jiangsu', '江苏省'],
    JX: ['Jiangxi', '江西省'],
    JL: ['Jilin', '吉林省'],
    LN: ['Liaoning', '辽宁省'],
    MO: ['Macao', '澳门特别行政区'],
    NX: ['Ningxia', '宁夏回族自治区'],
    QH: ['Qinghai', '青海省'],
    SN: ['Shaanxi', '陕西省'],
    SD: ['Shandong', '山东省'],
    SH: ['Shanghai', '上海市'],
    SX: ['Shanxi', '山西省'],
    SC: ['Sichuan', '四川省'],
    TW: ['Taiwan', '台湾省'],
    TJ: ['Tianjin', '天津市'],
    XZ: ['Tibet', '西藏自治区'],
    XJ: ['Xinjiang', '新疆维吾尔自治区'],
    YN: ['Yunnan', '云南省'],
    ZJ: ['Zhejiang', '浙江省'],
  }),
};

/** SPEC §5: not in the list of the states of the US. The same holds for countries that use its mail, and for armed forces. */
const others: Readonly<Record<string, readonly string[]>> = {
  US: ['AS', 'DC', 'MP', 'PR', 'UM', 'GU', 'VI', 'FM', 'MH', 'PW', 'AA', 'AE', 'AP'],
};

const fromData = new Map<string, readonly ProvinceRow[]>();

/** All that an address in a country may be in; empty for a country without a list. */
export function provincesOf(countryCode: string): readonly ProvinceRow[] {
  const own = Object.hasOwn(named, countryCode) ? named[countryCode] : undefined;
  const found = own ?? fromData.get(countryCode) ?? rowsOf(countryCode);
  if (!own) fromData.set(countryCode, found);
  return found;
}

/** Names in Chinese characters serve a Chinese page as well. */
function rowsOf(countryCode: string): ProvinceRow[] {
  const rows = addressFormats[countryCode]?.provinces ?? [];
  return rows.map(([code, name, aliases = '']) => {
    const han = aliases.split('|').find((each) => /^\p{Script=Han}+$/u.test(each));
    return { code, name: han ? { en: name, zh: han } : { en: name } };
  });
}

/** Whether a province stands in a list of its own (SPEC §5). */
export const isOtherProvince = (countryCode: string, code: string): boolean =>
  others[countryCode]?.includes(code) ?? false;

/** The provinces or states of a country, as lists have them (SPEC §5). */
export function offeredProvinces(countryCode: string): ProvinceRow[] {
  return provincesOf(countryCode).filter(({ code }) => !isOtherProvince(countryCode, code));
}

const provincesByText = new Map<string, ReadonlyMap<string, ProvinceRow>>();

/** By its code, or its name in any language, with or without accents. Those in no list are found as well. */
export function findProvince(countryCode: string, text: string): ProvinceRow | null {
  let byText = provincesByText.get(countryCode);
  if (!byText) {
    const rows = provincesOf(countryCode);
    if (rows.length === 0) return null;
    const aliases = new Map(
      addressFormats[countryCode]?.provinces?.map(([code, name, more = '']) => [
        code,
        [name, ...more.split('|')],
      ]),
    );
    const texts = rows.flatMap((row) =>
      [row.code, `${countryCode}-${row.code}`, ...Object.values(row.name), ...(aliases.get(row.code) ?? [])]
        .filter(Boolean)
        .map((name) => [plain(name), row] as const),
    );
    // Of two with the same text the first in the list is found.
    byText = new Map(texts.toReversed());
    provincesByText.set(countryCode, byText);
  }
  return byText.get(plain(text)) ?? null;
}

/** Lower case, without accents; `Co. Dublin` and `County Dublin` are `dublin`. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{Mn}'’.]/gu, '')
    .toLowerCase()
    .trim()
    .replace(/^(?:co|county) /, '');

/** Of a place such as `CA-ON`, or of a country. One that is unknown keeps its code. */
export function placeName(place: string, locale: Locale): string {
  const [country = '', province] = place.split('-');
  const known =
    province === undefined ? undefined : offeredProvinces(country).find(({ code }) => code === province);
  if (known) return inLocale(known.name, locale);
  return countryCodes.includes(country) ? countryName(country, locale) : place;
}
