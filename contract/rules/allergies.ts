/** Words by which a note may be about an allergy. One mark too many is harmless, one too few is not. */
const words = [
  /allerg|intoleran|anaphyla|celiac|coeliac|epipen/i,
  /\b(pea|wal|hazel|cashew|brazil|tree)?-?\s?nuts?\b|\balmonds?\b|\bcashews?\b|\bpistachios?\b|\bpecans?\b|\bsesame\b/i,
  /\bgluten|\bwheat\b|\blactose\b|\bdairy\b|\beggs?\b|\bsoy\b|\bshellfish\b|\bseafood\b|\bshrimps?\b|\bfish\b|\bmustard\b|\bsulphites?\b/i,
  /过敏|過敏|花生|坚果|堅果|杏仁|腰果|核桃|芝麻|麸质|麩質|小麦|小麥|乳糖|奶制品|乳制品|鸡蛋|雞蛋|大豆|海鲜|海鮮|虾|蝦|贝类|貝類/,
];

/** Whether whoever makes an order must not overlook its note. */
export const isAllergyNote = (note: string): boolean => words.some((word) => word.test(note));
