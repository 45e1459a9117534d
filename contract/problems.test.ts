import { expect, test } from 'vitest';
import { problem, problemText } from './problems.ts';
import { staffTranslate } from './staff/messages.ts';

const [en, zh] = [staffTranslate('en'), staffTranslate('zh')];

test.each([
  [
    problem(['products', 'river-mug', 'priceCents'], 'problem.type.integer', { found: '12.5' }),
    'product river-mug: /priceCents must be a whole number, found 12.5',
    '商品 river-mug：/priceCents 应为整数，现为 12.5',
  ],
  [
    problem(['products', '3', 'id'], 'problem.required'),
    '/products/3/id is missing',
    '/products/3/id 未填写',
  ],
  [problem(['tags', 'gift'], 'problem.repeated'), 'tag gift is given twice', '标签 gift 重复出现'],
  [
    problem(['settings', 'taxRates', '0', 'gstPercent'], 'problem.percent', { found: '113' }),
    'Setting taxRates/0/gstPercent must be a percentage from 0 to 100, found 113',
    '设置 taxRates/0/gstPercent 应为 0 至 100 的百分比，现为 113',
  ],
  [
    problem([], 'problem.type.object', { found: '[]' }),
    'the file must be an object, found []',
    '整个文件应为对象，现为 []',
  ],
  [
    problem(['posts', 'spring', 'tags'], 'problem.reference', { kind: 'tag', found: '"none"' }),
    'post spring: /tags must be the id of an existing tag, found "none"',
    '文章 spring：/tags 应为已有标签的标识，现为 "none"',
  ],
  [
    problem(['colour'], 'problem.unknownField', { similar: 'color' }),
    '/colour is an unknown field. Did you mean color?',
    '/colour 是未知字段。是不是 color？',
  ],
])('a problem is told with its place first, in each language: %j', (what, english, chinese) => {
  expect([problemText(what, en), problemText(what, zh)]).toEqual([english, chinese]);
});
